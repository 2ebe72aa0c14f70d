import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Consumer, createConsumer } from "../fixtures/consumer.ts";
import { fixture } from "../fixtures/project.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NODE = { types: ["node"] };

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
  await cp(join(ROOT, "test/fixtures/servers"), join(consumer.dir, "servers"), { recursive: true });
});
afterAll(() => consumer.remove());

/** The TypeScript blocks of a page, below a heading if one is given, as one program. */
async function blocksOf(page: string, heading = ""): Promise<string> {
  const text = await readFile(join(ROOT, page), "utf8");
  const from = text.slice(text.indexOf(heading) + heading.length);
  const section = heading === "" ? from : from.slice(0, from.indexOf("\n## "));
  return [...section.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code).join("\n");
}

/** What a user relies on: that these are the types, and that the unions are closed. */
const USE = `
import { type ApprovalRequest, createKeyhole, KeyholeError, type OwnerAnswer, type RunFailure, type RunResult, type SearchAnswer } from "keyhole-mcp";

declare const never: (value: never) => string;

export async function main(parent: { signal?: undefined }): Promise<string[]> {
  await using keyhole = await createKeyhole({
    servers: { a: { command: "x", env: { A: "1" } } },
    securityLevel: "high",
    sandboxMode: "auto",
    permissions: { level: undefined, rules: [{ tool: "x", args: { "$.to": { matches: "@" } }, decision: "ask" }] },
    approval: { holdMs: 1, channels: ["library", "cli"] },
    onApproval: async (approval: ApprovalRequest, { signal }): Promise<OwnerAnswer> => {
      const known: boolean = approval.calls.some(({ args, mayHaveHappened }) => args["to"] === 1 && mayHaveHappened);
      const level: string | undefined = approval.risk?.level;
      return known || level || signal.aborted ? { decision: "deny", reason: "no" } : { decision: "approve", edits: { 1: { to: 2 } } };
    },
    ...parent && {},
  });
  const listed: readonly { name: string }[] = (await keyhole.search()).servers;
  const texts = [describeSearch(await keyhole.search("x", { limit: undefined })), String(listed.length)];
  const result = await keyhole.run("return 1", { limits: { timeoutMs: 1 }, signal: parent.signal });
  const task = await keyhole.executeTask({ id: "1", code: "return 1" });
  const tool = keyhole.tools()[0];
  const server = keyhole.servers()[0];
  if (server?.error instanceof KeyholeError) texts.push(server.error.code, server.error.hint ?? "");
  return [...texts, describe(result), describe(task), task.taskId ?? "", tool?.function ?? "", server?.status ?? ""];
}

function describeSearch(answer: SearchAnswer): string {
  if (answer.tools) return answer.tools[0]?.function ?? String(answer.total);
  return answer.servers[0]?.about ?? answer.text;
}

function describe(result: RunResult): string {
  const { seenTokens, keptTokens, directTokens, catalogTokens, marginTokens, calls, mediaBlocks } = result.receipt;
  const sum: number = seenTokens + keptTokens + directTokens + catalogTokens + marginTokens + calls + mediaBlocks;
  if (result.status === "waiting") return result.for.map(({ kind }) => kind).join();
  if (!result.ok) return describeFailure(result.error);
  const nothing: undefined = result.error;
  return JSON.stringify([result.result, sum, nothing, result.calls[0]?.ms, result.logs[0]?.level]);
}

function describeFailure(error: RunFailure): string {
  switch (error.kind) {
    case "types":
      return error.errors.map(({ line, message }) => line + message).join();
    case "syntax": case "import": case "too_large":
      return error.excerpt ?? "";
    case "tier":
      return error.tier;
    case "language":
      return error.message;
    case "denied":
      return error.findings.map(({ rule, fix }) => rule + fix).join();
    case "timeout": case "cpu": case "memory": case "output": case "calls": case "frame": case "disk":
      return String(error.limit?.allowed);
    case "exception": case "tool_error": case "stuck": case "exit": case "crash": case "protocol": case "cancelled": case "sandbox": case "diverged": case "store_unusable":
      return [error.name, error.server, error.location?.line].join();
    default:
      return never(error);
  }
}
`;

describe("a strict project", () => {
  const libraries = { "no other types": {}, "the DOM's": { lib: ["es2022", "dom"] }, "Node's": NODE };
  const cases = Object.entries(libraries).flatMap(([name, options]) =>
    ["nodenext", "bundler"].map((resolution) => [name, resolution, options] as const),
  );

  it.each(cases)(
    "compiles against the packed types with %s, by %s [library-types]",
    async (_name, resolution, options) => {
      const module = resolution === "bundler" ? "esnext" : "nodenext";
      expect(await consumer.compile(USE, { ...options, module, moduleResolution: resolution })).toBe("");
    },
  );

  it("is told of what is not there [library-types]", async () => {
    const lines = [
      'import { createKeyhole, type RunResult } from "keyhole-mcp";',
      'export const option = createKeyhole({ projct: "." });',
      "export const limit = createKeyhole({ limits: { timeout: 1 } });",
      "export const yes = createKeyhole({ onApproval: () => true });",
      'export const rule = createKeyhole({ permissions: { rules: [{ tool: "x", decision: "maybe" }] } });',
      'export const kind = (run: RunResult) => run.error?.kind === "nope";',
      "export const early = (run: RunResult) => run.error.kind;",
      'export const tools = createKeyhole().then(async (keyhole) => (await keyhole.search("x")).tools.length);',
    ];
    const said = await consumer.compile(lines.join("\n"), {});
    expect([...said.matchAll(/^main\.ts\((\d+),/gm)].map(([, line]) => Number(line))).toEqual([
      2, 3, 4, 5, 6, 7, 8,
    ]);
  });
});

describe("the documentation of the library", () => {
  it("compiles and runs as it stands in docs/library.md [library-docs]", async () => {
    expect(await consumer.compile(await blocksOf("docs/library.md"), NODE)).toBe("");
    const said = await consumer.run();
    expect(said).toContain("github ready 2 \n");
    expect(said).toMatch(/^docs \w+ \d+/m);
    expect(said).toContain("[ 'Crash on start' ]");
    expect(said).toContain("\ntimeout\n");
    expect(said).toContain("triage-1 done\n");
    expect(said).toContain("42\n");
    expect(said).toContain("usage This Keyhole is closed");
  });

  it("compiles and runs as it stands in the README [library-docs]", async () => {
    const project = { mcpServers: { github: fixture("github") } };
    await writeFile(join(consumer.dir, ".mcp.json"), JSON.stringify(project));
    expect(await consumer.compile(await blocksOf("README.md", "## As a library"), NODE)).toBe("");
    const said = await consumer.run();
    expect(said).toContain("createIssue");
    expect(said).toContain("Crash on start");
  });

  it("closes by itself with await using, and leaves nothing running [library-close]", async () => {
    const source = `
      import { createKeyhole } from "keyhole-mcp";
      {
        await using keyhole = await createKeyhole({ servers: { github: ${JSON.stringify(fixture("github"))} } });
        console.log((await keyhole.run("return 1")).ok);
      }
      console.log("closed");
    `;
    expect(await consumer.compile(source, NODE)).toBe("");
    // A child or a timer that was left would keep the process from its end.
    expect(await consumer.run()).toBe("true\nclosed\n");
  });
});
