import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import type { Work } from "../../text/slices.ts";
import { type Term, toTerms } from "../lexicon/terms.ts";
import { lexiconWords, relatedTo, toPhrases } from "../lexicon/thesaurus.ts";
import { type VerbClass, verbOf } from "../lexicon/verbs.ts";
import { createSpeller } from "./speller.ts";

export type Words = { readonly terms: readonly Term[]; readonly phrases: readonly string[] };
export type ToolField = "name" | "title" | "head" | "body";
export type ServerField = "server" | "about";

/** A tool as a list of words. */
export type ToolWords = { readonly [field in ToolField]: Words } & {
  /** Other words that a word of the name is: `hostpool` → `host`, `pool`. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  readonly verbs: readonly VerbClass[];
};

export type ServerWords = { readonly [field in ServerField]: Words } & {
  readonly tools: readonly ToolWords[];
};

const MAX_ABOUT = 2_000;
const MAX_NAME = 300;
const HEAD_WORDS = 15;
const MIN_COMPOUND = 6;
const MIN_PART = 3;
const MIN_RESPELT = 8;
const MAX_RESPELT = 20_000;

type Read = { readonly length: number; readonly words: readonly ToolWords[] };
const read = new WeakMap<readonly ToolRecord[], Read>();

/** The words of a server and its tools, of whose descriptions so many characters count. A list of tools is read once. */
export function* toServerWords(server: ServerRecord, length: number): Work<ServerWords> {
  return {
    server: toNameWords(server),
    about: toIndexedWords((server.instructions ?? "").slice(0, MAX_ABOUT)),
    tools: yield* toAllToolWords(server.tools, length),
  };
}

export function toNameWords({ name }: Pick<ServerRecord, "name">): Words {
  return toIndexedWords(name.slice(0, MAX_NAME));
}

function* toAllToolWords(tools: readonly ToolRecord[], length: number): Work<readonly ToolWords[]> {
  const before = read.get(tools);
  if (before?.length === length) return before.words;
  const words: ToolWords[] = [];
  for (const tool of tools) {
    words.push(toToolWords(tool, length));
    yield;
  }
  read.set(tools, { length, words });
  return words;
}

function toToolWords(tool: ToolRecord, length: number): ToolWords {
  const name = toIndexedWords(tool.name.slice(0, MAX_NAME));
  const body = toIndexedWords(tool.description.slice(0, length));
  const head = body.terms.slice(0, HEAD_WORDS);
  return {
    name,
    title: toIndexedWords((tool.title ?? "").slice(0, Math.min(MAX_NAME, length))),
    head: { terms: head, phrases: toPhrases(head).map(({ phrase }) => phrase) },
    body,
    parts: toParts(name.terms, body.terms),
    verbs: name.terms.flatMap(({ surface }) => verbOf(surface) ?? []),
  };
}

/** The words of a text that say something, and the phrases in it. */
export function toIndexedWords(text: string): Words {
  const terms = toTerms(text);
  return {
    terms: terms.filter(({ isStop }) => !isStop),
    phrases: toPhrases(terms).map(({ phrase }) => phrase),
  };
}

/** What the words of a name are made of, by the words of the description, or were meant to be. */
function toParts(name: readonly Term[], description: readonly Term[]): Map<string, string[]> {
  const words = new Map<string, string>();
  for (const { surface, stem } of description) words.set(surface, stem).set(stem, stem);
  const found = new Map<string, string[]>();
  for (const { surface, stem } of name) {
    const parts = surface.length < MIN_COMPOUND ? undefined : splitInto(surface, words);
    if (parts !== undefined && parts.length > 1) found.set(stem, parts);
    else if (stem.length >= MIN_RESPELT) found.set(stem, respell(stem));
  }
  return found;
}

function splitInto(
  whole: string,
  words: ReadonlyMap<string, string>,
  start = 0,
  // Where no split was found before: without it, a name made for it could be tried in millions of ways.
  dead = new Set<number>(),
): string[] | undefined {
  if (start === whole.length) return [];
  if (dead.has(start)) return undefined;
  for (let end = whole.length; end >= start + MIN_PART; end--) {
    const first = words.get(whole.slice(start, end));
    const others = first === undefined ? undefined : splitInto(whole, words, end, dead);
    if (first !== undefined && others !== undefined) return [first, ...others];
  }
  dead.add(start);
  return undefined;
}

/** Made when it is first needed, like the lexicon. */
let correct: ((word: string) => string[]) | undefined;
function toCorrect(stem: string): string[] {
  correct ??= createSpeller(
    lexiconWords().filter((word) => word.length >= MIN_RESPELT),
    { mostSlips: 1, beginnings: false },
  );
  return correct(stem);
}

const respelt = new Map<string, string[]>();

/** Servers misspell, too: a long word that the lexicon does not know may be one letter away from one that it does. */
function respell(stem: string): string[] {
  const before = respelt.get(stem);
  if (before !== undefined) return before;
  const meant = relatedTo(stem) === undefined ? toCorrect(stem).slice(0, 1) : [];
  if (respelt.size >= MAX_RESPELT) respelt.clear();
  respelt.set(stem, meant);
  return meant;
}
