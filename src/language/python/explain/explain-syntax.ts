import { splitLines, toPosition } from "../../../text/position.ts";

export type SyntaxTrouble = { readonly message: string; readonly hint?: string; readonly at?: number };

/** Of one line; a longer one is no line that anybody wrote. */
const MAX_LINE = 500;
const MAX_READ = 20_000;
const BLOCK = /^\s*(?:async\s+)?(?:if|elif|else|for|while|def|class|with|try|except|finally|match|case)\b/;

/** What of other languages stands where Python can't have it, and what Python has for it. */
const FOREIGN: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/^\s*(?:export\s+)?(?:const|let|var)\s/, "Python has no const, let or var: write name = value"],
  [/^\s*(?:export\s+)?(?:async\s+)?function\b/, "Write def name(…): with an indented block"],
  [/^\s*import\s*[{*]|^\s*import\s.*\sfrom\s/, "Write from servers.github import create_issue"],
  [/=>/, "Write lambda x: …, or def name(x):"],
  [/^\s*(?:\/\/|\/\*)/, "A comment begins with #"],
  [/===|!==/, "Write == or !="],
  [/&&/, "Write and"],
  [/\|\|/, "Write or"],
  [/\?\?|\?\./, "Write: x if x is not None else y"],
  [/\+\+|--/, "Write += 1 or -= 1"],
  [/`/, 'Write f"… {value} …"'],
  [/\bnew\s+[A-Z]/, "Leave new out"],
  [/^\s*throw\b/, "Write raise Exception(…)"],
  [/^\s*switch\b/, "Write match, or if and elif"],
  [/\btypeof\b/, "Write isinstance(x, str)"],
  [/(?:^|[\s(])!\s*[\w(]/, "Write not"],
  [/\?.*:/, "Write: a if test else b"],
  [/\)\s*\{\s*$|\belse\s*\{/, "A block is a colon and indented lines"],
  [/^\s*(?:for|if|while)\s*\(.*\)\s*\{/, "A block is a colon and indented lines"],
];

/** What is wrong where a text stops being Python. */
export function explainSyntax(text: string, at: number): SyntaxTrouble {
  const { line, column } = toPosition(text, at);
  const lines = splitLines(text);
  const own = (lines[line - 1] ?? "").slice(0, MAX_LINE);
  const before = own.slice(0, column - 1).trim() === "" ? lastWritten(lines, line - 2) : own;
  for (const [pattern, hint] of FOREIGN)
    for (const shown of new Set([own, before]))
      if (pattern.test(withoutTexts(shown))) return { message: NO_PYTHON, hint };
  const open = text.length <= MAX_READ ? findOpen(text, at) : undefined;
  if (open?.sign === '"' || open?.sign === "'") return { message: "A text is never closed", at: open.at };
  if (open !== undefined) return { message: `'${open.sign}' is never closed`, at: open.at };
  if (/^\s*(?:print|exec)\s+[^\s(=.]/.test(own))
    return { message: "print is a function", hint: "Write print(…)" };
  if (BLOCK.test(before) && !/:\s*(?:#.*)?$/.test(before))
    return { message: "A colon is missing", hint: `Write: ${before.trim().slice(0, 60)}:` };
  if (BLOCK.test(before) && /:\s*(?:#.*)?$/.test(before) && before !== own)
    return { message: "An indented block is missing", hint: "Indent the lines of the block, or write pass" };
  const indent = own.length - own.trimStart().length;
  if (indent > 0 && column <= indent && !BLOCK.test(before))
    return { message: "This line is indented like no block around it", at: at + indent - column + 1 };
  return { message: NO_PYTHON };
}

const NO_PYTHON = "This is no Python";

function lastWritten(lines: readonly string[], from: number): string {
  for (let at = from; at >= 0; at--)
    if (lines[at]?.trim() !== "") return (lines[at] ?? "").slice(0, MAX_LINE);
  return "";
}

/** Without what stands in quotes on the line: that may be anything. */
function withoutTexts(line: string): string {
  return line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""').replace(/#.*$/, "");
}

type Opening = { readonly sign: string; readonly at: number };

/** The bracket or quote before where the parser gave up that nothing closes. */
function findOpen(text: string, until: number): Opening | undefined {
  const open: Opening[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === "#") at = endOfLine(text, at);
    else if (sign === '"' || sign === "'") {
      const end = endOfText(text, at);
      if (end === undefined) return at <= until ? { sign, at } : undefined;
      at = end;
    } else if (sign === "(" || sign === "[" || sign === "{") open.push({ sign, at });
    else if (sign === ")" || sign === "]" || sign === "}") open.pop();
  }
  return open.findLast(({ at }) => at < until);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function endOfText(text: string, start: number): number | undefined {
  const sign = text[start] ?? "";
  const quote = text.startsWith(sign.repeat(3), start) ? sign.repeat(3) : sign;
  for (let at = start + quote.length; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(quote, at)) return at + quote.length - 1;
    else if (text[at] === "\n" && quote.length === 1) return undefined;
  }
  return undefined;
}

/** Lines that only JavaScript and TypeScript have. */
const TYPESCRIPT =
  /^[^\S\n]*(?:(?:export )?(?:const|let|var) [\w{[$][^\n]{0,200}=|import [^\n]{0,200} from ["']|(?:async )?function \w+\(|(?:for|if|while) \([^\n]{0,200}\) \{|[^\n]{0,200}=> ?\{?[^\S\n]*$|\}[^\S\n]*(?:else|catch|finally)\b|console\.log\()/m;

/** A text that does not parse and was plainly meant to be another thing. */
export function insteadOfPython(text: string): string | undefined {
  return TYPESCRIPT.test(text.slice(0, MAX_READ))
    ? 'This looks like TypeScript: send it with language: "typescript", which is meant when nothing is said'
    : undefined;
}
