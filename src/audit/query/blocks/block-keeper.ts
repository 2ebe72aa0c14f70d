import type { LogStore } from "../../log/log-store.ts";
import { BLOCK_EVENTS, type BlockIndex, openBlockIndex } from "./block-index.ts";

export type BlockKeeper = {
  /** Events were added: what is missing is looked at when nothing else is to be done. */
  note(): void;
  close(): Promise<void>;
};

/** After so long a rest; then a little at a time, so that events never wait. */
const REST_MS = 2_000;
const STEP_MS = 20;
const STEP_BLOCKS = 4;

/** Keeps the blocks of a log up to date, so that nobody waits for them who asks. It may fail: then who asks does it. */
export function createBlockKeeper(
  folder: string,
  store: Pick<LogStore, "head" | "rows">,
  inTurn: (step: () => Promise<void>) => Promise<void>,
): BlockKeeper {
  let timer: NodeJS.Timeout | undefined;
  let blocks: BlockIndex | undefined;
  let isClosed = false;

  function after(ms: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => void inTurn(step).catch(() => {}), ms).unref();
  }

  async function step(): Promise<void> {
    if (isClosed) return;
    blocks ??= await openBlockIndex(folder, store);
    const known = await blocks.catchUp(STEP_BLOCKS);
    const end = (await store.head())?.sequence ?? 0;
    if (end - known >= BLOCK_EVENTS) after(STEP_MS);
  }

  return {
    note: () => after(REST_MS),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await blocks?.close();
    },
  };
}
