import { fromArgumentsLine, type ShownArguments, toShownArguments } from "./arguments-text.ts";
import { toSketch } from "./sketch.ts";

/** `unknown`: no answer came, so it may have been carried out. `unsent`: it never went out, for it was denied or not allowed yet. */
export type CallOutcome = "done" | "failed" | "unknown" | "unsent";

/** A call as a failed program's answer tells of it. */
export type ShownCall = {
  /** As it is written in a program: `crm.updateCustomer`. */
  readonly name: string;
  readonly outcome: CallOutcome;
  /** Of calls that may have changed something. */
  readonly written?: ShownArguments;
};

export type Callee = { readonly name: string; readonly isRead: boolean };

/**
 * What a run's answer may have to tell of its calls. Short texts are made of arguments and results when a program has
 * failed; of large ones, and of those after very many, at once, so that they need not be kept.
 */
export type CallLog = {
  readonly calls: readonly ShownCall[];
  /** What kind of value each tool returned last, the latest at the end. */
  readonly returned: ReadonlyMap<string, string>;
  start(callee: Callee, args: object, trace?: CallFate): LoggedCall;
};

/** What becomes of a call while it is under way. */
export type CallFate = {
  /** It went out. */
  readonly isSent: boolean;
  /** Other arguments than the program's, which it was made with; or the line that is left of them. */
  readonly args?: object | string;
};

export type LoggedCall = {
  answered(value: unknown, size?: CallSize): void;
  failed(outcome: CallOutcome, size?: CallSize): void;
};

/** In characters of JSON. */
export type CallSize = { readonly args: number; readonly result: number };

type Entry = {
  readonly callee: Callee;
  outcome: CallOutcome | undefined;
  readonly trace: CallFate;
  /** Of a call that may have changed something. */
  written?: () => ShownArguments;
};

const MAX_RETURNED = 8;
const LARGE_ARGUMENTS = 1_000;
/** Of all calls together: kept as values they take up to thirty times their characters. */
const KEPT_ARGUMENTS = 100_000;
const LARGE_RESULT = 10_000;
const SENT = { isSent: true };
const SMALL: CallSize = { args: 0, result: 0 };

/** @param toTold what may be told of a value, before anything of it is cut */
export function createCallLog(toTold: (value: unknown) => unknown = (value) => value): CallLog {
  const entries: Entry[] = [];
  const results = new Map<string, () => string>();
  let keptChars = 0;

  function noteReturned(name: string, value: unknown, chars: number): void {
    results.delete(name);
    results.set(
      name,
      toLater(() => toSketch(typeof value === "string" ? toTold(value) : value), chars > LARGE_RESULT),
    );
    const [oldest] = results.keys();
    if (results.size > MAX_RETURNED && oldest !== undefined) results.delete(oldest);
  }

  return {
    get calls() {
      return entries.map(({ callee, outcome, trace, written }) => ({
        name: callee.name,
        outcome: outcome ?? (trace.isSent ? "unknown" : "unsent"),
        ...(written === undefined ? {} : { written: written() }),
      }));
    },
    get returned() {
      return new Map([...results].map(([name, sketch]) => [name, sketch()]));
    },
    start(callee, args, trace = SENT) {
      const entry: Entry = { callee, outcome: undefined, trace };
      if (!callee.isRead) entry.written = () => toWritten(toTold(trace.args ?? args));
      entries.push(entry);
      const end = (outcome: CallOutcome, { args: chars }: CallSize) => {
        entry.outcome = outcome;
        if (!entry.written) return;
        const isLarge =
          chars > LARGE_ARGUMENTS || keptChars + chars > KEPT_ARGUMENTS || trace.args !== undefined;
        if (!isLarge) keptChars += chars;
        entry.written = toLater(entry.written, isLarge);
      };
      return {
        answered(value, size = SMALL) {
          end("done", size);
          noteReturned(callee.name, value, size.result);
        },
        failed: (outcome, size = SMALL) => end(outcome, size),
      };
    },
  };
}

function toWritten(args: unknown): ShownArguments {
  if (typeof args === "string") return fromArgumentsLine(args);
  return toShownArguments(typeof args === "object" && args !== null ? args : {});
}

function toLater<T>(make: () => T, isNow: boolean): () => T {
  if (!isNow) return make;
  const made = make();
  return () => made;
}
