import { findTokenShapes } from "./token-shapes.ts";

const MOST_LEVELS = 8;

/** In how many levels of JSON each shape of a text stands: in a text that is JSON, a value is escaped once for each. */
export function countJsonLevels(text: string, depth = 0): number[] {
  const levels = findTokenShapes(text).map(() => 0);
  if (depth === MOST_LEVELS || !/^\s*["[{]/.test(text) || !isJson(text)) return levels;
  const inner: number[] = [];
  for (const literal of readLiterals(text)) {
    if (findTokenShapes(literal).length === 0) continue;
    const read: unknown = JSON.parse(literal);
    const found = typeof read === "string" ? countJsonLevels(read, depth + 1) : [];
    for (const level of found) inner.push(level + 1);
  }
  // Where escapes make another number of them, nobody can say which is which.
  return inner.length === levels.length ? inner : levels.map(() => 1);
}

/** The strings of a text that is JSON. */
function* readLiterals(json: string): Generator<string> {
  for (let start = json.indexOf('"'); start >= 0; ) {
    let end = start + 1;
    while (end < json.length && json[end] !== '"') end += json[end] === "\\" ? 2 : 1;
    yield json.slice(start, end + 1);
    start = json.indexOf('"', end + 1);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
