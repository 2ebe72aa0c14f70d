import { foldName } from "../../catalog/name-index.ts";
import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { finish, type Work } from "../../text/slices.ts";
import { toNameWords, toServerWords } from "../index/documents.ts";
import { toExactNames, toNearNames } from "../index/exact-names.ts";
import { toIndexedLengths } from "../index/indexed-length.ts";
import { type Document, toPostings } from "../index/postings.ts";
import { createSpeller } from "../index/speller.ts";
import { agreement } from "../lexicon/verbs.ts";
import { type Steps, toSteps } from "./clauses.ts";
import { createQueryReader } from "./query.ts";
import { createScorer } from "./scorer.ts";
import { createFilterReader, type ServerFilter } from "./server-filter.ts";
import { WEIGHTS, type Weights } from "./weights.ts";

export type Hit = {
  readonly server: ServerRecord;
  readonly tool: ToolRecord;
  readonly score: number;
  /** Which step of a request it answers best, if one. */
  readonly step?: number;
};

export type ToolIndex = {
  /** Tools that match, best first; nothing for a query without a word in it. */
  rank(query: string, options?: { readonly byHabit?: boolean }): Hit[];
  /** Whether a query asks for the tools of other servers only. */
  excludes(query: string, server: string): boolean;
  /** What a reader of the hits should know: that the server asked for is not there, for example. */
  notes(query: string, hits: readonly Hit[]): string[];
  /** Names close to one that was asked for. */
  near(query: string, limit: number): string[];
};

export type IndexOptions = {
  /** How often this user has called a tool. */
  readonly calls?: (server: string, tool: string) => number;
  readonly weights?: Partial<Weights>;
};

type ServerName = {
  readonly server: ServerRecord;
  readonly terms: readonly (number | undefined)[];
  /** Whether a word of it occurs with no other server. */
  readonly isProper: boolean;
};

const MAX_QUERY = 2_000;
const MAX_QUOTED = 60;
/** As many tools as an answer shows unless told. */
export const FIRST = 5;
/** So many calls and more are a habit. */
const HABIT_CALLS = 100;

/**
 * An index of all tools, made in one go: for measuring. Only lists of tools that were not seen before are read.
 * @internal
 */
export function createToolIndex(servers: readonly ServerRecord[], options: IndexOptions = {}): ToolIndex {
  return finish(buildToolIndex(servers, options));
}

/** The same, in steps: a server decides how much there is to do. */
export function* buildToolIndex(
  servers: readonly ServerRecord[],
  options: IndexOptions = {},
): Work<ToolIndex> {
  const weights = { ...WEIGHTS, ...options.weights };
  const documents = yield* toDocuments(servers);
  const postings = yield* toPostings(documents, weights);
  const speller = createSpeller(yield* toSpelledWords(documents));
  const readQuery = createQueryReader(postings, speller, weights);
  const scorer = createScorer(postings);
  const exact = yield* toExactNames(documents);
  const filters = createFilterReader(servers);
  const serverNames = servers.map((server) => {
    const terms = toNameTerms(server);
    return { server, terms, isProper: terms.some((term) => isOnlyOf(server, term)) };
  });

  /** Of the query that is being ranked. */
  let isByHabit = true;

  function rank(query: string, { byHabit = true } = {}): Hit[] {
    isByHabit = byHabit;
    const text = query.slice(0, MAX_QUERY);
    const filter = filters.read(text);
    const limited = filter ? rankAmong(filter.query, filter) : [];
    if (limited.length > 0) return limited;
    return rankAmong(filter && filters.markedName(text) ? filter.query : text);
  }

  function rankAmong(text: string, filter?: ServerFilter): Hit[] {
    const steps = toSteps(text);
    const { scores, named } = toScores(steps.whole);
    const isSeveral = steps.texts.length > 1;
    const leaders = isSeveral ? addSteps(scores, steps) : [];
    for (const at of exact.get(foldName(text)) ?? []) scores[at] = (scores[at] ?? 0) * weights.exact;
    if (filter) limit(scores, filter);
    const hits = bringForward(toHits(scores), leaders);
    return isSeveral ? hits : keepToNamed(hits, named);
  }

  /** A single step that names a server wants its tools and no others, if the name is no word that others use, too. */
  function keepToNamed(hits: Hit[], named: readonly ServerName[]): Hit[] {
    const meant = new Set(named.filter(({ isProper }) => isProper).map(({ server }) => server));
    const [first] = hits;
    return first && meant.has(first.server) ? hits.filter(({ server }) => meant.has(server)) : hits;
  }

  /** Takes out the tools of other servers; puts in all of a server's when it was only named. */
  function limit(scores: Float64Array, { servers: wanted, isAll }: ServerFilter): void {
    const top = toTop(scores) || 1;
    for (const [at, { server }] of documents.entries()) {
      if (!wanted.has(server)) scores[at] = 0;
      else if (isAll) scores[at] = top + (scores[at] ?? 0);
    }
  }

  function toScores(text: string): { scores: Float64Array; named: readonly ServerName[] } {
    const query = readQuery(text);
    const { scores, said, covered } = scorer(query, documents.length);
    const named = serverNames.filter(({ terms }) => isNamed(terms, said));
    const meant = new Set(named.map(({ server }) => server));
    for (const [at, { server, tool, words }] of documents.entries()) {
      if (scores[at] === 0) continue;
      const verb = query.verb === undefined ? 0 : agreement(query.verb, words.verbs);
      scores[at] =
        (scores[at] ?? 0) *
        (1 + weights.coverage * Math.min(1, covered[at] ?? 0)) *
        (1 + weights.verb * verb) *
        (meant.has(server) ? weights.mention : 1) *
        (1 + weights.habit * toHabit(server, tool));
    }
    return { scores, named };
  }

  function toHabit(server: ServerRecord, tool: ToolRecord): number {
    const calls = isByHabit ? (options.calls?.(server.name, tool.name) ?? 0) : 0;
    return Math.min(1, Math.log1p(Math.max(0, calls)) / Math.log1p(HABIT_CALLS)) || 0;
  }

  /** Adds what each tool is worth to the step that it suits best; the tools that lead a sure step are given back. */
  function addSteps(scores: Float64Array, { texts, areStated }: Steps): ToolRecord[] {
    const top = toTop(scores);
    const steps = texts
      .map((clause) => toScores(clause).scores)
      .map((own) => ({ own, top: toTop(own) }))
      .filter((step) => step.top > 0 && step.top >= weights.clauseFloor * top);
    if (areStated) preferTogether(steps);
    const best = new Float64Array(documents.length);
    const leaders: ToolRecord[] = [];
    for (const { own, top: ownTop } of steps) {
      const leader = documents[own.indexOf(toTop(own))];
      if (leader !== undefined && ownTop >= (areStated ? weights.statedSure : weights.sureClause) * top)
        leaders.push(leader.tool);
      const scale = Math.sqrt(top / ownTop);
      for (const [at, score] of own.entries()) best[at] = Math.max(best[at] ?? 0, score * scale);
    }
    const weight = areStated ? weights.statedStep : weights.clause;
    for (const [at, score] of best.entries()) scores[at] = (scores[at] ?? 0) + weight * score;
    return leaders;
  }

  /** What one task needs is often of one server: a tool gains by what its server has for the other steps. */
  function preferTogether(steps: readonly { readonly own: Float64Array; readonly top: number }[]): void {
    if (steps.length < 2 || weights.together === 0) return;
    const shares = steps.map(({ own, top }) => toServerShares(own, top));
    for (const [at, { own, top }] of steps.entries()) {
      // What is far from the best of a step does not come to lead it by its company.
      const near = weights.togetherNear * top;
      const others = shares.filter((_, other) => other !== at);
      const gains = new Map(
        servers.map((server) => {
          const sum = others.reduce(
            (total, share) => total + (share.get(server) ?? 0) ** weights.togetherPower,
            0,
          );
          return [server, 1 + (weights.together * sum) / others.length];
        }),
      );
      for (const [document, { server }] of documents.entries()) {
        const score = own[document] ?? 0;
        if (score >= near) own[document] = score * (gains.get(server) ?? 1);
      }
    }
  }

  /** How near the best tool of each server comes to the best of all. */
  function toServerShares(own: Float64Array, top: number): Map<ServerRecord, number> {
    const shares = new Map<ServerRecord, number>();
    for (const [at, { server }] of documents.entries()) {
      const share = (own[at] ?? 0) / top;
      if (share > (shares.get(server) ?? 0)) shares.set(server, share);
    }
    return shares;
  }

  function toHits(scores: Float64Array): Hit[] {
    const least = Math.max(toTop(scores) * weights.cutOff, Number.MIN_VALUE);
    const hits = documents.flatMap(({ server, tool }, at) => {
      const score = scores[at] ?? 0;
      return score >= least ? [{ server, tool, score }] : [];
    });
    return hits.sort((a, b) => b.score - a.score);
  }

  function toNameTerms(server: ServerRecord): (number | undefined)[] {
    const words = toNameWords(server).terms.filter(({ stem }) => stem !== "server");
    return words.map(({ stem }) => postings.idOf(stem));
  }

  function isOnlyOf(server: ServerRecord, term: number | undefined): boolean {
    if (term === undefined) return false;
    let isOnly = true;
    postings.eachWorth(term, (at) => {
      isOnly &&= documents[at]?.server === server;
    });
    return isOnly;
  }

  return {
    rank,
    excludes(query, server) {
      const filter = filters.read(query.slice(0, MAX_QUERY));
      return filter !== undefined && ![...filter.servers].some(({ name }) => name === server);
    },
    notes(query, hits) {
      const text = query.slice(0, MAX_QUERY);
      const name = filters.markedName(text);
      const wanted = name === undefined ? undefined : filters.read(text)?.servers;
      if (name === undefined || hits.some(({ server }) => wanted?.has(server))) return [];
      const quoted = JSON.stringify(toExcerpt(name, MAX_QUOTED));
      return [`${wanted ? `nothing in ${quoted}` : `no server ${quoted}`}; all were searched`];
    },
    near: (query, limit) => toNearNames(documents, query, limit),
  };
}

/** A short answer shows the best tool of each step: it takes the place of the last tool that is no step's best. */
function bringForward(found: readonly Hit[], leaders: readonly ToolRecord[]): Hit[] {
  const steps = new Map<ToolRecord, number>();
  for (const [step, tool] of leaders.entries()) if (!steps.has(tool)) steps.set(tool, step);
  const hits = found.map((hit) => {
    const step = steps.get(hit.tool);
    return step === undefined ? hit : { ...hit, step };
  });
  for (const leader of steps.keys()) {
    const from = hits.findIndex(({ tool }) => tool === leader);
    const to = hits.findLastIndex(({ step }, at) => at < FIRST && step === undefined);
    const [hit] = from >= FIRST && to !== -1 ? hits.splice(from, 1) : [];
    if (hit !== undefined) hits.splice(to, 0, { ...hit, score: hits[to]?.score ?? hit.score });
  }
  return hits;
}

function* toDocuments(servers: readonly ServerRecord[]): Work<Document[]> {
  const lengths = toIndexedLengths(servers);
  const documents: Document[] = [];
  for (const server of servers) {
    const serverWords = yield* toServerWords(server, lengths.get(server) ?? 0);
    for (const [at, tool] of server.tools.entries()) {
      const words = serverWords.tools[at];
      if (words !== undefined) documents.push({ server, tool, words, serverWords });
    }
  }
  return documents;
}

function* toSpelledWords(documents: readonly Document[]): Work<Set<string>> {
  const words = new Set<string>();
  for (const { words: own, serverWords } of documents) {
    for (const { stem } of [...own.name.terms, ...serverWords.server.terms]) words.add(stem);
    yield;
  }
  return words;
}

/** A server is named when each word of its name is said as it is, not by a synonym. */
function isNamed(terms: readonly (number | undefined)[], said: ReadonlyMap<number, number>): boolean {
  return terms.length > 0 && terms.every((term) => term !== undefined && (said.get(term) ?? 0) >= 0.9);
}

export function toTop(scores: Float64Array): number {
  let top = 0;
  for (const score of scores) if (score > top) top = score;
  return top;
}
