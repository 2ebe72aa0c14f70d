import { toKeyholeError } from "../../errors.ts";
import { withTimeLimit } from "../../process/time-limit.ts";
import type { SearchableServer } from "../answer.ts";
import type { Hit } from "../query/rank.ts";
import { createEndpoint, type EndpointSettings, type Vector } from "./endpoint.ts";
import { openVectorStore, type VectorFiles, type VectorStore } from "./vector-store.ts";

/** A second opinion on the order of hits, by meaning rather than by words. */
export type Reranker = {
  /** Never fails and never takes longer than its time: then the hits stay as they are. */
  rerank(query: string, hits: readonly Hit[], servers: readonly SearchableServer[]): Promise<readonly Hit[]>;
  /** Makes the vectors that are missing. */
  prepare(servers: readonly SearchableServer[], signal?: AbortSignal): Promise<void>;
};

export type RerankerOptions = EndpointSettings & {
  /** What a search may wait for its query's vector. */
  readonly timeoutMs: number;
  /** Where the vectors of tools are kept. */
  readonly state: VectorFiles;
  readonly onNotice?: (text: string) => void;
  /** Ends what goes on in the background. */
  readonly signal?: AbortSignal;
};

const BATCH = 64;
const BATCH_TIMEOUT_MS = 30_000;
/** So many by each of the two orders can come to the top. */
const CANDIDATES = 50;
/** Reciprocal rank fusion: the larger, the less it matters to be the very first. */
const FUSION = 10;
/** An endpoint that failed is left alone for so long. */
const PAUSE_MS = 30_000;
const MAX_TEXT = 1_500;
const MAX_QUERY = 4_000;
const MAX_KNOWN_QUERIES = 200;

export function createReranker(options: RerankerOptions): Reranker {
  const endpoint = createEndpoint(options);
  const opening = openVectorStore(options.state, `${options.url} ${options.model}`);
  const queries = new Map<string, Vector>();
  let pausedUntil = 0;
  let preparing: Promise<void> | undefined;

  function pause(error: unknown): void {
    pausedUntil = Date.now() + PAUSE_MS;
    options.onNotice?.(`Search goes by words alone for now: ${toKeyholeError(error).message}`);
  }

  async function makeMissing(servers: readonly SearchableServer[], signal: AbortSignal): Promise<void> {
    const store = await opening;
    const texts = [...new Set(servers.flatMap(toTexts))];
    const missing = texts.filter((text) => store.get(text) === undefined);
    try {
      for (let at = 0; at < missing.length; at += BATCH) {
        const batch = missing.slice(at, at + BATCH);
        // An endpoint that does not answer the first request is not waited for as one that is merely slow.
        const patience = at === 0 ? 2 * options.timeoutMs : BATCH_TIMEOUT_MS;
        const vectors = await withTimeLimit(patience, [signal], (limits) => endpoint.embed(batch, limits));
        for (const [index, vector] of vectors.entries()) store.put(batch[index] ?? "", vector);
      }
    } finally {
      // What was made is kept, also when the endpoint gave up half-way.
      await store.save(texts).catch(() => {});
    }
  }

  async function toQueryVector(query: string): Promise<Vector | undefined> {
    const known = queries.get(query);
    if (known) return known;
    const [vector] = await endpoint.embed([query], AbortSignal.timeout(options.timeoutMs));
    if (vector) queries.set(query, vector);
    const [oldest] = queries.keys();
    if (queries.size > MAX_KNOWN_QUERIES && oldest !== undefined) queries.delete(oldest);
    return vector;
  }

  function prepare(servers: readonly SearchableServer[], signal?: AbortSignal): Promise<void> {
    const ends = AbortSignal.any([signal, options.signal].filter((one) => one !== undefined));
    preparing ??= makeMissing(servers, ends)
      .catch((error: unknown) => (ends.aborted ? undefined : pause(error)))
      .finally(() => {
        preparing = undefined;
      });
    return preparing;
  }

  return {
    prepare,
    async rerank(query, hits, servers) {
      if (Date.now() < pausedUntil) return hits;
      const store = await opening;
      if (servers.some((server) => toTexts(server).some((text) => store.get(text) === undefined))) {
        void prepare(servers);
        return hits;
      }
      try {
        const vector = await toQueryVector(query.slice(0, MAX_QUERY));
        return vector === undefined ? hits : fuse(hits, nearest(vector, servers, store));
      } catch (error) {
        pause(error);
        return hits;
      }
    },
  };
}

function toTexts({ name, tools }: SearchableServer): string[] {
  return tools.map((tool) => toText(name, tool));
}

function toText(
  server: string,
  { name, title = "", description }: SearchableServer["tools"][number],
): string {
  const words = name.replace(/([a-z])([A-Z])|[_-]+/g, "$1 $2");
  return `${server}: ${words}. ${title} ${description}`.slice(0, MAX_TEXT);
}

/** The tools whose vectors are nearest to the query's, best first. */
function nearest(query: Vector, servers: readonly SearchableServer[], store: VectorStore): Hit[] {
  const hits = servers.flatMap((server) =>
    server.tools.map((tool) => {
      const vector = store.get(toText(server.name, tool));
      return { server, tool, score: vector === undefined ? -1 : toCosine(query, vector) };
    }),
  );
  return hits.sort((one, other) => other.score - one.score).slice(0, CANDIDATES);
}

/** A model that was replaced gives vectors of another length, which say nothing about each other. */
function toCosine(one: Vector, other: Vector): number {
  if (one.length !== other.length) return -1;
  let product = 0;
  let lengthOne = 0;
  let lengthOther = 0;
  for (let at = 0; at < one.length; at++) {
    const a = one[at] ?? 0;
    const b = other[at] ?? 0;
    product += a * b;
    lengthOne += a * a;
    lengthOther += b * b;
  }
  return product / (Math.sqrt(lengthOne * lengthOther) || 1);
}

/** What either order puts high comes high; what both do, higher. */
function fuse(byWords: readonly Hit[], byMeaning: readonly Hit[]): Hit[] {
  const fused = new Map<Hit["tool"], Hit>();
  for (const order of [byWords.slice(0, CANDIDATES), byMeaning]) {
    for (const [rank, hit] of order.entries()) {
      const known = fused.get(hit.tool)?.score ?? 0;
      fused.set(hit.tool, { ...hit, score: known + 1 / (FUSION + rank) });
    }
  }
  const first = [...fused.values()].sort((one, other) => other.score - one.score);
  return [...first, ...byWords.slice(CANDIDATES).filter(({ tool }) => !fused.has(tool))];
}
