import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client, type ElicitRequest } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, homeOf, onCleanup, tempDir, writeProject, writeUserConfig } from "../fixtures/project.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BIN = join(ROOT, "dist/cli/main.js");
const LETTER = 'return (await post.sendMail({ to: "ada" })).sent';
const ANN = { authorization: "Bearer the-token-of-ann-0123456789" };
const BEN = { authorization: "Bearer the-token-of-ben-0123456789" };
const APPROVERS = { approvers: { ann: "${ANN}", ben: "${BEN}" } };
const TOKENS = { ANN: ANN.authorization.slice(7), BEN: BEN.authorization.slice(7) };

async function open(config: object = {}) {
  const file = join(await tempDir(), "sent");
  const dir = await writeProject({
    ".mcp.json": { mcpServers: { post: fixture("postbox", file) } },
  });
  // Who answers is the user's own to say.
  await writeUserConfig(dir, config);
  const sent = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  const json = async (...args: string[]) =>
    JSON.parse((await keyhole(dir, [...args, "--json"], TOKENS)).stdout);
  return { dir, sent, json };
}

async function serve(dir: string, env: Record<string, string> = {}): Promise<string> {
  const child = await startKeyhole(dir, ["serve", "--http", "0", "--json"], { ...TOKENS, ...env });
  let stdout = "";
  for await (const line of createInterface(child.stdout ?? process.stdin)) {
    stdout += line;
    if (line.startsWith("}")) break;
  }
  return new URL("/", JSON.parse(stdout).url).href;
}

const answerBy = (base: string, id: string, headers: Record<string, string>, answer: object) =>
  fetch(`${base}approvals/${id}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(answer),
  }).then(async (response) => ({ status: response.status, text: await response.text() }));

async function pendingId(base: string): Promise<string> {
  return until(async () => {
    const { approvals } = (await (await fetch(`${base}approvals`, { headers: ANN })).json()) as {
      approvals: { id: string }[];
    };
    return approvals[0]?.id;
  }, "a question");
}

type Era = "modern" | "legacy";

/** A client that says yes to every form and shows none to anybody. */
async function connectBlindly(dir: string, era: Era) {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const capabilities = { elicitation: { form: {} } };
  const client = new Client({ name: "blind", version: "1" }, { versionNegotiation: { mode }, capabilities });
  const asked: ElicitRequest["params"][] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params);
    return { action: "accept", content: { decision: "once" } };
  });
  const env = { PATH: process.env["PATH"] ?? "", HOME: await homeOf(dir) };
  const args = [BIN, "serve", "--trust"];
  onCleanup(() => client.close());
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd: dir, env, stderr: "ignore" }),
  );
  const run = async () => {
    const { _meta } = await client.callTool({ name: "execute_code", arguments: { code: LETTER } });
    return (_meta as Record<string, unknown>)["keyhole/result"];
  };
  return { asked, run };
}

describe.each<Era>(["modern", "legacy"])("a client of the %s era that shows its forms to nobody", (era) => {
  it("is taken at its word, which is kept with the answer [approvals-elicitation]", async () => {
    const { dir, sent, json } = await open();
    const { asked, run } = await connectBlindly(dir, era);
    expect(await run()).toMatchObject({ status: "done", result: "ada" });
    expect(asked).toMatchObject([{ message: expect.stringContaining('      "to": "ada"') }]);
    expect(sent()).toHaveLength(1);
    expect((await json("approvals", "list", "--all")).approvals).toMatchObject([
      { status: "approved", answer: { by: "elicitation blind" } },
    ]);
  });

  it("answers nothing where approval.channels leaves elicitation out [approvals-elicitation]", async () => {
    const { dir, sent, json } = await open({ approval: { channels: ["cli"], holdMs: 200 } });
    const { asked, run } = await connectBlindly(dir, era);
    expect(await run()).toMatchObject({ status: "waiting" });
    expect([asked, sent()]).toEqual([[], []]);
    expect((await json("approvals", "list")).approvals).toMatchObject([{ status: "pending" }]);
  });
});

describe("approvals over HTTP", () => {
  it("take the first of two answers that come at once; the other is told by whom [approvals-http]", async () => {
    const { dir, sent } = await open({ http: APPROVERS });
    const base = await serve(dir);
    const run = keyhole(dir, ["run", "-e", LETTER], TOKENS);
    const id = await pendingId(base);
    const answers = await Promise.all([
      answerBy(base, id, ANN, { decision: "approve" }),
      answerBy(base, id, BEN, { decision: "approve" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toMatch(/approved already by http (ann|ben)/);
    expect(await run).toMatchObject({ code: 0, stdout: expect.stringContaining("ada") });
    expect(sent()).toHaveLength(1);
  });

  it("take no answer after its time, and the same program asks anew [approvals-http]", async () => {
    const { dir, sent } = await open({ http: APPROVERS, approval: { expiresMs: 400 } });
    const base = await serve(dir);
    const denied = await keyhole(dir, ["run", "--json", "-e", LETTER], TOKENS);
    expect([denied.code, denied.stdout]).toEqual([3, expect.stringContaining("nobody answered in time")]);
    const list = JSON.parse((await keyhole(dir, ["approvals", "list", "--all", "--json"], TOKENS)).stdout);
    const [{ id, status }] = list.approvals;
    expect(status).toBe("expired");
    const late = await answerBy(base, id, ANN, { decision: "approve" });
    expect([late.status, late.text]).toEqual([409, expect.stringContaining("is expired already")]);
    expect((await keyhole(dir, ["approvals", "deny", id], TOKENS)).code).toBe(2);
    // Long enough for somebody to see the next one.
    await writeUserConfig(dir, { http: APPROVERS });
    const again = keyhole(dir, ["run", "-e", LETTER], TOKENS);
    const next = await until(async () => {
      const found = await fetch(`${base}approvals`, { headers: ANN }).then((response) => response.text());
      return JSON.parse(found).approvals[0]?.id as string | undefined;
    }, "another question");
    expect(next).not.toBe(id);
    await answerBy(base, next, ANN, { decision: "deny" });
    await again;
    expect(sent()).toEqual([]);
  });
});

/** Somebody else could take it meanwhile; nobody here does. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

it("a webhook's receiver works as it stands in docs/approvals.md, and believes nobody else [approvals-webhook]", async () => {
  const port = await freePort();
  const secret = "a-secret-that-is-long-enough";
  const url = `http://127.0.0.1:${port}/questions`;
  const { dir, sent, json } = await open({ approval: { webhook: { url, secret } } });
  const base = await serve(dir);
  const [, code = ""] =
    /^```js\n(.*?)^```/ms.exec(await readFile(join(ROOT, "docs/approvals.md"), "utf8")) ?? [];
  const file = join(await tempDir(), "receiver.mjs");
  await writeFile(
    file,
    code.replace("http://127.0.0.1:4800", new URL(base).origin).replace("4801", String(port)),
  );
  const receiver = spawn(process.execPath, [file], {
    env: { PATH: process.env["PATH"], HOOK_SECRET: secret },
  });
  onCleanup(async () => void receiver.kill("SIGKILL"));
  const forged = await until(
    () =>
      fetch(url, { method: "POST", body: "{}", headers: { "keyhole-signature": "v1=00" } }).catch(
        () => undefined,
      ),
    "the receiver",
  );
  expect(forged.status).toBe(401);
  const { code: exit, stdout } = await keyhole(dir, ["run", "--json", "-e", LETTER]);
  expect([exit, stdout]).toEqual([3, expect.stringContaining("not by a robot")]);
  expect((await json("approvals", "list", "--all")).approvals).toMatchObject([
    { status: "denied", answer: { by: "webhook", reason: "not by a robot" } },
  ]);
  expect(sent()).toEqual([]);
});
