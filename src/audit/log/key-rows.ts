import { isPublicKey, isSignedBy, toKeyId } from "../../store/ed25519.ts";
import { isRecord } from "../../text/is-record.ts";
import { toHex } from "./chain.ts";
import type { KeyRow } from "./log-store.ts";
import { toEndorsedText } from "./signed-texts.ts";

export function toKeyJson({ key, publicKey, since, previous, endorsement }: KeyRow): string {
  const hex = endorsement === null ? null : toHex(endorsement);
  return `${JSON.stringify({ key, publicKey: toHex(publicKey), since, previous, endorsement: hex })}\n`;
}

export function parseKeyRow(text: string): KeyRow | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { key, publicKey, since, previous, endorsement } = value;
  if (typeof key !== "string" || typeof publicKey !== "string" || typeof since !== "number") return undefined;
  if (previous !== null && typeof previous !== "string") return undefined;
  const row = {
    key,
    publicKey: Buffer.from(publicKey, "hex"),
    since,
    previous,
    endorsement: typeof endorsement === "string" ? Buffer.from(endorsement, "hex") : null,
  };
  return isNamedRight(row) ? row : undefined;
}

/** A key's name is made from it: no row can give it another. */
export function isNamedRight({ key, publicKey }: Pick<KeyRow, "key" | "publicKey">): boolean {
  return isPublicKey(publicKey) && toKeyId(publicKey) === key;
}

/** Whether a key was given its place by another; the first one by itself. */
export function isEndorsedBy(row: KeyRow, by: KeyRow): boolean {
  if (by.key !== (row.previous ?? row.key) || row.endorsement === null) return false;
  return isSignedBy(by.publicKey, toEndorsedText(row), row.endorsement);
}

/** A key, and before it those that endorsed it, the oldest first. */
export function toAncestry(row: KeyRow, known: readonly KeyRow[]): readonly KeyRow[] {
  const line = [row];
  for (let first: KeyRow | undefined = row; first !== undefined; ) {
    const previous: string | null = first.previous;
    first = known.find(({ key }) => key === previous && !line.some((one) => one.key === key));
    if (first !== undefined) line.unshift(first);
  }
  return line;
}
