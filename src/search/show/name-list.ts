import { estimateTokens } from "../../tokens/estimate-tokens.ts";

/** What a line of its own costs beside its beginning. */
const LINE_TOKENS = 2;
const MIN_ALIKE = 3;
const WORD = /^(?:[A-Z]+(?![a-z])|.[^A-Z_]*_?)/;

/**
 * The names of a server's functions in as few tokens as can be read: names that begin alike share a line, on which
 * `get~ Commit Tag` means `getCommit` and `getTag`.
 */
export function toNameList(server: string, names: readonly string[]): string {
  const { inline, lines } = arrange("", names);
  return [[`${server}:`, ...inline].join(" "), ...lines].join("\n");
}

type Arranged = { readonly inline: readonly string[]; readonly lines: readonly string[] };

/** What follows `start`: where several go on alike and a line of their own is shorter, they get one. */
function arrange(start: string, endings: readonly string[]): Arranged {
  const inline: string[] = [];
  const lines: string[] = [];
  for (const [word, members] of groupByStart(endings)) {
    const saved = (members.length - 1) * estimateTokens(word) - estimateTokens(start) - LINE_TOKENS;
    if (saved <= 0 || members.length < MIN_ALIKE) {
      inline.push(...members);
      continue;
    }
    // A name that ends here has nothing to be written as.
    if (members.includes(word)) inline.push(word);
    const longer = members.filter((name) => name !== word).map((name) => name.slice(word.length));
    const inner = arrange(`${start}${word}`, longer);
    if (inner.inline.length === 1) inline.push(...inner.inline.map((ending) => word + ending));
    else if (inner.inline.length > 1) lines.push(`${start}${word}~ ${inner.inline.join(" ")}`);
    lines.push(...inner.lines);
  }
  return { inline, lines };
}

/** By the words that all of a group begin with. */
function groupByStart(names: readonly string[]): Map<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const word = firstWord(name);
    const group = groups.get(word);
    if (group) group.push(name);
    else groups.set(word, [name]);
  }
  return new Map([...groups].map(([word, members]) => [lengthen(word, members), members]));
}

function lengthen(start: string, members: readonly string[]): string {
  const [sample = ""] = members;
  const next = firstWord(sample.slice(start.length));
  const isShared = next !== "" && members.every((name) => firstWord(name.slice(start.length)) === next);
  return isShared && members.length > 1 ? lengthen(start + next, members) : start;
}

function firstWord(name: string): string {
  return WORD.exec(name)?.[0] ?? "";
}
