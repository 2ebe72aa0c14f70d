import type { ToolRecord } from "../../src/catalog/tool.ts";
import { isFact, isInformative, saysResult, toInformation } from "../../src/search/show/notes/informative.ts";
import { isRecord } from "../../src/text/is-record.ts";

/**
 * What somebody who writes a program has to know of a tool, read from what the server sent: nothing here knows how
 * answers are made, so that they can lack it. A fact is the words of which each must be in the answer.
 */
export type Fact = { readonly about: string; readonly sentence: string; readonly words: readonly string[] };

const MAX_DEPTH = 3;
const MAX_VALUES = 20;
const MAX_DESCRIPTION = 2_000;
const QUOTED = /(?<![\p{L}\p{N}])(?:"([^"]{1,40})"|'([^']{1,40})'|`([^`]{1,40})`)/gu;
const NUMBER = /(?<![\p{L}\p{N}_.])\d+(?:\.\d+)?/gu;
const CODED = /\b(?:[A-Z]{2,}[A-Z0-9_-]*|[a-z]+(?:_[a-z0-9]+)+|YYYY\S*)/g;
const TELLING =
  /\b(?:at most|at least|up to|only|must|cannot|never|unless|ignored|exclusive|inclusive|sorted|ordered|newest|oldest|descending|ascending|maximum|minimum|absolute|relative|seconds|milliseconds|meters|pixels|minutes|days|bytes|empty|required|comma|separated|degrees|percent)\b/gi;
const GENERIC = new Set(["true", "false", "ai", "api", "id", "ok", "note", "url", "mcp"]);

export function toNeededFacts(tool: ToolRecord): Fact[] {
  const { inputSchema, description, outputSchema } = tool;
  const lines = description.slice(0, MAX_DESCRIPTION).split("\n");
  const properties = isRecord(inputSchema) ? inputSchema["properties"] : undefined;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  const documented = new Map(names.map((name) => [name, findLine(lines, name)]));
  const inSections = new Set(documented.values());
  const prose = lines.filter((line) => !inSections.has(line)).join("\n");
  return [
    ...toFunctionFacts(prose, outputSchema === undefined),
    ...toPropertyFacts(properties, "", 1, documented),
  ].filter(({ words }) => words.length > 0);
}

/** Which of the facts a text lacks. */
export function toMissing(facts: readonly Fact[], text: string): Fact[] {
  const shown = text.toLowerCase().replaceAll('\\"', '"');
  return facts.filter(({ words }) => !words.every((word) => shown.includes(word)));
}

function toFunctionFacts(prose: string, isResultUnknown: boolean): Fact[] {
  const body = prose.replace(/\b(?:Examples?|Raises|Usage|Args|Parameters)\b:?[\s\S]*$/, "");
  return split(body).flatMap((sentence) => {
    return isFact(sentence) || (isResultUnknown && saysResult(sentence)) ? [toFact("", sentence)] : [];
  });
}

function toPropertyFacts(
  properties: unknown,
  path: string,
  depth: number,
  documented: ReadonlyMap<string, string | undefined>,
): Fact[] {
  if (!isRecord(properties) || depth > MAX_DEPTH) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isRecord(schema)) return [];
    const own = typeof schema["description"] === "string" ? schema["description"] : "";
    const text = own || (documented.get(name) ?? "").replace(/^\s*[-*]?\s*\S+?\s*(?:\([^)]*\))?\s*[:：]/, "");
    const about = `${path}${name}`;
    const items = isRecord(schema["items"]) ? schema["items"]["properties"] : undefined;
    return [
      ...split(text)
        .filter(isInformative)
        .map((sentence) => toFact(about, sentence)),
      ...toDeclared(schema).map((words) => ({ about, sentence: words.join(" "), words })),
      ...toPropertyFacts(schema["properties"] ?? items, `${about}.`, depth + 1, new Map()),
    ];
  });
}

/** What the schema itself declares beside types: values, default, format, bounds. */
function toDeclared(schema: Readonly<Record<string, unknown>>): string[][] {
  const values = Array.isArray(schema["enum"]) ? schema["enum"].slice(0, MAX_VALUES) : [];
  const value = schema["default"];
  const isTelling =
    value === true ||
    (typeof value === "number" && value !== 0) ||
    (typeof value === "string" && value !== "");
  const bounds = ["minimum", "maximum", "maxItems", "maxLength"].flatMap((key) => {
    const bound = schema[key];
    return typeof bound === "number" && bound !== 0 && Math.abs(bound) < Number.MAX_SAFE_INTEGER
      ? [bound]
      : [];
  });
  const format = typeof schema["format"] === "string" ? [schema["format"]] : [];
  return [values, ...(isTelling ? [[value]] : []), bounds, format]
    .filter((list) => list.length > 0)
    .map((list) => list.map((one) => String(one).toLowerCase()));
}

function toFact(about: string, sentence: string): Fact {
  const quoted = [...sentence.matchAll(QUOTED)].flatMap(([, a, b, c]) => a ?? b ?? c ?? []);
  const words = [
    ...quoted,
    ...(sentence.match(NUMBER) ?? []),
    ...(sentence.match(CODED) ?? []),
    ...(sentence.match(TELLING) ?? []),
  ].map((word) => word.toLowerCase().replace(/[.,;:)\]"']+$/, ""));
  const telling = [...new Set(words)].filter((word) => word !== "" && !GENERIC.has(word));
  if (telling.length > 0) return { about, sentence, words: telling };
  const kinds = toInformation(sentence);
  const isWeak = kinds.size === 1 && (kinds.has("value") || kinds.has("order"));
  const content = sentence.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return { about, sentence, words: isWeak ? [] : [...new Set(content)].slice(0, 8) };
}

function split(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+(?=[A-Z"'(])|(?<=[。！？])|\n\s*\n|\n\s*[-*]\s/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence !== "");
}

function findLine(lines: readonly string[], name: string): string | undefined {
  return lines.find((line) => {
    const start = line.trimStart().replace(/^[-*]\s+/, "");
    return start.startsWith(name) && /^\s*(?:\([^)]*\))?\s*[:：]/.test(start.slice(name.length));
  });
}
