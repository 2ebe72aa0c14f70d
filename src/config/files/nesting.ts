import { toPosition } from "../../text/position.ts";
import { ParseProblem } from "./parsed-text.ts";

const MAX_DEPTH = 1000;

/**
 * The parsers call themselves for each level. Where that uses up the stack, Node does not always throw: when a regular
 * expression is compiled just then, the process dies. So the depth is counted first.
 */
export function refuseDeepNesting(text: string, syntax: "json" | "yaml"): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const letter = text[index];
    // In YAML quotes stand in ordinary text too, so brackets are counted wherever they are.
    if (letter === '"' && syntax === "json") inString = !inString;
    else if (inString) {
      if (letter === "\\") index++;
    } else if (syntax === "json" && letter === "/") {
      index = endOfComment(text, index);
    } else if (letter === "[" || letter === "{") {
      depth++;
      if (depth > MAX_DEPTH) throw tooDeep(text, index);
    } else if (letter === "]" || letter === "}") depth = Math.max(0, depth - 1);
  }
  if (syntax === "yaml") refuseDashes(text);
}

function endOfComment(text: string, start: number): number {
  const end = text.startsWith("//", start)
    ? text.indexOf("\n", start)
    : text.startsWith("/*", start)
      ? text.indexOf("*/", start + 2) + 1
      : start;
  return end <= 0 ? text.length : end;
}

/** `- - - -` opens a list within a list at each dash. */
function refuseDashes(text: string): void {
  let offset = 0;
  for (const line of text.split("\n")) {
    let dashes = 0;
    for (const letter of line) {
      if (letter === "-" || letter === "?") dashes++;
      else if (letter !== " " && letter !== "\t") break;
    }
    const indent = line.length - line.trimStart().length;
    if (dashes > MAX_DEPTH && line.includes("- ")) throw tooDeep(text, offset);
    if (indent > MAX_DEPTH * 2) throw tooDeep(text, offset);
    offset += line.length + 1;
  }
}

function tooDeep(text: string, offset: number): ParseProblem {
  return new ParseProblem(`Expected at most ${MAX_DEPTH} levels of nesting`, toPosition(text, offset));
}
