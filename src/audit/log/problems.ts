export type ProblemKind =
  | "changed"
  | "removed"
  | "inserted"
  | "reordered"
  | "truncated"
  | "column_changed"
  | "duplicate"
  | "pruned"
  | "checkpoint"
  | "key"
  | "spool"
  /** The store has something beside the log's tables, or is damaged. */
  | "store"
  /** It was found when the log was written to, and is remembered. */
  | "broken";

export type LogProblem = {
  readonly kind: ProblemKind;
  /** Of the event, or of the first one where it is several. */
  readonly sequence?: number;
  readonly id?: string;
  readonly message: string;
};

const MAX_PROBLEMS = 100;

/** The first hundred, and how many there are. */
export type ProblemList = {
  add(problem: LogProblem): void;
  /** Before those that are there. */
  addFirst(problem: LogProblem): void;
  readonly problems: readonly LogProblem[];
  readonly count: number;
};

export function createProblemList(): ProblemList {
  const problems: LogProblem[] = [];
  let count = 0;
  return {
    add(problem) {
      count += 1;
      if (problems.length < MAX_PROBLEMS) problems.push(problem);
    },
    addFirst(problem) {
      count += 1;
      problems.unshift(problem);
      problems.splice(MAX_PROBLEMS);
    },
    problems,
    get count() {
      return count;
    },
  };
}
