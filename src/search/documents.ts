import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import { type Term, toTerms } from "./terms.ts";
import { toPhrases } from "./thesaurus.ts";
import { type VerbClass, verbOf } from "./verbs.ts";

export type Words = { readonly terms: readonly Term[]; readonly phrases: readonly string[] };
export type ToolField = "name" | "title" | "head" | "body";
export type ServerField = "server" | "about";

/** A tool as a list of words. */
export type ToolWords = { readonly [field in ToolField]: Words } & {
  /** `hostpool` → `host`, `pool`. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  readonly verbs: readonly VerbClass[];
};

export type ServerWords = { readonly [field in ServerField]: Words } & {
  readonly tools: readonly ToolWords[];
};

/** Descriptions can be essays; what a tool does stands at the beginning. */
const MAX_INDEXED = 2_000;
const MAX_NAME = 300;
const HEAD_WORDS = 12;
const MIN_COMPOUND = 6;
const MIN_PART = 3;

type Read = Pick<ServerRecord, "name" | "instructions"> & { readonly words: ServerWords };
const read = new WeakMap<readonly ToolRecord[], Read>();

/** The words of a server's tools: read once for each list of tools that a server gave us. */
export function toServerWords(server: ServerRecord): ServerWords {
  const before = read.get(server.tools);
  if (before?.name === server.name && before.instructions === server.instructions) return before.words;
  const words = {
    server: toWords(server.name.slice(0, MAX_NAME)),
    about: toWords((server.instructions ?? "").slice(0, MAX_INDEXED)),
    tools: before?.words.tools ?? server.tools.map(toToolWords),
  };
  read.set(server.tools, { name: server.name, instructions: server.instructions, words });
  return words;
}

function toToolWords(tool: ToolRecord): ToolWords {
  const name = toWords(tool.name.slice(0, MAX_NAME));
  const body = toWords(tool.description.slice(0, MAX_INDEXED));
  const head = body.terms.slice(0, HEAD_WORDS);
  return {
    name,
    title: toWords((tool.title ?? "").slice(0, MAX_NAME)),
    head: { terms: head, phrases: toPhrases(head).map(({ phrase }) => phrase) },
    body,
    parts: splitCompounds(name.terms, body.terms),
    verbs: name.terms.flatMap(({ surface }) => verbOf(surface) ?? []),
  };
}

function toWords(text: string): Words {
  const terms = toTerms(text);
  return {
    terms: terms.filter(({ isStop }) => !isStop),
    phrases: toPhrases(terms).map(({ phrase }) => phrase),
  };
}

/** A name's word that is made of words of the description. */
function splitCompounds(name: readonly Term[], description: readonly Term[]): Map<string, string[]> {
  const words = new Map<string, string>();
  for (const { surface, stem } of description) words.set(surface, stem).set(stem, stem);
  const found = new Map<string, string[]>();
  for (const { surface, stem } of name) {
    const parts = surface.length < MIN_COMPOUND ? undefined : splitInto(surface, words);
    if (parts !== undefined && parts.length > 1) found.set(stem, parts);
  }
  return found;
}

function splitInto(rest: string, words: ReadonlyMap<string, string>): string[] | undefined {
  if (rest === "") return [];
  for (let cut = rest.length; cut >= MIN_PART; cut--) {
    const first = words.get(rest.slice(0, cut));
    const others = first === undefined ? undefined : splitInto(rest.slice(cut), words);
    if (first !== undefined && others !== undefined) return [first, ...others];
  }
  return undefined;
}
