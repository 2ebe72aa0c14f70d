import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import type { PathValue, ValueNaming } from "./values.ts";

/** What a language's names stand for, as data. */
export type LanguageNames = ValueNaming & {
  /** What is looked at, of globals and of modules. */
  readonly watched: WatchedNames;
  /** Names of members by which a program comes to what it was not given, whatever they are taken of. */
  readonly walks: ReadonlyMap<string, Walk>;
  /** Names that must be legible where they are used. */
  readonly legible: ReadonlySet<string>;
  /** What has all globals as its members. */
  readonly globals: ReadonlySet<string>;
  /** What may have them, and is something else in most programs. */
  readonly maybeGlobals: ReadonlySet<string>;
  /** Methods that call what they are given once for each element. */
  readonly iterating: ReadonlySet<string>;
  /** Modules with a way out among much else: whoever gets one as a value may take it. By the rule that it then counts as. */
  readonly handedModules?: ReadonlyMap<string, string>;
  /** What servers and their functions have of Keyhole's own. */
  readonly internals?: ReadonlySet<string>;
  /** What is done to the file that a value stands for, by the method. */
  readonly fileMethods?: ReadonlyMap<string, FileMethod>;
};

/** `open` looks at the mode. */
export type FileMethod = {
  readonly access: FileArgument["access"] | "open";
  /** Which argument is another file, and what is done to it. */
  readonly other?: FileArgument;
  /** Counts also where nothing is known of the value; others have a method of that name, too, unless it has this many arguments. */
  readonly sure: boolean | number;
};

/** `never`: a finding by itself. `chained`: with another of them. */
export type Walk = "never" | "chained";

export type WatchedNames = {
  readonly global: NamesByMember;
  readonly module: NamesByMember;
};
/** By first member, then by all of them: `fs`, `fs.readFile`. */
type NamesByMember = ReadonlyMap<string, ReadonlyMap<string, NameWatch>>;

export type NameWatch = {
  readonly rule?: string;
  /** A finding where it is named, or only where it is called. */
  readonly on: "mention" | "call";
  readonly does?: Doing;
  /** Which arguments are paths of files, and what is done to them. */
  readonly files?: readonly FileArgument[];
};

export type Doing =
  /** Runs its first argument as code. */
  | "evaluate"
  /** Does so where that is a text. */
  | "evaluate-text"
  /** Does so unless it is a function. */
  | "evaluate-unknown"
  /** Evaluates annotations that are texts, where that is asked for. */
  | "evaluate-annotations"
  /** Writes to the file that is named by a keyword. */
  | "log"
  /** Makes a text of an encoded one. */
  | "decode"
  | "fetch"
  | "command"
  /** Gives the module that is named; the rule is for names that are computed. */
  | "import"
  /** Calls the tool that is named. */
  | "call-tool"
  /** Gives what its first argument has under the second. */
  | "take"
  /** Gives the names of what its first argument has, and nothing else of it. */
  | "list-names"
  /** Gives what something has under a path of names, which is its first argument. */
  | "take-path"
  /** Calls its first argument. */
  | "apply"
  /** Changes its first argument. */
  | "extend"
  | "parse-json"
  /** Opens a file as its second argument says. */
  | "open"
  /** As the flags of its second argument say. */
  | "open-flags"
  /** Stands for a file, to which nothing is done yet. */
  | "name-file";

/** An index of -1: some file that no argument names. */
export type FileArgument = { readonly index: number; readonly access: "read" | "write" | "delete" };

const MAX_KEY = 4;
const FEWEST_LETTERS = 3;

/** The names of servers and their functions, too: another that looks like one of them is there to be mistaken for it. */
export function toLegibleNames(
  legible: ReadonlySet<string>,
  servers: readonly ServerRecord[],
  language: keyof ToolRecord["identifiers"],
): ReadonlySet<string> {
  const names = servers.flatMap(({ name, identifiers, tools }) => [
    name,
    identifiers[language],
    ...tools.map((tool) => tool.identifiers[language]),
  ]);
  return new Set([...legible, ...names.filter(({ length }) => length >= FEWEST_LETTERS)]);
}

/** What is known of the longest beginning of a path that is watched. */
export function findWatch(names: LanguageNames, { root, members }: PathValue): NameWatch | undefined {
  if (root !== "global" && root !== "module") return undefined;
  const known = names.watched[root].get(members[0] ?? "");
  if (known === undefined) return undefined;
  for (let length = Math.min(members.length, MAX_KEY); length > 1; length--) {
    const found = known.get(members.slice(0, length).join("."));
    if (found) return found;
  }
  return known.get(members[0] ?? "");
}

export type WatchEntry = readonly [root: "global" | "module", names: readonly string[], watch: NameWatch];

export function toWatched(entries: readonly WatchEntry[]): WatchedNames {
  const watched = {
    global: new Map<string, Map<string, NameWatch>>(),
    module: new Map<string, Map<string, NameWatch>>(),
  };
  for (const [root, names, watch] of entries) {
    for (const name of names) {
      const [first = ""] = name.split(".");
      const known = watched[root].get(first) ?? new Map<string, NameWatch>();
      watched[root].set(first, known.set(name, watch));
    }
  }
  return watched;
}
