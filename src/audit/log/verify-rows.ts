import { ownValue } from "../../text/own-value.ts";
import { type BadLink, toLinkProblems } from "./bad-links.ts";
import { CHAIN_START, isSameHash, toChainHash, toLeaf } from "./chain.ts";
import { COLUMN_NAMES, NO_COLUMNS, parseColumns, parseKnownColumns } from "./columns.ts";
import type { IdCheck } from "./id-check.ts";
import type { LogRow } from "./log-store.ts";
import type { LogProblem, ProblemList } from "./problems.ts";
import { findUncovered, parseTakenOut, type SequenceRange } from "./pruned-ranges.ts";

/** As many as are looked at for what has become of them. */
const MAX_BAD_LINKS = 200;

export type RowCheck = {
  add(row: LogRow): void;
  /** The chain's hash after the last row. */
  readonly hash: Uint8Array;
  readonly counts: {
    readonly events: number;
    readonly columns: number;
    readonly pruned: number;
    readonly unreadable: number;
  };
  /** What can be said when all rows were seen. */
  finish(): void;
  /** Those without a body that no event of retention names. */
  findUnexplained(more: readonly LogRow[]): readonly number[];
};

/** Looks at row after row, in the order of their sequences. */
export function createRowCheck(problems: ProblemList, ids: IdCheck): RowCheck {
  let before: Uint8Array = CHAIN_START;
  let expected = 1;
  let wasBad = false;
  const counts = { events: 0, columns: 0, pruned: 0, unreadable: 0 };
  const badLinks: BadLink[] = [];
  const emptied: [from: number, to: number][] = [];
  const explained: SequenceRange[] = [];

  function checkOrder({ sequence }: LogRow): void {
    if (sequence !== expected) {
      const what =
        sequence === expected + 1 ? `Event ${expected} is` : `Events ${expected} to ${sequence - 1} are`;
      problems.add({ kind: "removed", sequence: expected, message: `${what} missing` });
    }
    expected = sequence + 1;
  }

  function checkLink(row: LogRow, isAfterGap: boolean): void {
    const isBad = !isAfterGap && !isSameHash(toChainHash(before, row.leaf), row.hash);
    if (isBad && badLinks.length < MAX_BAD_LINKS) badLinks.push({ row, before, isFollowing: wasBad });
    else if (isBad && !wasBad) problems.add(toChanged(row, "its place in the chain"));
    wasBad = isBad;
    before = row.hash.length === before.length ? row.hash : CHAIN_START;
  }

  function checkBody(row: LogRow): void {
    const { sequence, body, columns } = row;
    if (body === undefined) {
      counts.pruned += 1;
      const last = emptied.at(-1);
      if (last !== undefined && last[1] === sequence - 1) last[1] = sequence;
      else emptied.push([sequence, sequence]);
      if (columns.id !== "") {
        counts.columns += 1;
        problems.add({
          kind: "column_changed",
          sequence,
          message: `Event ${sequence} was taken out, and has columns`,
        });
      }
      return;
    }
    const isSame = isSameHash(toLeaf(body), row.leaf);
    if (!isSame) problems.add(toChanged(row, "its content"));
    if (columns !== NO_COLUMNS) counts.columns += 1;
    const said = isSame ? parseKnownColumns(body) : parseColumns(body);
    if (said === undefined) {
      problems.add({ kind: "changed", sequence, message: `Event ${sequence} is not an event` });
      return;
    }
    ids.add(said.id, sequence);
    if (!COLUMN_NAMES.every((name) => said[name] === columns[name])) {
      const differing = COLUMN_NAMES.filter((name) => said[name] !== columns[name]);
      problems.add({
        kind: "column_changed",
        sequence,
        id: said.id,
        message: `Event ${sequence} has columns that say something else than it: ${differing.join(", ")}`,
      });
    }
    if (said.action === "audit.pruned")
      for (const range of parseTakenOut(body, sequence)) explained.push(range);
    if (said.action === "audit.broken") problems.add(toBroken(body, sequence, said.id));
    if (said.action === "audit.unreadable") counts.unreadable += 1;
  }

  return {
    add(row) {
      const isAfterGap = row.sequence !== expected;
      checkOrder(row);
      checkLink(row, isAfterGap);
      checkBody(row);
      counts.events += 1;
    },
    get hash() {
      return before;
    },
    counts,
    finish() {
      for (const problem of toLinkProblems(badLinks)) problems.add(problem);
    },
    findUnexplained(more) {
      for (const { body, sequence, columns } of more)
        if (body !== undefined && columns.action === "audit.pruned")
          for (const range of parseTakenOut(body, sequence)) explained.push(range);
      return findUncovered(emptied, explained);
    },
  };
}

function toChanged({ sequence, columns }: LogRow, what: string): LogProblem {
  const id = columns.id === "" ? {} : { id: columns.id };
  return {
    kind: "changed",
    sequence,
    ...id,
    message: `Event ${sequence} was changed: ${what} is not what was hashed`,
  };
}

/** The log's writer found it. */
function toBroken(body: string, sequence: number, id: string): LogProblem {
  const value: unknown = JSON.parse(body);
  const message = ownValue(ownValue(value, "details"), "message");
  return {
    kind: "broken",
    sequence,
    id,
    message: `Found before event ${sequence} was written: ${String(message).slice(0, 500)}`,
  };
}
