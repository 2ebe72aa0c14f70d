import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import { editDistance } from "./edit-distance.ts";
import { toTerms } from "./terms.ts";

export type Hit = { readonly server: ServerRecord; readonly tool: ToolRecord; readonly score: number };

/** How often this user called a tool: decides between hits that are nearly as good as each other. */
export type Calls = (server: string, tool: string) => number;

export type ToolIndex = {
  /** Tools that match, best first; nothing for a query without a word in it. */
  rank(query: string, calls?: Calls): Hit[];
  /** Names close to one that was asked for. */
  near(query: string, limit: number): string[];
};

type Document = { readonly server: ServerRecord; readonly tool: ToolRecord };
/** For each document a term occurs in: how much it weighs there. */
type Postings = Map<number, number>;

/** How much a word counts by where it stands, and how strongly long texts are damped (BM25's b). */
const FIELDS = [
  { weight: 3, damping: 0.4, read: ({ tool }: Document) => tool.name },
  { weight: 1.5, damping: 0.4, read: ({ tool }: Document) => tool.title ?? "" },
  { weight: 1, damping: 0.6, read: ({ tool }: Document) => tool.description.slice(0, MAX_INDEXED) },
  { weight: 1, damping: 0, read: ({ server }: Document) => server.name },
] as const;
/** Descriptions can be essays; what a tool does stands at the beginning. */
const MAX_INDEXED = 2_000;
const SATURATION = 1.2;
/** A query that names a server means its tools. */
const SERVER_BOOST = 1.4;
/** A tool that is asked for by its very name comes first. */
const EXACT_BOOST = 4;
/** What scores less than this share of the best is noise: a word in common, no more. */
const POPULARITY = 0.05;
const CUT_OFF = 0.15;
const MAX_QUERY = 2_000;
const MAX_QUERY_TERMS = 64;
/** A word mended by typo tolerance counts less than one that is there as it was written. */
const TYPO_WEIGHT = 0.6;

export function createToolIndex(servers: readonly ServerRecord[]): ToolIndex {
  const documents: Document[] = servers.flatMap((server) => server.tools.map((tool) => ({ server, tool })));
  const postings = toPostings(documents);
  const nameTerms = new Set(documents.flatMap(({ tool }) => toTerms(tool.name)));
  for (const server of servers) for (const term of toTerms(server.name)) nameTerms.add(term);
  const serverTerms = new Map(servers.map((server) => [server, toTerms(server.name)]));
  const exact = toExactNames(documents);

  /** Each term of the query that the catalogue knows, with its weight. Unknown ones are taken for misspelt names. */
  function toKnownTerms(query: string): Map<string, number> {
    const terms = new Map<string, number>();
    for (const term of new Set(toTerms(query.slice(0, MAX_QUERY)).slice(0, MAX_QUERY_TERMS))) {
      if (postings.has(term)) terms.set(term, 1);
      else
        for (const similar of similarTerms(term))
          terms.set(similar, Math.max(terms.get(similar) ?? 0, TYPO_WEIGHT));
    }
    return terms;
  }

  function similarTerms(term: string): string[] {
    if (term.length < 3) return [];
    const limit = term.length < 8 ? 1 : 2;
    let best = limit;
    let found: string[] = [];
    for (const candidate of nameTerms) {
      const isBeginning = candidate.startsWith(term) && candidate.length - term.length <= 4;
      const distance = isBeginning ? 1 : editDistance(term, candidate, best);
      if (distance > best) continue;
      if (distance < best) found = [];
      best = distance;
      found.push(candidate);
    }
    return found;
  }

  function rank(query: string, calls: Calls = () => 0): Hit[] {
    const terms = toKnownTerms(query);
    const scores = new Map<number, number>();
    for (const [term, weight] of terms) {
      const places = postings.get(term);
      if (places === undefined) continue;
      const rarity = Math.log(1 + (documents.length - places.size + 0.5) / (places.size + 0.5));
      for (const [document, frequency] of places) {
        const gain = (weight * rarity * frequency * (SATURATION + 1)) / (frequency + SATURATION);
        scores.set(document, (scores.get(document) ?? 0) + gain);
      }
    }
    const meant = new Set(servers.filter((server) => isNamed(serverTerms.get(server) ?? [], terms)));
    const asked = new Set(exact.get(fold(query)));
    for (const [document, score] of scores) {
      const { server, tool } = documents[document] ?? {};
      const known =
        server && tool ? 1 + POPULARITY * Math.min(1, Math.log10(1 + calls(server.name, tool.name))) : 1;
      const boost =
        known * (server && meant.has(server) ? SERVER_BOOST : 1) * (asked.has(document) ? EXACT_BOOST : 1);
      if (boost !== 1) scores.set(document, score * boost);
    }
    return toHits(scores);
  }

  function toHits(scores: ReadonlyMap<number, number>): Hit[] {
    const sorted = [...scores].sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b);
    const least = (sorted[0]?.[1] ?? 0) * CUT_OFF;
    return sorted.flatMap(([document, score]) => {
      const found = documents[document];
      return found && score >= least ? [{ ...found, score }] : [];
    });
  }

  function near(query: string, limit: number): string[] {
    const wanted = fold(query).slice(0, 64);
    const close = documents.flatMap(({ server, tool }) => {
      const names = [tool.identifiers.typescript, `${server.identifier}${tool.identifiers.typescript}`];
      const distance = Math.min(...names.map((name) => editDistance(wanted, fold(name), wanted.length >> 1)));
      return distance <= wanted.length >> 1
        ? [{ name: `${server.identifier}.${tool.identifiers.typescript}`, distance }]
        : [];
    });
    return close
      .sort((a, b) => a.distance - b.distance)
      .slice(0, limit)
      .map(({ name }) => name);
  }

  return { rank, near };
}

/** BM25F: a term's frequencies in the fields are weighed and damped by length, then added, before they saturate. */
function toPostings(documents: readonly Document[]): Map<string, Postings> {
  const postings = new Map<string, Postings>();
  for (const { weight, damping, read } of FIELDS) {
    const texts = documents.map((document) => toTerms(read(document)));
    const average = texts.reduce((sum, terms) => sum + terms.length, 0) / Math.max(1, texts.length) || 1;
    for (const [document, terms] of texts.entries()) {
      const share = weight / (1 - damping + (damping * terms.length) / average);
      for (const term of terms) {
        const places = postings.get(term) ?? new Map<number, number>();
        postings.set(term, places);
        places.set(document, (places.get(document) ?? 0) + share);
      }
    }
  }
  return postings;
}

/** The spellings under which a program or a person may name a tool. */
function toExactNames(documents: readonly Document[]): Map<string, number[]> {
  const names = new Map<string, number[]>();
  for (const [index, { server, tool }] of documents.entries()) {
    const own = [tool.name, tool.identifiers.typescript];
    const full = [server.name, server.identifier].flatMap((prefix) => own.map((name) => prefix + name));
    for (const name of new Set([...own, ...full].map(fold)))
      names.set(name, [...(names.get(name) ?? []), index]);
  }
  return names;
}

function isNamed(words: readonly string[], terms: ReadonlyMap<string, number>): boolean {
  return words.length > 0 && words.every((word) => terms.has(word));
}

function fold(name: string): string {
  return name
    .slice(0, 600)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
