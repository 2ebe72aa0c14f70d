import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import {
  type EmbeddingsEndpoint,
  startEmbeddingsEndpoint,
} from "../../../test/fixtures/embeddings-endpoint.ts";
import { openStateDir, type StateDir } from "../../store/state-dir.ts";
import { createSearch } from "../search.ts";
import { createReranker } from "./rerank.ts";

const tool = (name: string, description: string) =>
  toolRecord({ name, identifiers: { typescript: name, python: name }, description });
const shop = serverRecord("shop", [
  tool("listFelines", "All the felines of the shelter"),
  tool("listPapers", "Papers on the shelf, and who wants to read about pets"),
  ...Array.from({ length: 150 }, (_, i) => tool(`filler${i}`, `Number ${i} of the fillers`)),
]);
const PETS = ["feline", "zorblat"];

let dir: string;
let state: StateDir;
let endpoint: EmbeddingsEndpoint;
let notices: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-embeddings-"));
  state = await openStateDir(dir);
  endpoint = await startEmbeddingsEndpoint([PETS, ["paper"], ["filler"]]);
  notices = [];
});
afterEach(async () => {
  await endpoint.close();
  await rm(dir, { recursive: true });
});

function open(overrides: { model?: string; timeoutMs?: number; apiKey?: string } = {}) {
  const reranker = createReranker({
    url: endpoint.url,
    model: "concepts",
    timeoutMs: 5_000,
    state,
    onNotice: (text) => notices.push(text),
    ...overrides,
  });
  const search = createSearch(() => [shop], { reranker });
  const first = async (query: string) => {
    const answer = await search.answer({ query, detail: "name" });
    return answer.tools?.[0]?.tool;
  };
  return { search, first };
}

describe("search by meaning", () => {
  it("finds what shares no word with the query, and asks in batches", async () => {
    const { search, first } = open({ apiKey: "secret" });
    await search.prepare();
    expect(await first("zorblat")).toBe("listFelines");
    expect(endpoint.seen.map(({ texts }) => texts.length)).toEqual([64, 64, 24, 1]);
    expect(endpoint.seen.every(({ authorization }) => authorization === "Bearer secret")).toBe(true);
  });

  it("keeps the vectors on disk, without the key, and asks only for what is new", async () => {
    await open({ apiKey: "secret" }).search.prepare();
    endpoint.seen.length = 0;
    const { search, first } = open();
    await search.prepare();
    expect(await first("zorblat")).toBe("listFelines");
    expect(await first("zorblat")).toBe("listFelines");
    expect(endpoint.seen.map(({ texts }) => texts)).toEqual([["zorblat"]]);
    expect(await readFile(join(dir, ".keyhole/embeddings.json"), "utf8")).not.toContain("secret");
  });

  it("takes no vectors of another model or from a torn file", async () => {
    await open().search.prepare();
    endpoint.seen.length = 0;
    await open({ model: "other" }).search.prepare();
    expect(endpoint.seen.length).toBeGreaterThan(0);
    await writeFile(join(dir, ".keyhole/embeddings.json"), '{"origin":');
    const { search, first } = open();
    await search.prepare();
    expect(await first("zorblat")).toBe("listFelines");
  });

  it("keeps to the server that is asked for", async () => {
    const other = serverRecord("attic", [tool("listBoxes", "Boxes with feline things")]);
    const reranker = createReranker({
      url: endpoint.url,
      model: "concepts",
      timeoutMs: 5_000,
      state,
    });
    const search = createSearch(() => [shop, other], { reranker });
    await search.prepare();
    const answer = await search.answer({ query: "server:attic zorblat", detail: "name" });
    expect(answer.tools?.map(({ server }) => server)).toEqual(["attic"]);
  });

  it("goes by words while the vectors are being made", async () => {
    const { first } = open();
    expect(await first("papers")).toBe("listPapers");
  });
});

describe("an endpoint that", () => {
  it.each([
    ["refuses", (response: import("node:http").ServerResponse) => response.writeHead(500).end("{}")],
    ["answers nonsense", (response: import("node:http").ServerResponse) => response.end("<html>")],
    ["answers too little", (response: import("node:http").ServerResponse) => response.end('{"data":[]}')],
    [
      "answers with no numbers",
      (response: import("node:http").ServerResponse) =>
        response.end('{"data":[{"index":0,"embedding":[1,"x",null]}]}'),
    ],
    [
      "sends elsewhere",
      (response: import("node:http").ServerResponse) => response.writeHead(302, { location: "/" }).end(),
    ],
    ["is silent", () => {}],
  ])("%s costs a search nothing but its order, once", async (_, answer) => {
    const { search, first } = open({ timeoutMs: 200 });
    await search.prepare();
    endpoint.answerWith(answer);
    endpoint.seen.length = 0;
    expect(await first("papers")).toBe("listPapers");
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain("by words alone");
    // It is left alone for a while.
    expect(await first("fillers of the shelf")).toBeDefined();
    expect(endpoint.seen).toHaveLength(1);
  });

  it("is silent from the start is given up soon, and told of by its address alone", async () => {
    endpoint.answerWith(() => {});
    const { search, first } = open({ timeoutMs: 100, apiKey: "sesame" });
    await search.prepare();
    expect(notices).toEqual([expect.stringMatching(/at http:\/\/127\.0\.0\.1:\d+ did not answer in time/)]);
    expect(await first("papers")).toBe("listPapers");
    expect(notices.join()).not.toContain("sesame");
  });

  it.each([
    ["a line end in the key", { apiKey: "sesame\nopen" }, "apiKey"],
    ["a password in the address", { url: "http://user:sesame@127.0.0.1/v1" }, "url"],
    ["no address", { url: "127.0.0.1 sesame" }, "url"],
  ])("has %s is refused without telling it", (_, wrong, key) => {
    const settings = {
      url: endpoint.url,
      model: "concepts",
      timeoutMs: 100,
      state,
      ...wrong,
    };
    expect(() => createReranker(settings)).toThrow(`"search.embeddings.${key}"`);
    expect(() => createReranker(settings)).not.toThrow(/sesame/);
  });

  it("is not there is told of, and search works", async () => {
    await endpoint.close();
    const { search, first } = open();
    await search.prepare();
    expect(notices[0]).toContain("by words alone");
    expect(await first("papers")).toBe("listPapers");
  });
});
