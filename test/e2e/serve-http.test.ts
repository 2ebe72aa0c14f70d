import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { fixture, onCleanup, tempDir, writeProject } from "../fixtures/project.ts";

const project = (config: object = {}) =>
  writeProject({ ".mcp.json": { mcpServers: { math: fixture("math") } }, "keyhole.config.json": config });

type Served = { url: string; token?: string; tokenFile?: string; printed(): string; child: ChildProcess };

async function serve(dir: string, env: Record<string, string>, args = ["--json"]): Promise<Served> {
  const child = await startKeyhole(dir, ["serve", "--http", "0", ...args], env);
  let printed = "";
  let stdout = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    stdout += text;
  });
  const lines = createInterface(child.stdout ?? process.stdin);
  for await (const line of lines) if (line.startsWith("}") || line.startsWith("Keyhole")) break;
  const data: { url?: string; token?: string; tokenFile?: string } = stdout.startsWith("{")
    ? JSON.parse(stdout)
    : {};
  return { url: "", ...data, printed: () => printed, child };
}

async function connect(url: string, token?: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onCleanup(() => client.close());
  return client;
}

describe("keyhole serve --http", () => {
  it("demands the token of a file of the user's own, made once and kept over restarts [http-token]", async () => {
    const dir = await project();
    const HOME = await tempDir();
    const first = await serve(dir, { HOME });
    const { token = "", tokenFile = "" } = first;
    expect((await readFile(tokenFile, "utf8")).trim()).toBe(token);
    expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
    expect(tokenFile.startsWith(HOME)).toBe(true);
    await expect(connect(first.url)).rejects.toThrow();
    expect((await (await connect(first.url, token)).listTools()).tools).toHaveLength(2);
    first.child.kill("SIGTERM");
    await once(first.child, "exit");
    expect(await serve(dir, { HOME })).toMatchObject({ token, tokenFile });
  });

  it("never prints KEYHOLE_TOKEN [http-token]", async () => {
    const KEYHOLE_TOKEN = "the-environments-own-token";
    for (const args of [["--json"], []]) {
      const served = await serve(await project(), { KEYHOLE_TOKEN }, args);
      if (served.url !== "") await connect(served.url, KEYHOLE_TOKEN);
      served.child.kill("SIGTERM");
      await once(served.child, "close");
      expect(served.printed()).toContain("http://127.0.0.1:");
      expect(served.printed()).not.toContain(KEYHOLE_TOKEN);
      expect(served.printed()).not.toContain('oken":');
    }
  });

  it("takes the tokens of principals from the config, and is open only when that says so [http-token]", async () => {
    const env = { ALICE_TOKEN: "alice-has-a-token-of-her-own", NEXT_TOKEN: "and-another-for-later-on" };
    const both = ["${ALICE_TOKEN}", "${NEXT_TOKEN}"];
    const bob = "bobs-token-is-a-single-one";
    const tokens = await serve(await project({ http: { tokens: { alice: both, bob } } }), env);
    for (const token of [env.ALICE_TOKEN, env.NEXT_TOKEN, bob]) await connect(tokens.url, token);
    await expect(connect(tokens.url, "a-token-of-nobody-at-all")).rejects.toThrow();
    await connect(tokens.url, tokens.token);
    expect(tokens.printed()).not.toContain(env.ALICE_TOKEN);
    const open = await serve(await project({ http: { open: true } }), {});
    expect(open.token).toBeUndefined();
    await connect(open.url);
    expect(open.printed()).toContain("Every user and program of this machine");
  });

  it.each([
    [{ http: { open: true } }, "0.0.0.0:0", "this machine only"],
    [{ http: { tokens: { alice: "secret7" } } }, "0", '"alice" must have at least 16'],
    [{ http: { tokens: { "../alice": "a-token-of-some-length" } } }, "0", "lower-case letters"],
    [{ http: { tokens: { alice: 7777777 } } }, "0", "http.tokens.alice"],
    [{ http: { tokens: { alice: ["a-token-of-some-length", "secret7"] } } }, "0", "at least 16"],
    [{ http: { tokens: { alice: [] } } }, "0", "a token, or a list of tokens"],
    [
      { http: { tokens: { alice: "a-token-of-some-length", bob: ["a-token-of-some-length"] } } },
      "0",
      "the same token",
    ],
    [{ http: { tokens: { alice: "${NOT_SET}" } } }, "0", "NOT_SET"],
  ])("refuses %j at %s", async (config, address, words) => {
    const { code, stderr } = await keyhole(await project(config), ["serve", "--http", address]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/secret7|7777777/);
  });
});
