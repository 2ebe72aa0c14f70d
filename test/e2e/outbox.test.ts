import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { startHttpFront, stdioFront } from "../fixtures/front/clients.ts";
import { writeFrontProject } from "../fixtures/front/project.ts";
import { onCleanup } from "../fixtures/project.ts";

/** In the front's process each sentence that passes the outbox loses its "e", and the word SECRET is hidden. */
const FAILING = `function openSECRETdoor() { throw new TypeError("The SECRET door stays shut") }
console.log("A SECRET line was logged");
openSECRETdoor();`;
const RUN = `console.log("A SECRET line was logged"); console.error("Another one here");
emit({ type: "text", text: "An emitted SECRET for the user" });
emit({ type: "image", data: "U0VDUkVU", mimeType: "image/png" });
await math.addUp({ numbers: [1, 2] });
return { "a SECRET key": ["the SECRET value"], rows: Array.from({ length: 3000 }, (_, n) => ({ n, name: "row of SECRETs " + n })) };`;

const MODES = [{ pin: "2026-07-28" }, "legacy"] as const;
const WAYS = ["stdio", "http"] as const;
const MATRIX = WAYS.flatMap((way) => MODES.map((mode) => ({ way, mode })));

type Message = Record<string, unknown>;

describe.each(MATRIX)("what leaves over $way in the mode $mode", ({ way, mode }) => {
  it("has passed the outbox, every sentence of it, whoever said it [front-outbox]", async () => {
    const transport =
      way === "http"
        ? new StreamableHTTPClientTransport(new URL(await startHttpFront("marked")))
        : new StdioClientTransport(await stdioFront("marked"));
    const messages: Message[] = [];
    transport.onmessage = (message) => void messages.push({ ...message });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    onCleanup(() => client.close());
    await client.connect(transport);
    const progress: string[] = [];
    const onprogress = ({ message = "" }) => void progress.push(message);
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args }, { onprogress }).catch((error: unknown) => error);

    await client.listTools();
    await call("search_tools", { query: "sum of SECRET numbers" });
    await call("search_tools", {});
    await call("search_tools", { "a SECRET argument": 1 });
    await call("execute_code", { code: RUN });
    await call("execute_code", { code: FAILING });
    await call("execute_code", { code: "const SECRET = ; here is no program" });
    await call("execute_code", { code: "SECRET.doesNotExist({})" });
    await call("execute_code", { code: "return 1 // break the engine" });
    await call("execute_code", { code: "print('SECRET of Python')", language: "python" });
    await call("no_SECRET_tool at all", {});
    await client.request({ method: "resources/list", params: {} }).catch(() => {});

    const sent = JSON.stringify(messages);
    expect(sent).not.toContain("SECRET");
    // The image's bytes are no text.
    expect(sent).toContain("U0VDUkVU");
    expect(sentences(messages).filter((text) => text.includes("e"))).toEqual([]);
    expect(client.getInstructions()).toContain("K3yhol3 runs programs against MCP s3rv3rs");
    expect(progress.join("\n")).toContain("A [hid] lin3 was logg3d");
    for (const said of [
      "Runs Typ3Script or Python in a sandbox",
      "An 3mitt3d [hid] for th3 us3r",
      "a [hid] k3y",
      "Th3 [hid] door stays shut",
      "a [hid] argum3nt",
      "no_[hid]_tool",
      "K3yhol3 fail3d to do this",
    ])
      expect(sent).toContain(said);
  });
});

describe("what an HTTP front refuses without a session", () => {
  it("has passed the outbox as well [front-outbox]", async () => {
    const url = await startHttpFront("marked");
    const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    const answers = await Promise.all(
      [
        fetch(url, { method: "POST", headers: { "content-type": "text/plain" }, body }),
        fetch(url, { method: "POST", headers: json, body: "{" }),
        fetch(url, { method: "POST", headers: { ...json, origin: "http://SECRET.example" }, body }),
        fetch(url, { method: "POST", headers: { ...json, "mcp-session-id": "SECRET" }, body }),
        fetch(url, { method: "POST", headers: { ...json, "mcp-protocol-version": "SECRET of old" }, body }),
        fetch(url, { method: "POST", headers: { ...json, accept: "text/plain" }, body }),
        fetch(url, { method: "DELETE" }),
        fetch(`${url}/elsewhere`),
      ].map(async (answer) => {
        const response = await answer;
        return { status: response.status, said: await response.json() };
      }),
    );
    expect(answers.every(({ status }) => status >= 400)).toBe(true);
    const said = sentences(answers);
    expect(said.length).toBeGreaterThan(6);
    expect(said.filter((text) => text.includes("e") || text.includes("SECRET"))).toEqual([]);
  });
});

describe("what a command prints", () => {
  const WORDS = { lang: "ts", tier: "process", trust: true };
  const commands = [
    ["search", {}, "sum of SECRET numbers"],
    ["search", {}],
    ["search", { json: true }, "sum of numbers"],
    ["run", { eval: RUN }],
    ["run", { eval: RUN, json: true }],
    ["run", { eval: FAILING }],
    ["run", { eval: FAILING, json: true }],
    ["run", {}, "no/SECRET/file of that name.ts"],
    ["run", { json: true }, "no/SECRET/file of that name.ts"],
    ["tools", {}],
    ["tools", { json: true }],
    ["tools", {}, "no SECRET server"],
  ] as const;

  it("has passed the outbox: a model with a shell reads it [front-outbox]", async () => {
    const dir = await writeFrontProject();
    const printed = await Promise.all(
      commands.map(([name, options, ...args]) =>
        printedBy([dir, name, JSON.stringify({ ...WORDS, ...options }), ...args]),
      ),
    );
    for (const [index, all] of printed.entries()) {
      expect(all).not.toContain("SECRET");
      const isJson = "json" in (commands[index]?.[1] ?? {});
      const said = isJson ? sentences(JSON.parse(all)) : all.split("\n").filter((line) => line.includes(" "));
      expect(said.length).toBeGreaterThan(0);
      expect(said.filter((line) => line.includes("e"))).toEqual([]);
    }
    expect(printed[4]).toContain("U0VDUkVU");
  });
});

/** Standard output, and where that is no JSON standard error too. */
async function printedBy(args: readonly string[]): Promise<string> {
  const script = fileURLToPath(new URL("../fixtures/front/command.js", import.meta.url));
  const env = { ...process.env, HOME: args[0] };
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return args[2]?.includes('"json":true') ? out : `${out}${err}`;
}

/** All texts with a space, keys included: words of the protocol have none. */
function sentences(value: unknown): string[] {
  if (typeof value === "string") return value.trim().includes(" ") ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, nested]) => [...sentences(key), ...sentences(nested)]);
}
