import { join } from "node:path";
import { isRecord } from "../../../text/is-record.ts";
import type { LogRow, LogStore } from "../../log/log-store.ts";
import type { LogFilter } from "../filter.ts";
import { openBlockFile } from "./block-file.ts";
import { createHeadTest, createHeadTokens } from "./head-tokens.ts";
import { addTexts, createTextTest } from "./text-tokens.ts";

/** Events of a block: what can't be in a block is not read. */
export const BLOCK_EVENTS = 256;
const HEAD_BITS_BYTES = 4 * 1024;
const TEXT_BITS_BYTES = 8 * 1024;
const HASH_BYTES = 32;
/** Chain hash, earliest and latest time, whether texts are known; then the bits. */
const HEAD_BYTES = HASH_BYTES + 8 + 8 + 8;
const READ_BLOCKS = 8;
/** Whoever asks waits for so many at most; what is not in it yet is read instead. */
const BLOCKS_AT_ONCE = 32;
/** So much is rather read than asked for one by one. */
const MAX_GAP_BLOCKS = 2;

export type SequenceSpan = { readonly first: number; readonly last: number };

/** Where events that are asked for may be. */
export type BlockIndex = {
  /** Takes whole blocks into it that the log has; tells up to which sequence it knows. Stops after so many blocks. */
  catchUp(maxBlocks?: number): Promise<number>;
  /** Sequences among which all that fits a filter is, ascending; nothing where it can't say more than "anywhere". */
  spans(filter: LogFilter): Promise<readonly SequenceSpan[] | undefined>;
  close(): Promise<void>;
};

/**
 * For each 256 events of a log, some kilobytes of bits that say which heads and texts may be among them. It is derived from the
 * log, may be lost, and lies in the user's own folder, beside the keys: whoever can change the log can't change it.
 */
export async function openBlockIndex(
  dir: string,
  store: Pick<LogStore, "head" | "rows">,
): Promise<BlockIndex> {
  const heads = await openBlockFile(join(dir, "heads.blocks"), HEAD_BYTES + HEAD_BITS_BYTES);
  const texts = await openBlockFile(join(dir, "texts.blocks"), TEXT_BITS_BYTES);
  const addHeads = createHeadTokens();
  const loaded: { heads: Buffer[]; texts: Buffer[] } = { heads: [], texts: [] };
  let known: number | undefined;

  /** How many blocks of this very log it has: of another one, or of a later state, it has none. */
  async function knownBlocks(): Promise<number> {
    const count = Math.min(await heads.count(), await texts.count());
    if (count === 0) return 0;
    const [last] = await heads.read(count - 1);
    const [row] = await store.rows(count * BLOCK_EVENTS, 1);
    if (row?.sequence === count * BLOCK_EVENTS && last?.subarray(0, HASH_BYTES).equals(row.hash))
      return count;
    await heads.clear();
    await texts.clear();
    loaded.heads = [];
    loaded.texts = [];
    return 0;
  }

  async function catchUp(maxBlocks = Number.POSITIVE_INFINITY): Promise<number> {
    known ??= await knownBlocks();
    // Another process may have gone on with it.
    let count = Math.max(known, Math.min(await heads.count(), await texts.count()));
    const end = (await store.head())?.sequence ?? 0;
    let left = Math.min(Math.floor(end / BLOCK_EVENTS) - count, maxBlocks);
    while (left > 0) {
      const blocks = Math.min(left, READ_BLOCKS);
      const rows = await store.rows(count * BLOCK_EVENTS + 1, blocks * BLOCK_EVENTS);
      for (let at = 0; at < rows.length; at += BLOCK_EVENTS) {
        const part = rows.slice(at, at + BLOCK_EVENTS);
        // Somebody took rows out of the log: from here on, all of it is read.
        if (part.at(-1)?.sequence !== (count + 1) * BLOCK_EVENTS) return done(count);
        const block = toBlock(part, addHeads);
        await texts.write(count, block.text);
        await heads.write(count, block.head);
        count++;
      }
      if (rows.length === 0) break;
      left -= blocks;
    }
    return done(count);
  }

  function done(count: number): number {
    known = count;
    return count * BLOCK_EVENTS;
  }

  return {
    catchUp,
    async spans(filter) {
      const { from, to, text } = filter;
      const isHead = createHeadTest(filter);
      const isText = text === undefined ? undefined : createTextTest(text);
      if (isHead === undefined && isText === undefined && from === undefined && to === undefined)
        return undefined;
      const count = (await catchUp(BLOCKS_AT_ONCE)) / BLOCK_EVENTS;
      loaded.heads.push(...(await heads.read(loaded.heads.length)));
      if (isText !== undefined) loaded.texts.push(...(await texts.read(loaded.texts.length)));
      const spans: { first: number; last: number }[] = [];
      for (let block = 0; block < count; block++) {
        const head = loaded.heads[block];
        // One that is damaged says nothing, so all of it is read.
        const mayHold =
          head === undefined ||
          head.length === 0 ||
          (isWithin(head, filter) &&
            (isHead?.(head.subarray(HEAD_BYTES)) ?? true) &&
            (isText === undefined ||
              head[HASH_BYTES + 16] === 1 ||
              mayHaveText(loaded.texts[block], isText)));
        if (!mayHold) continue;
        const first = block * BLOCK_EVENTS + 1;
        const before = spans.at(-1);
        if (before !== undefined && first - before.last <= MAX_GAP_BLOCKS * BLOCK_EVENTS + 1)
          before.last = first + BLOCK_EVENTS - 1;
        else spans.push({ first, last: first + BLOCK_EVENTS - 1 });
      }
      return [...spans, { first: count * BLOCK_EVENTS + 1, last: Number.MAX_SAFE_INTEGER }];
    },
    async close() {
      await heads.close();
      await texts.close();
    },
  };
}

function mayHaveText(bits: Buffer | undefined, isText: (bits: Uint8Array) => boolean): boolean {
  return bits === undefined || bits.length === 0 || isText(bits);
}

function isWithin(head: Buffer, { from, to }: LogFilter): boolean {
  if (from !== undefined && head.readDoubleLE(HASH_BYTES + 8) < from) return false;
  return to === undefined || head.readDoubleLE(HASH_BYTES) < to;
}

function toBlock(
  rows: readonly LogRow[],
  addHeads: ReturnType<typeof createHeadTokens>,
): { head: Buffer; text: Buffer } {
  const head = Buffer.alloc(HEAD_BYTES + HEAD_BITS_BYTES);
  const text = Buffer.alloc(TEXT_BITS_BYTES);
  const bits = head.subarray(HEAD_BYTES);
  const seenHeads = new Set<string>();
  const seenTexts = new Set<string>();
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  for (const { body, columns } of rows) {
    if (body === undefined) continue;
    earliest = Math.min(earliest, columns.at);
    latest = Math.max(latest, columns.at);
    addHeads(bits, seenHeads, columns);
    const event = parseLine(body);
    // What is sealed, or no event at all, may say anything.
    if (event === undefined || typeof event["sealed"] === "string") head[HASH_BYTES + 16] = 1;
    else addTexts(text, seenTexts, event);
  }
  head.set(rows.at(-1)?.hash ?? new Uint8Array(HASH_BYTES));
  head.writeDoubleLE(earliest, HASH_BYTES);
  head.writeDoubleLE(latest, HASH_BYTES + 8);
  return { head, text };
}

function parseLine(body: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
