import { loadTokenCounter, type TokenCounter } from "../tokens/tokens.ts";
import { describeBinary } from "./binary.ts";
import type { ShownCall } from "./call-log.ts";
import { type ShownError, toErrorText } from "./error-text.ts";
import { cutEnd, isWithin, toMaxChars } from "./fit.ts";
import { toJsonText } from "./json-text.ts";
import { createKeeper, type Part } from "./keep.ts";
import { type ShownLog, toLogSummary, toShortLog } from "./log-text.ts";
import { toVisibleLines, toVisibleText } from "./safe-text.ts";
import { toSummary, toWholeTable } from "./summary.ts";

export const DEFAULT_BUDGET_TOKENS = 2000;
/** Less has no room for a result and for where the rest of it is. */
export const MIN_BUDGET_TOKENS = 100;

/** What a run left behind. */
export type RunOutput = {
  readonly runId: string;
  readonly logs: readonly ShownLog[];
  /** Undefined: nothing was returned. */
  readonly result?: unknown;
  /** What to write instead, where nothing was returned or printed. */
  readonly hint?: string;
  readonly error?: ShownError;
  /** Told where there is an error. */
  readonly calls: readonly ShownCall[];
  /** What kind of value each tool returned last, by its name in a program. */
  readonly returned?: ReadonlyMap<string, string>;
  /** The program, for the line that failed. */
  readonly code?: string;
  readonly language?: "typescript" | "python";
  /** What is saved where it does not fit, if that is not what is shown. */
  readonly whole?: Pick<RunOutput, "logs" | "result">;
};

export type ModelTextOptions = {
  readonly budgetTokens?: number;
  /** Keeps what does not fit, and returns the path under which a program reads it. May fail. */
  save(name: string, content: string): Promise<string>;
};

export type ModelText = {
  readonly text: string;
  readonly tokens: number;
  /** Whether all the run left is in the text. */
  readonly isWhole: boolean;
  readonly saved: readonly string[];
};

const NOTHING = "The program returned nothing and printed nothing";
const NOTHING_HINTS = { typescript: "Use return or console.log", python: "Use return or print" };
const MAX_NOTICES = 3;
const RESULT_SHARE = 0.6;
/** Below this JSON is shown as it is; a table would be no great saving. */
const TABLE_FROM_TOKENS = 150;
const TABLE_GAIN = 0.85;
const MAX_ATTEMPTS = 6;
/** `logs:` and its line. */
const LABEL_TOKENS = 4;

/**
 * What the model sees of a run, never more than the budget: short things as they are; of longer ones the shape and
 * samples, with the place where the whole is and how to read it.
 */
export async function toModelText(output: RunOutput, options: ModelTextOptions): Promise<ModelText> {
  const counter = await loadTokenCounter();
  const budget = Math.max(MIN_BUDGET_TOKENS, Math.floor(options.budgetTokens ?? DEFAULT_BUDGET_TOKENS));
  const error = output.error && toErrorText(output.error, output, budget / 2, counter);
  const json = output.result === undefined ? undefined : toJson(output);
  const keeper = createKeeper(output, json, options.save);
  const done = (text: string) => {
    const { saved } = keeper;
    return {
      text,
      tokens: counter.count(text),
      isWhole: saved.size === 0 && !keeper.hasFailed,
      saved: [...saved],
    };
  };
  let footer = "";
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    // Joined texts can cost a token or two more than their sum; each attempt leaves more room for that.
    const spent = counter.count(joinTexts([error, footer])) + 2 * attempt ** 2;
    const parts = toParts(output, json, budget - spent, counter);
    await keeper.keep(parts);
    const text = joinTexts([error, ...parts.map((part) => part.text), footer]);
    const told = toFooter(keeper.footers, budget, counter);
    if (told === footer && isWithin(text, budget, counter)) return done(text);
    footer = told;
  }
  const left = budget - counter.count(`\n${footer}`) - 1;
  return done(joinTexts([cutEnd(error ?? "", left, counter), footer]));
}

/** In full words if they leave half of the room; the paths alone may take most of it, since without them the rest is lost. */
function toFooter(footers: readonly string[], budget: number, counter: TokenCounter): string {
  const [full = "", short = ""] = footers;
  if (isWithin(full, budget / 2, counter)) return full;
  return isWithin(short, budget * 0.9, counter) ? short : "";
}

/** Text is shown and saved as text: no need to write it as JSON first. */
function toJson({ result }: RunOutput): string {
  return typeof result === "string" ? "" : toJsonText(result);
}

function toParts(output: RunOutput, json: string | undefined, room: number, counter: TokenCounter): Part[] {
  const { logs, result } = output;
  const isSilent = json === undefined && output.error === undefined && logs.every(({ isNotice }) => isNotice);
  const nothing = `${NOTHING}. ${output.hint ?? NOTHING_HINTS[output.language ?? "typescript"]}`;
  if (isSilent) {
    const notices = logs
      .map(({ text }) => cutEnd(toVisibleLines(text), room / 4, counter))
      .slice(0, MAX_NOTICES);
    return [{ of: "nothing", text: [nothing, ...notices].join("\n"), isWhole: true }];
  }
  if (json === undefined && logs.length === 0) return [];
  const isPrinted = logs.some(({ isNotice }) => !isNotice);
  if (json === undefined && (output.error === undefined || !isPrinted)) return [logPart(logs, room, counter)];
  if (json === undefined) {
    const log = logPart(logs, room - LABEL_TOKENS, counter);
    return [{ ...log, text: `logs:\n${log.text}` }];
  }
  if (logs.length === 0) return [resultPart(result, json, room, counter)];
  // Each may take what the other does not need of its share.
  const logShort = toShortLog(logs, room - LABEL_TOKENS, counter);
  const logTokens = logShort === undefined ? room : counter.count(logShort);
  const resultRoom = Math.max(room * RESULT_SHARE, room - logTokens) - 2 * LABEL_TOKENS;
  const shown = resultPart(result, json, resultRoom, counter);
  const log = logPart(logs, room - counter.count(shown.text) - 2 * LABEL_TOKENS, counter);
  return [
    { ...log, text: `logs:\n${log.text}` },
    { ...shown, text: `result:\n${shown.text}` },
  ];
}

function logPart(logs: readonly ShownLog[], room: number, counter: TokenCounter): Part {
  const short = toShortLog(logs, room, counter);
  if (short !== undefined) return { of: "log", text: short, isWhole: true };
  return { of: "log", text: toLogSummary(logs, room, counter), isWhole: false };
}

function resultPart(value: unknown, json: string, room: number, counter: TokenCounter): Part {
  if (typeof value === "string") {
    const isShort = value.length <= toMaxChars(room) && describeBinary(value) === undefined;
    const text = isShort ? toVisibleLines(value) : "";
    if (isShort && isWithin(text, room, counter)) return { of: "result", text, isWhole: true };
  } else if (json.length <= toMaxChars(room) && !hasBinary(value)) {
    const text = toVisibleText(json);
    const isFitting = isWithin(text, room, counter);
    const tokens = isFitting ? counter.count(text) : room;
    if (isFitting && tokens < TABLE_FROM_TOKENS) return { of: "result", text, isWhole: true };
    const table = toWholeTable(value, json, Math.floor(isFitting ? tokens * TABLE_GAIN : room), counter);
    if (table !== undefined) return { of: "result", text: table, isWhole: true };
    if (isFitting) return { of: "result", text, isWhole: true };
  }
  return { of: "result", text: toSummary(value, room, counter), isWhole: false };
}

/** Only asked of values whose JSON is short, which bounds the walk but not its depth: hence no recursion. */
function hasBinary(root: unknown): boolean {
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (describeBinary(value) !== undefined) return true;
    if (typeof value !== "object" || value === null) continue;
    for (const nested of Object.values(value)) pending.push(nested);
  }
  return false;
}

function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== "").join("\n");
}
