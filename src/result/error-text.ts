import type { TokenCounter } from "../tokens/tokens.ts";
import type { ShownCall } from "./call-log.ts";
import { toCallsText } from "./calls-text.ts";
import { cutEnd } from "./fit.ts";
import { sliceStart, toVisibleLines } from "./safe-text.ts";

export type ShownError = {
  readonly kind: string;
  readonly message: string;
  /** Both from 1. */
  readonly location?: { readonly line: number; readonly column: number };
  /** Where it happened, if not in the program itself but in a skill. */
  readonly inSkill?: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly text: string;
  };
  readonly hint?: string;
  /** The class of what was thrown. */
  readonly name?: string;
};

/** What an error is explained with. */
export type ErrorContext = {
  readonly calls: readonly ShownCall[];
  readonly returned?: ReadonlyMap<string, string>;
  readonly code?: string;
};

/** Of the room. What they leave is the message's. */
const CALLS_SHARE = 0.4;
const ABOUT_SHARE = 0.3;
const MAX_LINE = 160;
const MAX_RETURNED = 3;
const MAX_SKETCH = 400;
/** These say no more than `error`, or which call it was, and that stands in the message. */
const PLAIN = new Set(["Error", "ToolError"]);
/** The classes of errors by which JavaScript says that a value is not what was expected of it. */
const ABOUT_VALUES = new Set(["TypeError", "SyntaxError", "RangeError"]);

/**
 * What went wrong, where, what to do, and which calls had been made by then: a program that failed half-way may have
 * changed things, and the next one must not do them again.
 */
export function toErrorText(
  error: ShownError,
  { calls, returned = new Map(), code }: ErrorContext,
  budgetTokens: number,
  counter: TokenCounter,
): string {
  // A message may quote a whole result: what helps to go on comes after it and must not be pushed out.
  const callsText = toCallsText(calls, budgetTokens * CALLS_SHARE, counter);
  const hint = error.hint === undefined ? [] : [`hint: ${visible(error.hint)}`];
  const about = [
    ...skillExcerpt(error),
    ...excerpt(error, code),
    ...hint,
    ...returnedLines(error, returned),
  ].join("\n");
  const aboutText = cutEnd(about, budgetTokens * ABOUT_SHARE, counter);
  const rest = [aboutText, callsText].filter((text) => text !== "").join("\n");
  const message = `error (${visible(error.kind)}): ${visible(toSentence(error))}`;
  const head = cutEnd(message, Math.max(0, budgetTokens - counter.count(`\n${rest}`) - 1), counter);
  return cutEnd(`${head}\n${rest}`, budgetTokens, counter);
}

/** With the class of what was thrown, where it says more than that it was an error: `ValueError: boom`. */
function toSentence({ kind, name, message }: ShownError): string {
  if (kind !== "exception" || name === undefined || PLAIN.has(name)) return message;
  return message === "" ? name : message.startsWith(name) ? message : `${name}: ${message}`;
}

function skillExcerpt({ inSkill }: ShownError): string[] {
  if (inSkill === undefined) return [];
  const { file, line, column, text } = inSkill;
  return [`at ${visible(file)}:${line}:${column}: ${toVisibleLines(text.slice(0, MAX_LINE)).trim()}`];
}

function excerpt(error: ShownError, code: string | undefined): string[] {
  const { location } = error;
  if (location === undefined) return [];
  const line = code?.split("\n")[location.line - 1];
  const place = `at line ${location.line}, column ${location.column}`;
  if (line === undefined) return [place];
  const start = Math.max(0, location.column - 1 - MAX_LINE / 2);
  const shown = line.slice(start, start + MAX_LINE);
  return [`${place}: ${start > 0 ? "…" : ""}${toVisibleLines(shown).trim()}`];
}

/**
 * What the calls returned last, when the program stumbled over some value: a result that is not what it was taken for is
 * the likeliest cause.
 */
function returnedLines({ kind, name }: ShownError, returned: ReadonlyMap<string, string>): string[] {
  if (kind !== "exception" || name === undefined || !ABOUT_VALUES.has(name)) return [];
  return [...returned]
    .slice(-MAX_RETURNED)
    .map(([tool, sketch]) => `${visible(tool)} returned ${sliceStart(sketch, MAX_SKETCH)}`);
}

function visible(text: string): string {
  // Cut first: a message can be as long as whatever a server sent.
  return toVisibleLines(sliceStart(text, 20_000));
}
