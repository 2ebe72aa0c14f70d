import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from "../../store/ed25519.ts";
import { isRecord } from "../../text/is-record.ts";
import { HASH_BYTES, toHex } from "./chain.ts";
import { isCheckpointSigned } from "./checkpoint.ts";
import { isNamedRight } from "./key-rows.ts";
import type { Checkpoint } from "./log-store.ts";

/** A checkpoint outside of its log: with the log's name and the key that signed it, so that it can be checked by itself. */
export type LooseCheckpoint = {
  readonly log: string;
  readonly checkpoint: Checkpoint;
  readonly publicKey: Uint8Array;
};

export function toCheckpointJson({ log, checkpoint, publicKey }: LooseCheckpoint): Record<string, unknown> {
  const { sequence, first, at, hash, root, key, signature } = checkpoint;
  return {
    log,
    sequence,
    first,
    at,
    hash: toHex(hash),
    root: toHex(root),
    key,
    publicKey: toHex(publicKey),
    signature: toHex(signature),
  };
}

/** Nothing where it is not one. Whether it is signed is another question. */
export function parseCheckpointJson(value: unknown): LooseCheckpoint | undefined {
  if (!isRecord(value)) return undefined;
  const { log, sequence, first, at, key } = value;
  const hash = parseHex(value["hash"], HASH_BYTES);
  const root = parseHex(value["root"], HASH_BYTES);
  const publicKey = parseHex(value["publicKey"], PUBLIC_KEY_BYTES);
  const signature = parseHex(value["signature"], SIGNATURE_BYTES);
  if (typeof log !== "string" || typeof key !== "string" || !isCount(sequence) || !isCount(first))
    return undefined;
  if (typeof at !== "number" || !hash || !root || !publicKey || !signature || first > sequence)
    return undefined;
  return { log, publicKey, checkpoint: { sequence, first, at, hash, root, key, signature } };
}

/** By the key that it names, which is the one that stands in it. */
export function isProperlySigned({ log, checkpoint, publicKey }: LooseCheckpoint): boolean {
  return (
    isNamedRight({ key: checkpoint.key, publicKey }) && isCheckpointSigned(log, checkpoint, { publicKey })
  );
}

export function parseHex(value: unknown, bytes: number): Buffer | undefined {
  if (typeof value !== "string" || value.length !== bytes * 2 || !/^[0-9a-f]*$/.test(value)) return undefined;
  return Buffer.from(value, "hex");
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
