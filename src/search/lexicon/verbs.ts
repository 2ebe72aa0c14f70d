import type { Term } from "./terms.ts";

/** What a tool does, or a request wants done. */
export type VerbClass =
  | "one"
  | "many"
  | "search"
  | "create"
  | "update"
  | "delete"
  | "send"
  | "run"
  | "convert"
  | "check";

const CLASSES: readonly (readonly [VerbClass, string])[] = [
  ["one", "get read show describe detail details view fetch retrieve inspect info"],
  ["many", "list enumerate browse all"],
  ["search", "search find query lookup discover"],
  ["create", "create add new insert make generate build write draft compose"],
  ["update", "update edit modify change set rename configure patch"],
  ["delete", "delete remove drop erase clear"],
  ["send", "send post publish share upload"],
  ["run", "run execute start invoke trigger deploy"],
  ["convert", "convert transform translate export"],
  ["check", "check validate verify test"],
];
const READING: ReadonlySet<VerbClass> = new Set(["one", "many", "search", "check"]);
const byWord = new Map(
  CLASSES.flatMap(([name, words]) => words.split(" ").map((word) => [word, name] as const)),
);
const ASKING = new Set(["show", "get", "view", "fetch", "retrieve", "find"]);
const QUESTION = new Set(["what", "which", "how"]);
const ONE_THING = new Set(["detail", "details", "properties", "status", "information"]);

export function verbOf(word: string): VerbClass | undefined {
  return byWord.get(word);
}

/** Whether a tool's verb is the one that is wanted (1), another of its kind (0), or changes what was to be read (-1). */
export function agreement(wanted: VerbClass, verbs: readonly VerbClass[]): number {
  if (verbs.length === 0 || verbs.includes(wanted)) return verbs.length === 0 ? 0 : 1;
  return verbs.some((verb) => READING.has(verb) === READING.has(wanted)) ? 0 : -1;
}

/** What the words up to the end of the request's object want done. "Show me the users" is to list, if there are many. */
export function toWantedVerb(words: readonly Term[]): VerbClass | undefined {
  const verb = words.find(({ surface }) => byWord.has(surface))?.surface;
  const isAsking = verb === undefined ? QUESTION.has(words[0]?.surface ?? "") : ASKING.has(verb);
  const said = verb === undefined ? undefined : verbOf(verb);
  if (!isAsking) return said;
  if (words.some(({ surface }) => ONE_THING.has(surface))) return "one";
  const last = words.findLast(({ isStop }) => !isStop)?.surface ?? "";
  return /[^sui]s$/.test(last) ? "many" : (said ?? "one");
}
