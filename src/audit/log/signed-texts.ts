import { toHex } from "./chain.ts";
import type { Checkpoint, KeyRow, TakenSpool } from "./log-store.ts";

/*
 * What is signed: lines of text, the first of which says what it is, so that no signature counts for anything else.
 * docs/audit-proof.md has the same for whoever writes another verifier.
 */

export function toCheckpointText(logId: string, checkpoint: Omit<Checkpoint, "signature">): Buffer {
  const { first, sequence, hash, root, at, key } = checkpoint;
  return toText("keyhole audit checkpoint v1", [logId, first, sequence, toHex(hash), toHex(root), at, key]);
}

/** Signed by the key before it; the first key signs its own. */
export function toEndorsedText({ key, publicKey, since, previous }: Omit<KeyRow, "endorsement">): Buffer {
  return toText("keyhole audit key v1", [key, toHex(publicKey), since, previous ?? "-"]);
}

/** That a spool is in the log up to this byte, where the log has this event. Its name is a file's, and has no line breaks. */
export function toSpoolText(logId: string, { spool, bytes, end }: Omit<TakenSpool, "proof">): Buffer {
  const lines = [logId, encodeURIComponent(spool), bytes, end.sequence, toHex(end.hash)];
  return toText("keyhole audit spool v1", lines);
}

function toText(what: string, lines: readonly (string | number)[]): Buffer {
  return Buffer.from(`${[what, ...lines].join("\n")}\n`, "utf8");
}
