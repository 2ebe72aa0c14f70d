import { toTerms } from "./terms.ts";
import { isCourtesy, isGeneric, isVerb } from "./thesaurus.ts";

const SENTENCE_END = /[.?!;](?=["'”’)]*(?:\s|$))|[。？！；\n]/u;
/** Where one step may end and another begin, if the next word opens one. */
const JOINT =
  /(,?\s+(?:(?:and|but)\s+)?(?:then|also|additionally|afterwards|finally|plus|as well as|along with|and)(?:\s+also)?,?\s+|\s+[+&|]\s+|,\s+)/iu;
const OPENERS = new Set(
  (
    "please can could would will what what's how which where when who is are do does i i'm i'd let give tell show " +
    "provide suggest recommend help offer include including put save turn"
  ).split(" "),
);
const MAX_CLAUSES = 6;

/** The steps of a request that has several, each a text of its own: sentences, and what is joined and opens a step. */
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
  const first = /^[\p{L}'’]+/u.exec(text.trim())?.[0].toLowerCase() ?? "";
  return OPENERS.has(first) || isVerb(toTerms(first)[0]?.stem ?? "");
}

function saysSomething(text: string): boolean {
  return toTerms(text).some(
    ({ surface, isStop }) => !isStop && !isCourtesy(surface) && !isGeneric(surface, true),
  );
}
