import { readFile } from "node:fs/promises";
import { KeyholeError } from "../errors.ts";

/** Made by `npm run build`. */
const FILE = new URL("../../dist/tokens/o200k.bin", import.meta.url);

/** Slots of the hash table; a bit under half of them are taken. */
const SLOTS = 1 << 19;

export const NO_RANK = Number.POSITIVE_INFINITY;

/** The tokens of an encoding. In three flat arrays, 6 MB: as a map of strings they take ten times that. */
export type TokenTable = {
  /** Splits a text into the pieces that are encoded each by itself; has the flag `g`. */
  readonly split: RegExp;
  /** The rank of the token with these bytes: the lower, the earlier it was merged. */
  rankOf(bytes: Uint8Array, start: number, end: number): number;
};

export async function loadTokenTable(): Promise<TokenTable> {
  const file = await readFile(FILE).catch((cause: unknown) => {
    throw new KeyholeError("internal", "Keyhole's table of tokens is missing", {
      hint: "Run `npm run build`, or install Keyhole again",
      cause,
    });
  });
  const headerEnd = file.indexOf("\n");
  const header: { split: string; flags: string; tokens: number } = JSON.parse(
    file.toString("utf8", 0, headerEnd),
  );
  // Where each token's bytes begin; its length is the byte before.
  const offsets = new Uint32Array(header.tokens);
  const slots = new Int32Array(SLOTS).fill(-1);
  let offset = headerEnd + 2;
  for (let rank = 0; rank < header.tokens; rank++) {
    const length = file[offset - 1] ?? 0;
    offsets[rank] = offset;
    let slot = hash(file, offset, offset + length);
    while (slots[slot] !== -1) slot = (slot + 1) & (SLOTS - 1);
    slots[slot] = rank;
    offset += length + 1;
  }
  return {
    split: new RegExp(header.split, header.flags),
    rankOf(bytes, start, end) {
      for (let slot = hash(bytes, start, end); ; slot = (slot + 1) & (SLOTS - 1)) {
        const rank = slots[slot] ?? -1;
        if (rank === -1) return NO_RANK;
        const at = offsets[rank] ?? 0;
        if (file[at - 1] === end - start && isSame(file, at, bytes, start, end)) return rank;
      }
    },
  };
}

/** FNV-1a, with the bits spread once more: short tokens would lie side by side. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let index = start; index < end; index++) value = Math.imul(value ^ (bytes[index] ?? 0), 0x01000193);
  return (value ^ (value >>> 15)) & (SLOTS - 1);
}

function isSame(table: Uint8Array, at: number, bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    if (table[at + index - start] !== bytes[index]) return false;
  }
  return true;
}
