import type { ServerRecord, ToolRecord } from "../../src/catalog/tool.ts";

const SATURATION = 1.5;
const DAMPING = 0.75;

type Document = {
  readonly server: ServerRecord;
  readonly tool: ToolRecord;
  readonly counts: Map<string, number>;
  readonly length: number;
};

/** Plain BM25 over name and description: what any search has to beat. */
export function createBm25(servers: readonly ServerRecord[]) {
  const documents = servers.flatMap((server) => server.tools.map((tool) => toDocument(server, tool)));
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const holders = new Map<string, number>();
  for (const { counts } of documents)
    for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);

  function toScore({ counts, length }: Document, words: readonly string[]): number {
    let score = 0;
    for (const word of words) {
      const count = counts.get(word) ?? 0;
      const holding = holders.get(word) ?? 0;
      const rarity = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
      const damped = count + SATURATION * (1 - DAMPING + (DAMPING * length) / average);
      score += (rarity * count * (SATURATION + 1)) / damped;
    }
    return score;
  }

  return {
    rank(query: string) {
      const words = toWords(query);
      return documents
        .map((document) => ({
          server: document.server,
          tool: document.tool,
          score: toScore(document, words),
        }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score);
    },
  };
}

function toDocument(server: ServerRecord, tool: ToolRecord): Document {
  const words = toWords(`${tool.name} ${tool.description}`);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { server, tool, counts, length: words.length };
}

function toWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
