import { parse, TomlError } from "smol-toml";
import type { Position } from "../../text/position.ts";
import { toJsonValue } from "./json-value.ts";
import type { KeyPath } from "./key-path.ts";
import { type ParsedText, ParseProblem } from "./parsed-text.ts";

const MAX_DEPTH = 200;

export function parseToml(text: string): ParsedText {
  try {
    // An integer too large for a number, somewhere among a client's settings, must not make the file unreadable.
    const data = toJsonValue(parse(text, { maxDepth: MAX_DEPTH, integersAsBigInt: "asNeeded" }));
    return { data, remarks: [], locate: (path) => locate(text, path) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const position = { line: error.line, column: error.column };
    throw new ParseProblem(expectation(error.message, text, position), position);
  }
}

/** The parser keeps no positions, so this looks for the table's header and then for the key's line below it. */
function locate(text: string, path: KeyPath): Position {
  let table: string[] = [];
  let best = { matched: 0, position: { line: 1, column: 1 } };
  for (const [index, line] of text.split("\n").entries()) {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    const key = /^\s*("[^"]*"|'[^']*'|[\w.-]+)\s*=/.exec(line)?.[1];
    if (header !== undefined) table = splitKey(header);
    else if (key === undefined) continue;
    const full = header === undefined ? [...table, ...splitKey(key ?? "")] : table;
    const matches = full.length <= path.length && full.every((step, depth) => step === path[depth]);
    if (!matches || full.length <= best.matched) continue;
    best = { matched: full.length, position: { line: index + 1, column: line.search(/\S/) + 1 } };
  }
  return best.position;
}

function splitKey(key: string): string[] {
  return [...key.matchAll(/"([^"]*)"|'([^']*)'|([^.\s"']+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

function expectation(message: string, text: string, { line, column }: Position): string {
  const [first = ""] = message.replace(/^Invalid TOML document:\s*/, "").split("\n");
  if (!first.includes("redefine")) return `Broken TOML: ${first.trim().replace(/\.$/, "")}`;
  const rest = text.split("\n")[line - 1]?.slice(column - 1) ?? "";
  const [key = ""] = /^(?:"[^"]*"|'[^']*'|[\w.\s-])+/.exec(rest) ?? [];
  return `Broken TOML: Key ${JSON.stringify(splitKey(key).join("."))} occurs twice`;
}
