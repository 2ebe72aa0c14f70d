import type { ServerRecord } from "../../src/catalog/tool.ts";
import { toTypeScriptSignature } from "../../src/codegen/typescript/signature.ts";
import { createToolIndex } from "../../src/search/query/rank.ts";
import { toSentence } from "../../src/search/show/first-sentence.ts";

const SHOWN = 5;
const MAX_DESCRIPTION = 160;

/** The answers to compare with: the first five, a sentence and a signature each, as they were before there were notes. */
export function createSignaturesOnly(servers: readonly ServerRecord[]): (query: string) => Promise<string> {
  const index = createToolIndex(servers);
  return async (query) =>
    index
      .rank(query)
      .slice(0, SHOWN)
      .map(({ server, tool }) => {
        const { code } = toTypeScriptSignature(tool, server, "whole");
        const about = toSentence(tool.description, MAX_DESCRIPTION);
        return about === "" ? code : `// ${about}\n${code}`;
      })
      .join("\n");
}
