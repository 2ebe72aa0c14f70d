import { describe, expect, it } from "vitest";
import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import { countCatalogTokens, toDefinitionText } from "../tokens/catalog-tokens.ts";
import { loadTokenCounter } from "../tokens/tokens.ts";
import { createReceiptBook, toDirectResult } from "./receipt.ts";

describe("createReceiptBook", () => {
  it("counts what was seen, what stayed, and the direct way", async () => {
    const counter = await loadTokenCounter();
    const book = createReceiptBook(counter, () => 1000);
    const argumentsText = '{"repo":"a/b"}';
    const rows = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, title: `Issue ${id}` })));
    book.addCall({
      server: "github",
      tool: "list_issues",
      argumentsText,
      result: { text: rows, mediaBlocks: 0 },
    });
    book.addCall({
      server: "github",
      tool: "get_icon",
      argumentsText: "{}",
      result: { text: "", mediaBlocks: 1 },
    });
    const code = 'return (await github.listIssues({ repo: "a/b" })).length;';
    const receipt = book.finish({ code, text: "100", phasesMs: { check: 3, run: 12 } });
    const flowed = counter.count(argumentsText) + counter.count(rows) + counter.count("{}");
    const names = counter.count("github__list_issues") + counter.count("github__get_icon");
    expect(receipt).toEqual({
      seenTokens: counter.count(JSON.stringify({ code })) + 1,
      codeTokens: counter.count(JSON.stringify({ code })),
      keptTokens: flowed - 1,
      directTokens: 1000 + names + flowed,
      catalogTokens: 1000,
      marginTokens: 0,
      calls: 2,
      mediaBlocks: 1,
      phasesMs: { check: 3, run: 12 },
    });
  });

  it("estimates what was seen where it is very long, with its margin", async () => {
    const book = createReceiptBook(await loadTokenCounter(), () => 0);
    const text = Array.from({ length: 200_000 }, (_, n) => `row ${n} of many`).join("\n");
    const { seenTokens, marginTokens } = book.finish({ code: "u__".repeat(300_000), text, phasesMs: {} });
    expect(marginTokens).toBeGreaterThan(0);
    expect(seenTokens).toBeGreaterThan(1_000_000);
  });

  it("never says that more stayed than can have stayed", async () => {
    const book = createReceiptBook(await loadTokenCounter(), () => 0);
    book.addCall({ server: "s", tool: "t", argumentsText: "{}", result: { text: "short", mediaBlocks: 0 } });
    const receipt = book.finish({
      code: "",
      text: "a text longer than the result of the call",
      phasesMs: {},
    });
    expect(receipt.keptTokens).toBe(0);
  });

  it("states a margin when a result was too long to count whole", async () => {
    const book = createReceiptBook(await loadTokenCounter(), () => 0);
    const text = Array.from({ length: 60_000 }, (_, id) => `row ${id} ${"word ".repeat(id % 9)}`).join("\n");
    book.addCall({ server: "s", tool: "t", argumentsText: "{}", result: { text, mediaBlocks: 0 } });
    const receipt = book.finish({ code: "", text: "", phasesMs: {} });
    expect(receipt.marginTokens).toBeGreaterThan(0);
    expect(receipt.marginTokens).toBeLessThan(receipt.directTokens / 4);
  });
});

describe("toDirectResult", () => {
  it("is the text of a result, the structured content without one, and media by number", () => {
    const content = [
      { type: "text", text: "one" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource", resource: { uri: "x:y", text: "two" } },
      { type: "resource", resource: { uri: "x:z", blob: "AAAA" } },
    ];
    expect(toDirectResult(content, { a: 1 })).toEqual({ text: "one\ntwo", mediaBlocks: 2 });
    expect(toDirectResult([], { a: 1 })).toEqual({ text: '{"a":1}', mediaBlocks: 0 });
  });
});

describe("countCatalogTokens", () => {
  it("counts name, description and input schema of every tool, and again when one changed", async () => {
    const counter = await loadTokenCounter();
    const [one, two] = [toTool("a", "First"), toTool("b", "Second")];
    const tokens = (...tools: ToolRecord[]) =>
      tools.reduce((sum, tool) => sum + counter.count(toDefinitionText(tool)), 0);
    expect(await countCatalogTokens([toServer(one, two)])).toBe(tokens(one, two));
    const changed = { ...two, description: "Second, and now with more to say", hash: "h-new" };
    expect(await countCatalogTokens([toServer(one, changed)])).toBe(tokens(one, changed));
    expect(toDefinitionText(one)).not.toContain("output");
  });

  it("does not count a definition again whose hash it knows", async () => {
    const tool = toTool("c", "Third");
    const first = await countCatalogTokens([toServer(tool)]);
    const sameHash = { ...tool, description: "Third, with other words but the same hash" };
    expect(await countCatalogTokens([toServer(sameHash)])).toBe(first);
  });

  it("guesses what is more than it may count in one go, and counts it when it is asked again", async () => {
    const server = toServer(...Array.from({ length: 5 }, (_, n) => toTool(`many${n}`, "Word ".repeat(200))));
    const counts: number[] = [];
    for (let n = 0; n < 6; n++) counts.push(await countCatalogTokens([server], 1));
    const exact = await countCatalogTokens([server]);
    expect(counts[0]).not.toBe(exact);
    expect(counts.slice(4)).toEqual([exact, exact]);
  });

  it("does not read all of a definition that is far too long", async () => {
    const counter = await loadTokenCounter();
    const long = toTool("long", "Some words to read. ".repeat(5_000));
    const exact = counter.count(toDefinitionText(long));
    const counted = await countCatalogTokens([toServer(long)]);
    expect(counted / exact).toBeCloseTo(1, 1);
  });
});

function toServer(...tools: ToolRecord[]): ServerRecord {
  return { name: "s", identifiers: { typescript: "s", python: "s" }, folder: "s", tools };
}

function toTool(name: string, description: string): ToolRecord {
  return {
    server: "s",
    name,
    identifiers: { typescript: name, python: name },
    description,
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
    outputSchema: { type: "object", properties: { output: { type: "string" } } },
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    trusted: false,
    hash: `h-${name}`,
    since: "",
    warnings: [],
  };
}
