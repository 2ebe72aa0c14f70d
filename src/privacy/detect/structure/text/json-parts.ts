import { findInJson } from "../json/find-in-json.ts";
import type { JsonFinding, TextFinding } from "../json/json-finding.ts";
import { toSource } from "./decoded.ts";
import type { TextWalk } from "./fields.ts";
import { findInStructuredText } from "./find-in-structured-text.ts";
import {
  decodeString,
  eachItem,
  eachMember,
  MAX_NESTING,
  readJsonAt,
  stringEnd,
  wordEnd,
} from "./json-reader.ts";

/** The findings of a value, by the steps that lead to them. */
type Wanted = { readonly steps: Map<string, Wanted>; readonly findings: JsonFinding[] };

/** JSON anywhere in a text: the whole of it, a line each, or an object in the midst of words. */
export function addJson(walk: TextWalk): void {
  const { text, options } = walk;
  if (hasTooMany(text) || addQuoted(walk)) return;
  let at = nextStart(text, 0);
  while (at !== -1) {
    const { value, end } = readJsonAt(text, at);
    const found = findInJson(value, {
      ...options,
      findText: options.findText ?? (() => []),
      level: (options.level ?? 0) + 1,
    });
    if (found.length > 0) locate(walk, at, toWanted(found));
    at = nextStart(text, Math.max(end, at + 1));
  }
}

const MAX_VALUES = 400_000;

/** Read as values, each of which takes a hundred times its letters; what shows itself is found without that. */
function hasTooMany(text: string): boolean {
  if (text.length < MAX_VALUES) return false;
  let values = 0;
  for (let at = 0; at < text.length && values <= MAX_VALUES; at++) {
    const code = text.charCodeAt(at);
    if (code === 44 || code === 91 || code === 123) values++;
  }
  return values > MAX_VALUES;
}

/** A text that is a string of JSON: what is in that. */
function addQuoted(walk: TextWalk): boolean {
  const { text, options } = walk;
  if (text.charAt(0) !== '"' || stringEnd(text, 0) !== text.length) return false;
  const inner = decodeString(text, 0, text.length);
  for (const finding of findInStructuredText(inner.text, { ...options, level: (options.level ?? 0) + 1 })) {
    const value = finding.value ?? inner.text.slice(finding.start, finding.end);
    walk.findings.push({
      ...asTextFinding(finding),
      ...toSource(inner, finding),
      value,
      ...quoteInside(finding),
    });
  }
  return true;
}

/** A bracket after which JSON can follow. */
function nextStart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 123 && code !== 91) continue;
    let next = at + 1;
    while (next < text.length && text.charCodeAt(next) <= 32) next++;
    const follows = text.charAt(next);
    if (follows === '"' || follows === "'" || (code === 91 && (follows === "{" || follows === "[")))
      return at;
    at = next - 1;
  }
  return -1;
}

function toWanted(findings: readonly JsonFinding[]): Wanted {
  const root: Wanted = { steps: new Map(), findings: [] };
  for (const finding of findings) {
    let node = root;
    for (const step of finding.path.split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const next: Wanted = node.steps.get(name) ?? { steps: new Map(), findings: [] };
      node.steps.set(name, next);
      node = next;
    }
    node.findings.push(finding);
  }
  return root;
}

/** Where the findings stand in the text itself; says where the value ends. */
function locate(walk: TextWalk, at: number, wanted: Wanted | undefined, depth = 0): number {
  const { text } = walk;
  const first = text.charAt(at);
  if (first === "{" && depth < MAX_NESTING)
    return eachMember(text, at, (key, from, name) => {
      const inside = wanted?.steps.get(name);
      for (const finding of inside?.findings ?? []) if (finding.in === "key") addAt(walk, finding, key);
      return locate(walk, from, inside, depth + 1);
    });
  if (first === "[" && depth < MAX_NESTING)
    return eachItem(text, at, (index, from) =>
      locate(walk, from, wanted?.steps.get(String(index)), depth + 1),
    );
  const isText = first === '"' || first === "'";
  const end = isText ? stringEnd(text, at) : wordEnd(text, at);
  for (const finding of wanted?.findings ?? []) {
    if (finding.in === "text" && isText) addAt(walk, finding, decodeString(text, at, end));
    if (finding.in === "number" && !isText)
      walk.findings.push({ ...asTextFinding(finding), start: at, end, quote: '"' });
  }
  return end;
}

function addAt(walk: TextWalk, finding: JsonFinding, part: Parameters<typeof toSource>[0]): void {
  const span = toSource(part, finding);
  const value = finding.value ?? part.text.slice(finding.start, finding.end);
  const isEncoded = walk.text.slice(span.start, span.end) !== value;
  walk.findings.push({
    ...asTextFinding(finding),
    ...span,
    ...(isEncoded ? { value } : {}),
    ...quoteInside(finding),
  });
}

function asTextFinding({ class: name, rule, confidence }: TextFinding) {
  return { class: name, rule, confidence };
}

/** A quote of a text that stands in a string. */
function quoteInside({ quote }: TextFinding): { quote?: string } {
  return quote === undefined ? {} : { quote: JSON.stringify(quote).slice(1, -1) };
}
