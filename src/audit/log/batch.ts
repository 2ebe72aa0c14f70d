import { randomId } from "../../text/random-id.ts";
import { CHAIN_START, isSameHash, toChainHash } from "./chain.ts";
import { createCheckpoint, isKept } from "./checkpoint.ts";
import type { SigningKey } from "./keys.ts";
import type { Batch, Checkpoint, Head, LogRow, LogState } from "./log-store.ts";
import { toRoot } from "./merkle.ts";
import { toSpoolText } from "./signed-texts.ts";
import { type LooseRow, toLooseRow } from "./spool-lines.ts";

/** What a batch left: the next one need not read it again, unless another process wrote between. */
export type LogEnding = {
  readonly head: Head;
  readonly checkpoint: Checkpoint;
  /** Of the events under a checkpoint that does not stay. */
  readonly leaves: readonly Uint8Array[];
};

export type BatchOptions = {
  readonly logId: string;
  readonly key: SigningKey;
  readonly ending: LogEnding | undefined;
  /** The end was found forged, and reported: nothing that stands there is signed again, and what was signed stays as it is. */
  readonly isForged: boolean;
  readonly at: number;
  readonly checkpointEvents?: number | undefined;
  readonly taken: { readonly spool: string; readonly bytes: number };
};

/** Chains events to the log's end, and signs what comes of it. */
export function toBatch(
  state: LogState,
  loose: readonly LooseRow[],
  { logId, key, ending, isForged, at, checkpointEvents, taken }: BatchOptions,
): { readonly batch: Batch; readonly ending: LogEnding | undefined } {
  const { head } = state;
  const lastCheckpoint = isForged ? undefined : state.lastCheckpoint;
  const rows = toChained(head, loose.length > 0 ? [...toKeyNews(lastCheckpoint, key, at), ...loose] : []);
  const last = rows.at(-1);
  const end = last === undefined ? head : { sequence: last.sequence, hash: last.hash };
  if (end === undefined) throw new TypeError("A log begins with an event");
  const signed = { ...taken, end, proof: key.sign(toSpoolText(logId, { ...taken, end })) };
  if (last === undefined) {
    if (lastCheckpoint === undefined) throw new TypeError("An end that nobody signed is not gone on from");
    const { sequence } = lastCheckpoint;
    return { batch: { rows, checkpoint: lastCheckpoint, replacedFrom: sequence, taken: signed }, ending };
  }
  const replaced =
    lastCheckpoint === undefined || isKept(lastCheckpoint, checkpointEvents) ? undefined : lastCheckpoint;
  const open = replaced === undefined ? [] : isEnding(ending, state) ? ending.leaves : state.openLeaves;
  const leaves = [...open, ...rows.map(({ leaf }) => leaf)];
  const checkpoint = createCheckpoint(logId, end, { leaves, at, key });
  return {
    batch: { rows, checkpoint, replacedFrom: replaced?.sequence ?? (head?.sequence ?? 0) + 1, taken: signed },
    ending: { head: end, checkpoint, leaves: isKept(checkpoint, checkpointEvents) ? [] : leaves },
  };
}

/** Whether the log still is what this writer left. */
export function isEnding(
  ending: LogEnding | undefined,
  { head, lastCheckpoint }: LogState,
): ending is LogEnding {
  if (ending === undefined || head === undefined || lastCheckpoint === undefined) return false;
  return (
    head.sequence === ending.head.sequence &&
    isSameHash(head.hash, ending.head.hash) &&
    isSameHash(lastCheckpoint.signature, ending.checkpoint.signature)
  );
}

/** Whether the leaves that the next batch's root is made of are those that were signed before. */
export function areOpenLeavesSigned(state: LogState, checkpointEvents: number | undefined): boolean {
  const { lastCheckpoint } = state;
  if (lastCheckpoint === undefined || isKept(lastCheckpoint, checkpointEvents)) return true;
  const { first, sequence, root } = lastCheckpoint;
  const { openLeaves } = state;
  // Nodes of the tree in the place of its leaves would make the same root.
  return openLeaves.length === sequence - first + 1 && isSameHash(toRoot(openLeaves), root);
}

/** The first batch that another key signs says so. */
function toKeyNews(last: Checkpoint | undefined, { row }: SigningKey, at: number): LooseRow[] {
  if (last === undefined || last.key === row.key) return [];
  const details = { key: row.key, previous: last.key };
  return [toLooseRow({ id: randomId("e"), at, action: "audit.key", outcome: "ok", details })];
}

function toChained(head: Head | undefined, rows: readonly LooseRow[]): LogRow[] {
  let { sequence, hash } = head ?? { sequence: 0, hash: CHAIN_START };
  return rows.map((row) => {
    sequence += 1;
    hash = toChainHash(hash, row.leaf);
    return { ...row, sequence, hash };
  });
}
