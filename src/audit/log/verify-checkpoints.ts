import { createPace } from "../../text/slices.ts";
import { isSameHash } from "./chain.ts";
import { isCheckpointSigned } from "./checkpoint.ts";
import { type Checkpoint, type KeyRow, type LogRow, type LogStore, PAGE_ROWS } from "./log-store.ts";
import { toRoot } from "./merkle.ts";
import type { ProblemList } from "./problems.ts";

export type CheckpointCheck = {
  add(row: LogRow): void;
  /** When all rows were seen. */
  finish(): void;
};

type CheckpointOptions = {
  readonly logId: string;
  readonly trusted: ReadonlyMap<string, KeyRow>;
  readonly problems: ProblemList;
};

/** After so many that are not ours, the others are not looked at: each takes as long as one of ours. */
const MAX_BAD = 100;

type StoredCheckpoints = {
  readonly stored: readonly Checkpoint[];
  /** Whether these are all that the log has. */
  readonly isAll: boolean;
};

/** Compares rows, in their order, with the checkpoints that cover them. */
export function createCheckpointCheck(stored: readonly Checkpoint[], problems: ProblemList): CheckpointCheck {
  let next = 0;
  let leaves: Uint8Array[] = [];

  function complain(sequence: number, message: string): void {
    problems.add({ kind: "checkpoint", sequence, message });
  }

  function close(checkpoint: Checkpoint, hash: Uint8Array | undefined): void {
    const { first, sequence, root } = checkpoint;
    const events = first === sequence ? `Event ${first}` : `Events ${first} to ${sequence}`;
    if (hash === undefined) complain(sequence, `${events}: what was signed there is missing`);
    else if (!isSameHash(hash, checkpoint.hash)) complain(first, `${events} are not those that were signed`);
    else if (leaves.length !== sequence - first + 1 || !isSameHash(toRoot(leaves), root))
      complain(first, `${events} do not make the tree that was signed`);
    leaves = [];
    next += 1;
  }

  return {
    add({ sequence, leaf, hash }) {
      for (let due = stored[next]; due !== undefined && due.sequence < sequence; due = stored[next])
        close(due, undefined);
      leaves.push(leaf);
      const due = stored[next];
      if (due?.sequence === sequence) close(due, hash);
    },
    finish() {
      for (let due = stored[next]; due !== undefined; due = stored[next]) close(due, undefined);
    },
  };
}

/** Reads them, and checks that they are signed, for this log, and follow each other without a gap. */
export async function readCheckpoints(
  store: Pick<LogStore, "checkpoints">,
  { logId, trusted, problems }: CheckpointOptions,
): Promise<StoredCheckpoints> {
  const stored: Checkpoint[] = [];
  const pace = createPace();
  let bad = 0;
  for (let expected = 1, from = 0; ; ) {
    const page = await store.checkpoints(from);
    for (const checkpoint of page) {
      await pace();
      const { sequence } = checkpoint;
      const message = findFault(checkpoint, expected, { logId, trusted });
      if (message !== undefined) {
        problems.add({
          kind: "checkpoint",
          sequence,
          message: `The checkpoint of event ${sequence} ${message}`,
        });
        bad += 1;
      }
      stored.push(checkpoint);
      if (bad === MAX_BAD) {
        const rest = `After ${MAX_BAD} checkpoints that are not right, no others were looked at, nor the events behind event ${sequence}`;
        problems.add({ kind: "checkpoint", sequence, message: rest });
        return { stored, isAll: false };
      }
      expected = sequence + 1;
    }
    if (page.length < PAGE_ROWS) return { stored, isAll: true };
    from = expected;
  }
}

function findFault(
  checkpoint: Checkpoint,
  expected: number,
  { logId, trusted }: Pick<CheckpointOptions, "logId" | "trusted">,
): string | undefined {
  const key = trusted.get(checkpoint.key);
  if (key === undefined) return `names key ${checkpoint.key.slice(0, 100)}, which does not count`;
  if (!isCheckpointSigned(logId, checkpoint, key)) return "is not what was signed";
  if (checkpoint.first === expected) return undefined;
  return `begins at event ${checkpoint.first}, and the one before ends at ${expected - 1}`;
}
