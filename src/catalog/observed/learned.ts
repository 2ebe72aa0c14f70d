import { isRecord } from "../../text/is-record.ts";
import type { Contradiction } from "../tool.ts";
import { isNoResultSentence, saysNothingFound } from "./no-result.ts";
import { observe } from "./observe.ts";
import { createPartPace } from "./part-pace.ts";
import { countParts } from "./settle.ts";
import { emptyShape, mergeInto, type Shape } from "./shape.ts";
import { parseStoredShape, toStoredShape } from "./stored-shape.ts";

/** What was learned of one tool, in one version of it. */
export type Learned = {
  /** Results that were looked at. */
  calls: number;
  shape: Shape;
  /** How the tool says that there is nothing: the one text that it was seen to return. Nothing once there was another. */
  noResult?: string;
  hasOtherTexts: boolean;
  /** Where results contradicted the declared schema, by what is said of it. */
  contradictions: Map<string, Contradiction>;
};

/** One server's file. `key` is the tool's definition and the server's version: with another one it is another tool. */
export type LearnedTools = Map<
  string,
  { readonly key: string; readonly at: string; readonly learned: Learned }
>;

const FORMAT = 3;
const MAX_TOOLS = 500;
const MAX_FILE_CHARACTERS = 2 * 1024 * 1024;
const MAX_CONTRADICTIONS = 20;

export function emptyLearned(): Learned {
  return { calls: 0, shape: emptyShape(), hasOtherTexts: false, contradictions: new Map() };
}

export function isEmpty({ calls, contradictions }: Learned): boolean {
  return calls === 0 && contradictions.size === 0;
}

const PARTS_OF_ANYTHING = 4;
const CHARACTERS_A_PART = 64;

/** What it takes in memory, in parts of a shape. */
export function weigh({ shape, contradictions }: Learned): number {
  let parts = PARTS_OF_ANYTHING + countParts(shape);
  for (const said of contradictions.keys()) parts += 1 + Math.ceil(said.length / CHARACTERS_A_PART);
  return parts;
}

/** Adds one result. `known` is what earlier ones taught. */
export function learnFrom(into: Learned, value: unknown, tool: string, known: Learned = into): void {
  observe(into.shape, value, known.shape);
  into.calls++;
  if (typeof value === "string") addText(into, saysNothingFound(value, tool) ? value : undefined);
}

/** Without a text: one that is no such sentence. */
function addText(into: Learned, noResult: string | undefined): void {
  if (noResult === undefined || (into.noResult ?? noResult) !== noResult) into.hasOtherTexts = true;
  if (into.hasOtherTexts) delete into.noResult;
  else if (noResult !== undefined) into.noResult = noResult;
}

export function addLearned(into: Learned, other: Learned): void {
  into.calls += other.calls;
  mergeInto(into.shape, other.shape);
  if (other.hasOtherTexts || other.noResult !== undefined) addText(into, other.noResult);
  for (const contradiction of other.contradictions.values()) addContradiction(into, contradiction);
}

export function addContradiction({ contradictions }: Learned, { count, ...place }: Contradiction): void {
  const key = JSON.stringify([place.path, place.expected, place.seen]);
  const known = contradictions.get(key);
  if (known === undefined && contradictions.size >= MAX_CONTRADICTIONS) return;
  contradictions.set(key, { ...place, count: (known?.count ?? 0) + count });
}

/** The tools that were used last stay, as many as fit. Others have their turn while it is made. */
export async function toStoredTools(tools: LearnedTools): Promise<unknown> {
  const latest = [...tools].sort(([, a], [, b]) => (a.at < b.at ? 1 : -1)).slice(0, MAX_TOOLS);
  const fitting: unknown[] = [];
  const pace = createPartPace();
  let characters = 0;
  for (const [name, { key, at, learned }] of latest) {
    const stored = toStoredTool(name, key, at, learned);
    const size = JSON.stringify(stored).length;
    await pace(weigh(learned));
    if (characters + size > MAX_FILE_CHARACTERS) break;
    characters += size;
    fitting.push(stored);
  }
  return { format: FORMAT, tools: fitting };
}

function toStoredTool(name: string, key: string, at: string, learned: Learned) {
  return {
    name,
    key,
    at,
    calls: learned.calls,
    shape: toStoredShape(learned.shape),
    ...(learned.noResult === undefined ? {} : { noResult: learned.noResult }),
    ...(learned.hasOtherTexts ? { hasOtherTexts: true } : {}),
    contradictions: [...learned.contradictions.values()],
  };
}

/**
 * Nothing when it is no such file. What an earlier version learned is forgotten: the first kept words that this one must
 * not, the second took records for maps. Others have their turn while it is read.
 */
export async function parseStoredTools(value: unknown): Promise<LearnedTools | undefined> {
  const pace = createPartPace();
  try {
    if (!isRecord(value) || !Array.isArray(value["tools"])) return undefined;
    const tools: LearnedTools = new Map();
    if (value["format"] === 1 || value["format"] === 2) return tools;
    if (value["format"] !== FORMAT) return undefined;
    for (const tool of value["tools"]) {
      const { name, key, at, calls, shape, noResult, hasOtherTexts, contradictions } = isRecord(tool)
        ? tool
        : {};
      if (typeof name !== "string" || typeof key !== "string" || typeof at !== "string") return undefined;
      if (typeof calls !== "number" || !Array.isArray(contradictions)) return undefined;
      const learned = { ...emptyLearned(), calls, shape: parseStoredShape(shape) };
      if (hasOtherTexts === true) addText(learned, undefined);
      if (typeof noResult === "string") addText(learned, isNoResultSentence(noResult) ? noResult : undefined);
      for (const one of contradictions) if (isContradiction(one)) addContradiction(learned, one);
      tools.set(name, { key, at, learned });
      await pace(weigh(learned));
    }
    return tools;
  } catch {
    return undefined;
  }
}

function isContradiction(value: unknown): value is Contradiction {
  if (!isRecord(value) || typeof value["count"] !== "number") return false;
  return ["path", "expected", "seen"].every((part) => typeof value[part] === "string");
}
