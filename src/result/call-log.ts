import { type ShownArguments, toShownArguments } from "./arguments-text.ts";
import { toSketch } from "./sketch.ts";

/** `unknown`: no answer came, so it may have been carried out. */
export type Outcome = "done" | "failed" | "unknown";

/** A call as a failed program's answer tells of it. */
export type ShownCall = {
  /** As it is written in a program: `crm.updateCustomer`. */
  readonly name: string;
  readonly outcome: Outcome;
  /** Of calls that may have changed something. */
  readonly written?: ShownArguments;
};

export type Callee = { readonly name: string; readonly isRead: boolean };

/** What a run's answer may have to tell of its calls. Kept short as the calls are made: results can be large, and many. */
export type CallLog = {
  readonly calls: readonly ShownCall[];
  /** What each tool returned last, the latest at the end. */
  readonly returned: ReadonlyMap<string, string>;
  start(callee: Callee, args: object): CallEntry;
};

export type CallEntry = { answered(value: unknown): void; failed(outcome: Outcome): void };

const MAX_RETURNED = 8;

export function createCallLog(): CallLog {
  const calls: ShownCall[] = [];
  const returned = new Map<string, string>();
  return {
    calls,
    returned,
    start({ name, isRead }, args) {
      const call = { name, ...(isRead ? {} : { written: toShownArguments(args) }) };
      const place = calls.push({ ...call, outcome: "unknown" }) - 1;
      return {
        answered(value) {
          calls[place] = { ...call, outcome: "done" };
          returned.delete(name);
          returned.set(name, toSketch(value));
          const [oldest] = returned.keys();
          if (returned.size > MAX_RETURNED && oldest !== undefined) returned.delete(oldest);
        },
        failed(outcome) {
          calls[place] = { ...call, outcome };
        },
      };
    },
  };
}
