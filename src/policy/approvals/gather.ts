/** Nothing more came for so long: then what came together is together. */
const QUIET_MS = 15;
/** A program that goes on asking does not keep its first question back. */
const LONGEST_MS = 250;
const MOST = 1_000;

/** Handles together what comes together: a program's `Promise.all` of forty writes is one question. */
export function createGatherer<Item, Result>(
  handle: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  type Waiting = { readonly item: Item; resolve(result: Result): void; reject(error: unknown): void };
  let waiting: Waiting[] = [];
  let since = 0;
  let timer: NodeJS.Timeout | undefined;

  async function handleAll(): Promise<void> {
    const handled = waiting;
    waiting = [];
    try {
      const results = await handle(handled.map(({ item }) => item));
      for (const [index, { resolve, reject }] of handled.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error("A question was not answered"));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of handled) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1) since = performance.now();
      clearTimeout(timer);
      const left = since + LONGEST_MS - performance.now();
      const wait = waiting.length >= MOST ? 0 : Math.max(0, Math.min(QUIET_MS, left));
      timer = setTimeout(() => void handleAll(), wait);
    });
}
