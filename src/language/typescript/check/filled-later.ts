import { toPattern } from "../prepare/pattern.ts";
import { type SyntaxNode, textOf } from "../prepare/syntax-path.ts";
import { missingProperties } from "../typescript-7.ts";

/**
 * `const args = {}; args.owner = "a"; github.listIssues(args)`: the type of a variable is what it began with, and the
 * program goes on to fill it. `Object.assign(args, …)` and `args[key] = …` may fill in anything.
 */
export function isFilledLater(
  path: readonly SyntaxNode[],
  messages: readonly string[],
  source: string,
): boolean {
  const last = path.at(-1);
  const name = last?.type === "Identifier" ? textOf(last) : undefined;
  if (name === undefined) return false;
  const missing = messages.flatMap(missingProperties);
  if (missing.length === 0) return false;
  const variable = `(?<![\\p{ID_Continue}$.])${toPattern(name)}`;
  const isOpen = new RegExp(
    `Object\\.assign\\(\\s*${variable}\\s*,|${variable}\\s*\\[\\s*(?!["'\`\\d])[^\\]\\n]{0,200}\\]\\s*=[^=]`,
    "u",
  ).test(source);
  return missing.every((property) => isOpen || isAssigned(variable, property, source));
}

function isAssigned(variable: string, property: string, source: string): boolean {
  const key = toPattern(property);
  return new RegExp(
    `${variable}\\s*(?:\\.\\s*${key}|\\[\\s*["'\`]${key}["'\`]\\s*\\])\\s*(?:\\?\\?|\\|\\|)?=[^=]`,
    "u",
  ).test(source);
}
