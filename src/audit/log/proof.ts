import { KeyholeError } from "../../errors.ts";
import { isRecord } from "../../text/is-record.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { CHAIN_START, HASH_BYTES, isSameHash, toChainHash, toHex, toLeaf } from "./chain.ts";
import {
  isProperlySigned,
  type LooseCheckpoint,
  parseCheckpointJson,
  parseHex,
  toCheckpointJson,
} from "./checkpoint-json.ts";
import { parseColumns } from "./columns.ts";
import { parseKeyRow, toAncestry, toKeyJson } from "./key-rows.ts";
import type { KeyRow, LogRow, LogStore } from "./log-store.ts";
import { isIncluded, toInclusionPath } from "./merkle.ts";
import { createProblemList } from "./problems.ts";
import { findTrustedKeys, type KnownKey } from "./trusted-keys.ts";

const KIND = "keyhole audit proof v1";
const MAX_PROOF_LETTERS = 32 * 1024 * 1024;
/** A tree of so many levels has more leaves than there are numbers. */
const MAX_PATH = 64;
const MAX_KEYS = 10_000;

/** That one event stands in a log: its line, the way to a signed root, and the keys on the way to the one that signed. */
export type EventProof = {
  readonly event: string;
  readonly sequence: number;
  readonly path: readonly Uint8Array[];
  readonly signed: LooseCheckpoint;
  readonly keys: readonly KeyRow[];
};

export type ProofCheck =
  | {
      readonly ok: true;
      readonly log: string;
      readonly sequence: number;
      /** As it was written; sealed details are still sealed. */
      readonly event: Readonly<Record<string, unknown>>;
      /** When it was signed, and by which key. */
      readonly signedAt: number;
      readonly key: string;
      /** Whether the key is one that was given, or endorsed by such a one. Without that, only who made the key is proved. */
      readonly isKeyKnown: boolean;
    }
  | { readonly ok: false; readonly message: string };

/** By the first checkpoint that covers the event; that of the log's end, where none stays yet. */
export async function proveEvent(store: LogStore, logId: string, id: string): Promise<EventProof> {
  const row = await store.rowOfEvent(id);
  if (row?.body === undefined)
    throw new KeyholeError("usage", `No event "${id.slice(0, 100)}" is in the log`, {
      hint: "keyhole audit list shows their ids; one that retention took out is in its archive, and keyhole audit verify tells of one whose id was changed",
    });
  assertNamed(row, row.body, id);
  const [checkpoint] = await store.checkpoints(row.sequence);
  const keys = await store.keys();
  const key = keys.find((one) => one.key === checkpoint?.key);
  if (checkpoint === undefined || key === undefined) throw unprovable(row.sequence);
  const signed = { log: logId, checkpoint, publicKey: key.publicKey };
  if (!isProperlySigned(signed)) throw unprovable(row.sequence);
  const { first, sequence } = checkpoint;
  const [before] = first > 1 ? await store.rows(first - 1, 1) : [];
  const covered = await store.rows(first, sequence - first + 1);
  if (!isSameHash(toEndHash(before, covered), checkpoint.hash)) throw unprovable(row.sequence);
  const leaves = covered.map(({ leaf }) => leaf);
  const path = toInclusionPath(leaves, row.sequence - first);
  const proof = { event: row.body, sequence: row.sequence, path, signed, keys: toAncestry(key, keys) };
  if (findFault(proof) !== undefined) throw unprovable(row.sequence);
  return proof;
}

/** It was found by a column, which is not signed: what is signed must have that id. */
function assertNamed({ sequence }: LogRow, body: string, id: string): void {
  const signedId = parseColumns(body)?.id;
  if (signedId === id) return;
  const said = signedId === undefined ? "is no event" : `has the id "${toExcerpt(signedId, 100)}"`;
  throw new KeyholeError(
    "store_unusable",
    `Event ${sequence} is called "${toExcerpt(id, 100)}" by its columns, but what was written there ${said}: the columns were changed, and nothing is proved by that name`,
    { hint: "keyhole audit verify says what else is wrong with the log" },
  );
}

/** The root alone says nothing of the chain, in which the event must stand as well. */
function toEndHash(before: LogRow | undefined, rows: readonly LogRow[]): Uint8Array {
  let hash = before?.hash ?? CHAIN_START;
  for (const { leaf } of rows) hash = toChainHash(hash, leaf);
  return hash;
}

export function toProofJson({ event, sequence, path, signed, keys }: EventProof): string {
  const proof = {
    proof: KIND,
    event,
    sequence,
    path: path.map(toHex),
    checkpoint: toCheckpointJson(signed),
    keys: keys.map((row) => JSON.parse(toKeyJson(row))),
  };
  return `${JSON.stringify(proof, null, 2)}\n`;
}

/** Checks it by itself: no log is needed, nor anything of the machine where it was made. */
export function checkProof(text: string, known: readonly KnownKey[]): ProofCheck {
  const proof = parseProofJson(text);
  if (proof === undefined) return { ok: false, message: "The file is not a proof of an event" };
  const message = findFault(proof);
  if (message !== undefined) return { ok: false, message };
  const { signed, sequence } = proof;
  const event: unknown = JSON.parse(proof.event);
  if (!isRecord(event)) return { ok: false, message: "What is proved is not an event" };
  const isKeyKnown = isTrusted(signed, proof.keys, known);
  const { key, at } = signed.checkpoint;
  return { ok: true, log: signed.log, sequence, event, signedAt: at, key, isKeyKnown };
}

function isTrusted(
  { checkpoint, publicKey }: LooseCheckpoint,
  keys: readonly KeyRow[],
  known: readonly KnownKey[],
): boolean {
  if (known.some((one) => one.key === checkpoint.key && isSameHash(one.publicKey, publicKey))) return true;
  const trusted = findTrustedKeys(keys, known, createProblemList()).get(checkpoint.key);
  return trusted !== undefined && isSameHash(trusted.publicKey, publicKey);
}

function findFault({ event, sequence, path, signed }: EventProof): string | undefined {
  const { checkpoint } = signed;
  if (!isProperlySigned(signed)) return "The checkpoint is not signed by the key that it names";
  const size = checkpoint.sequence - checkpoint.first + 1;
  const inclusion = { index: sequence - checkpoint.first, size, path, root: checkpoint.root };
  return isIncluded(toLeaf(event), inclusion)
    ? undefined
    : `The event does not stand at ${sequence} in what was signed`;
}

function parseProofJson(text: string): EventProof | undefined {
  if (text.length > MAX_PROOF_LETTERS) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value["proof"] !== KIND) return undefined;
  const { event, sequence, path, keys } = value;
  const signed = parseCheckpointJson(value["checkpoint"]);
  if (typeof event !== "string" || typeof sequence !== "number" || signed === undefined) return undefined;
  if (!Array.isArray(path) || path.length > MAX_PATH || !Array.isArray(keys) || keys.length > MAX_KEYS)
    return undefined;
  const hashes = path.map((hash) => parseHex(hash, HASH_BYTES));
  const rows = keys.map((key) => parseKeyRow(JSON.stringify(key)));
  if (hashes.includes(undefined) || rows.includes(undefined)) return undefined;
  return {
    event,
    sequence,
    path: hashes.filter((hash) => hash !== undefined),
    signed,
    keys: rows.filter((row) => row !== undefined),
  };
}

function unprovable(sequence: number): KeyholeError {
  return new KeyholeError(
    "store_unusable",
    `Event ${sequence} can't be proved: the log is not what was signed`,
    {
      hint: "keyhole audit verify says what is wrong with it",
    },
  );
}
