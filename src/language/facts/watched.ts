import type { Naming, PathValue } from "./values.ts";

/** What a language's names stand for, as data. */
export type LanguageNames = Naming & {
  /** By root and members: `global eval`, `module fs.readFile`. */
  readonly watched: ReadonlyMap<string, Watch>;
  /** Names of members by which a program comes to what it was not given, whatever they are taken of. */
  readonly walks: ReadonlyMap<string, Walk>;
  /** Names that must be legible where they are used. */
  readonly legible: ReadonlySet<string>;
  /** Methods that call what they are given once for each element. */
  readonly iterating: ReadonlySet<string>;
};

/** `never`: a finding by itself. `chained`: with another of them. */
export type Walk = "never" | "chained";

export type Watch = {
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
  /** Calls its first argument. */
  | "apply"
  /** Changes its first argument. */
  | "extend"
  | "parse-json"
  /** Opens a file as its second argument says. */
  | "open";

export type FileArgument = { readonly index: number; readonly access: "read" | "write" | "delete" };

const MAX_KEY = 4;

/** What is known of the longest beginning of a path that is watched. */
export function findWatch(names: LanguageNames, { root, members }: PathValue): Watch | undefined {
  for (let length = Math.min(members.length, MAX_KEY); length > 0; length--) {
    const found = names.watched.get(`${root} ${members.slice(0, length).join(".")}`);
    if (found) return found;
  }
  return undefined;
}

export function toWatched(
  entries: readonly (readonly [root: "global" | "module", names: readonly string[], watch: Watch])[],
): ReadonlyMap<string, Watch> {
  return new Map(
    entries.flatMap(([root, names, watch]) => names.map((name) => [`${root} ${name}`, watch] as const)),
  );
}
