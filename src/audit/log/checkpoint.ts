import { isSignedBy } from "../../store/ed25519.ts";
import type { SigningKey } from "./keys.ts";
import type { Checkpoint, Head, KeyRow } from "./log-store.ts";
import { toRoot } from "./merkle.ts";
import { toCheckpointText } from "./signed-texts.ts";

/** So many events under one root: then the checkpoint stays. */
export const CHECKPOINT_EVENTS = 1_024;

/** Whether it stays. One that is not is replaced by that of the next batch, which has all of its events and more. */
export function isKept(
  { first, sequence }: Pick<Checkpoint, "first" | "sequence">,
  checkpointEvents = CHECKPOINT_EVENTS,
): boolean {
  return sequence - first + 1 >= checkpointEvents;
}

export function createCheckpoint(
  logId: string,
  head: Head,
  { leaves, at, key }: { leaves: readonly Uint8Array[]; at: number; key: SigningKey },
): Checkpoint {
  const bare = {
    sequence: head.sequence,
    first: head.sequence - leaves.length + 1,
    at,
    hash: head.hash,
    root: toRoot(leaves),
    key: key.row.key,
  };
  return { ...bare, signature: key.sign(toCheckpointText(logId, bare)) };
}

/** Whether it says what this key's owner signed, for this log. */
export function isCheckpointSigned(
  logId: string,
  checkpoint: Checkpoint,
  { publicKey }: Pick<KeyRow, "publicKey">,
): boolean {
  return isSignedBy(publicKey, toCheckpointText(logId, checkpoint), checkpoint.signature);
}
