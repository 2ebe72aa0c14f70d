import { toTerms } from "../lexicon/terms.ts";
import { isCourtesy, isGeneric, isVerb } from "../lexicon/thesaurus.ts";

const SENTENCE_END = /[.?!;](?=["'”’)]*(?:\s|$))|[。？！；\n→]|->/u;
/** Where one step may end and another begin, if the next word opens one. */
const JOINT =
  /(,?\s+(?:(?:and|but)\s+)?(?:then|also|additionally|afterwards|finally|plus|as well as|along with|and)(?:\s+also)?,?\s+|\s+[+&|]\s+|,\s+)/iu;
const OPENERS = new Set(
  (
    "please can could would will what what's how which where when who is are do does i i'm i'd let give tell show " +
    "provide suggest recommend help offer include including put save turn"
  ).split(" "),
);
const MAX_CLAUSES = 8;
/** `1. … 2. …`, `(1) … (2) …`, `step 1: … step 2: …`. */
const NUMBERED = /(?:^|[\s;,])(?:step\s+)?\(?(\d{1,2})(?:[.):]\s+|\)\s*)(?=\S)/giu;
/** What says in so many words that one thing is to be done after the other. */
const STATED = /;\s*\S|\n\s*\S|\bthen\b|\bafterwards\b|；|→|->/iu;

/** Sentences tell a story; with these signs keywords are strung together. */
const NO_ORDERS = /[.?!]|\s[+&|]\s|\bor\b/;

/** The steps of a request, each a text of its own. */
export type Steps = {
  /** The request without the numbers of its steps. */
  readonly whole: string;
  readonly texts: readonly string[];
  /** Whether it says that they are steps; otherwise two sentences may as well be about one thing. */
  readonly areStated: boolean;
};

export function toSteps(query: string): Steps {
  const numbered = splitNumbered(query.trim());
  const text = numbered?.join(";\n") ?? query.trim();
  const texts = toClauses(text);
  // A name is no order: `create_page, make_page` are two words for one thing.
  const areOrders = texts.every((one) => isOrder(one) && /\S\s+\S/.test(one)) && !NO_ORDERS.test(text);
  return { whole: text, texts, areStated: numbered !== undefined || STATED.test(text) || areOrders };
}

/** At the numbers, if they count from one on. */
function splitNumbered(query: string): string[] | undefined {
  const starts: number[] = [];
  const ends: number[] = [];
  for (const found of query.matchAll(NUMBERED)) {
    if (Number(found[1]) !== starts.length + 1) continue;
    starts.push(found.index);
    ends.push(found.index + found[0].length);
  }
  if (starts.length < 2) return undefined;
  return [query.slice(0, starts[0]), ...ends.map((end, at) => query.slice(end, starts[at + 1]))];
}

/** The steps of a request that has several: sentences, and what is joined and opens a step. */
export function toClauses(query: string): string[] {
  const clauses: string[] = [];
  for (const sentence of query.split(SENTENCE_END)) {
    const pieces = sentence.split(JOINT);
    for (let at = 0; at < pieces.length; at += 2) {
      const text = pieces[at] ?? "";
      const before = clauses.at(-1);
      if (before === undefined || (saysSomething(text) && (at === 0 || opensStep(text)))) clauses.push(text);
      else clauses[clauses.length - 1] = `${before}${pieces[at - 1] ?? " "}${text}`;
    }
  }
  return clauses.filter(saysSomething).slice(0, MAX_CLAUSES);
}

function opensStep(text: string): boolean {
  return OPENERS.has(firstWord(text)) || isOrder(text);
}

function isOrder(text: string): boolean {
  return isVerb(toTerms(firstWord(text))[0]?.stem ?? "");
}

function firstWord(text: string): string {
  return /^[\p{L}'’]+/u.exec(text.trim())?.[0].toLowerCase() ?? "";
}

function saysSomething(text: string): boolean {
  return toTerms(text).some(
    ({ surface, isStop }) => !isStop && !isCourtesy(surface) && !isGeneric(surface, true),
  );
}
