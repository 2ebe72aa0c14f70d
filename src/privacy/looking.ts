/** What is still being looked at while the program that has it goes on. Nothing leaves before it is done. */
export type Looking = {
  add(session: string, bytes: number, work: Promise<unknown>): void;
  /** Whether so much is under way that more would have to wait. */
  isFull(): boolean;
  readonly isUnderWay: boolean;
  /** When all of it was looked at; fails where something of this session's could not be. */
  settled(session: string): Promise<void> | undefined;
};

const MAX_BYTES = 64 * 1024 * 1024;

export function createLooking(): Looking {
  const underWay = new Set<Promise<void>>();
  const failures = new Map<string, unknown>();
  let bytesUnderWay = 0;

  async function wait(session: string): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
    const failure = failures.get(session);
    failures.delete(session);
    if (failure !== undefined) throw failure;
  }

  return {
    add(session, bytes, work) {
      bytesUnderWay += bytes;
      const one: Promise<void> = work
        .then(
          () => {},
          (error: unknown) => {
            failures.set(session, error);
          },
        )
        .then(() => {
          bytesUnderWay -= bytes;
          underWay.delete(one);
        });
      underWay.add(one);
    },
    isFull: () => bytesUnderWay > MAX_BYTES,
    get isUnderWay() {
      return underWay.size > 0;
    },
    settled: (session) => (underWay.size > 0 || failures.has(session) ? wait(session) : undefined),
  };
}
