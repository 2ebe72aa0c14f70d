import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export type Mode = "egress" | "boundary" | "off";

export const MODES = ["egress", "boundary"] as const;

/** A program that was run, and everything that came back to the client. */
export type Answered = {
  readonly isError: boolean;
  /** The texts that a model reads. */
  readonly text: string;
  /** The whole answer, and what was told while it was made. */
  readonly visible: unknown;
  readonly result: unknown;
};

export type PrivateFront = {
  readonly dir: string;
  run(code: string): Promise<Answered>;
  close(): Promise<void>;
};

export type FrontOptions = {
  readonly distDir: string;
  readonly servers: (dir: string) => { readonly [name: string]: readonly string[] };
  readonly mode: Mode;
};

/** `keyhole serve` over fixture servers, in a project and with a home folder of their own. */
export async function openPrivateFront({ distDir, servers, mode }: FrontOptions): Promise<PrivateFront> {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-bench-"));
  const mcpServers = Object.fromEntries(
    Object.entries(servers(dir)).map(([name, [script = "", ...args]]) => [
      name,
      { command: process.execPath, args: [resolve("test/fixtures/servers", `${script}.js`), ...args] },
    ]),
  );
  const privacy = mode === "off" ? { piiTokenization: false } : { privacy: { mode } };
  // They write, and nobody is there to be asked.
  const config = { securityLevel: "low", ...privacy };
  await writeFile(join(dir, ".mcp.json"), JSON.stringify({ mcpServers }));
  await writeFile(join(dir, "keyhole.config.json"), JSON.stringify(config));
  const client = new Client({ name: "bench", version: "1.0.0" });
  let told: unknown[] = [];
  client.fallbackNotificationHandler = async (notification) => {
    told.push(notification);
  };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(distDir, "cli/main.js"), "serve", "--trust"],
      cwd: dir,
      env: { PATH: process.env["PATH"] ?? "", HOME: dir },
      stderr: "ignore",
    }),
  );
  return {
    dir,
    async run(code) {
      told = [];
      const answer = await client.callTool(
        { name: "execute_code", arguments: { code } },
        { timeout: 120_000, onprogress: (progress) => told.push(progress) },
      );
      const blocks = Array.isArray(answer.content) ? answer.content : [];
      const data = answer._meta?.["keyhole/result"] as { result?: unknown } | undefined;
      return {
        isError: answer.isError === true,
        text: blocks.map((block) => (block.type === "text" ? block.text : "")).join("\n"),
        visible: [answer, told],
        result: data?.result,
      };
    },
    async close() {
      await client.close();
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}
