import { readKey } from "../keys/key-meaning.ts";
import { plainPart } from "./decoded.ts";
import type { LabelledValue } from "./fields.ts";

const MAX_LABEL = 40;
const MAX_LABEL_WORDS = 5;
const MAX_VALUE = 1_000;
const MAX_NESTED = 20;
/** What a label may begin after; what stands before it there is prose or another value. */
const BOUNDARY = new Set([..."\n\r,;|(>\t•·{["].map((letter) => letter.charCodeAt(0)));
const NO_LABEL = new Set([...'<=?&/\\@#"“”:：'].map((letter) => letter.charCodeAt(0)));

type Line = { readonly indent: number; readonly isItem: boolean };
type Open = { readonly indent: number; readonly key: string };

/** `Label: value` and `label=value`, a line each or several in one; what is indented stands under the label above it. */
export function readLabels(text: string): LabelledValue[] {
  const fields: LabelledValue[] = [];
  let open: Open[] = [];
  let group = 0;
  let lineStart = 0;
  let isNewLine = true;
  let isApart = false;
  let lastIndent = 0;
  // Of the group: its labels, and whether one of them stands under an item rather than being one.
  const labels = new Set<string>();
  let hasLines = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) {
      isApart = (isApart && isNewLine) || isBlank(text, lineStart, at);
      lineStart = at + 1;
      isNewLine = true;
    }
    if (code !== 58 && code !== 61 && code !== 0xff1a) continue;
    const label = labelBefore(text, at);
    if (label === undefined) continue;
    const line = readLine(text, lineStart, label.start);
    if (isNewLine) {
      open = open.filter((outer) => outer.indent < line.indent);
      const isNext = line.isItem && (hasLines || labels.has(label.text));
      if (isNext || isApart || line.indent !== lastIndent) {
        group++;
        labels.clear();
        hasLines = false;
      } else if (!line.isItem) hasLines = true;
      labels.add(label.text);
      lastIndent = line.indent;
      isNewLine = false;
      isApart = false;
    }
    if (isLineEnd(text, at + 1)) {
      open = [...open, { indent: line.indent, key: label.text }].slice(-MAX_NESTED);
      continue;
    }
    const meaning = readKey(label.text);
    if (meaning.kind === "none" && open.length === 0) {
      // It only tells what the labels beside it are about.
      if (meaning.beside !== undefined)
        fields.push({ key: label.text, above: [], group, value: plainPart(text, at, at) });
      continue;
    }
    const value = valueAfter(text, at);
    const above = open.map(({ key }) => key);
    fields.push({ key: label.text, above, group, value: plainPart(text, value.start, value.end) });
    at = Math.max(at, value.end - 1);
  }
  return fields;
}

function isBlank(text: string, from: number, to: number): boolean {
  return to - from <= 1 && (from === to || text.charAt(from) === "\r");
}

function isLineEnd(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && at - from < MAX_LABEL && (text.charAt(at) === " " || text.charAt(at) === "\r"))
    at++;
  return at >= text.length || text.charAt(at) === "\n";
}

function labelBefore(text: string, mark: number): { text: string; start: number } | undefined {
  let end = mark;
  while (end > 0 && mark - end < 4 && /[ *_`]/.test(text.charAt(end - 1))) end--;
  let start = end;
  while (start > 0 && end - start <= MAX_LABEL) {
    const code = text.charCodeAt(start - 1);
    if (BOUNDARY.has(code)) break;
    if (NO_LABEL.has(code)) return undefined;
    start--;
  }
  if (end - start > MAX_LABEL) return undefined;
  while (start < end && /[\s*_`>•–-]/.test(text.charAt(start))) start++;
  const label = text.slice(start, end);
  if (!/^\p{L}/u.test(label) || label.split(/\s+/).length > MAX_LABEL_WORDS) return undefined;
  return text.charAt(mark + 1) === "/" && text.charAt(mark + 2) === "/" ? undefined : { text: label, start };
}

function readLine(text: string, start: number, labelStart: number): Line {
  const lead = text.slice(start, Math.min(labelStart, start + 60));
  return { indent: /^\s*(?:-\s+)?/.exec(lead)?.[0].length ?? 0, isItem: /^\s*-\s/.test(lead) };
}

/** To the end of the line, or to where the next label of the same line begins. */
function valueAfter(text: string, mark: number): { start: number; end: number } {
  let start = mark + 1;
  while (start < text.length && /[ \t*_`]/.test(text.charAt(start))) start++;
  const quote = text.charAt(start);
  if (quote === '"' || quote === "'") {
    const length = text.slice(start + 1, start + MAX_VALUE).search(quote === '"' ? /["\n]/ : /['\n]/);
    if (length !== -1 && text.charAt(start + 1 + length) === quote)
      return { start: start + 1, end: start + 1 + length };
  }
  let end = start;
  let cut = -1;
  while (end < text.length && end - start < MAX_VALUE) {
    const letter = text.charAt(end);
    if (/[\n\r|;\t]/.test(letter) || (letter === "<" && !isMailInBrackets(text, end))) break;
    if (letter === "," || (letter === " " && text.charAt(end + 1) === " ")) cut = end;
    if (
      (letter === ":" || letter === "=" || letter === "：") &&
      cut !== -1 &&
      end - cut <= MAX_LABEL + 2 &&
      isLabel(text.slice(cut + 1, end))
    ) {
      end = cut;
      break;
    }
    end++;
  }
  while (end > start && /[\s,*_`]/.test(text.charAt(end - 1))) end--;
  return { start, end };
}

/** `<ada@example.org>` is no tag. */
function isMailInBrackets(text: string, at: number): boolean {
  return /^<[^<>\s]{1,200}@[^<>\s]{1,200}>/.test(text.slice(at, at + 410));
}

function isLabel(text: string): boolean {
  const label = text.trim();
  return label.length > 0 && label.length <= MAX_LABEL && readKey(label).kind !== "none";
}
