import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { kindOfAddress, toAddress } from "../../src/network/address-kinds.ts";
import { isRecord } from "../../src/text/is-record.ts";
import { read } from "../eval-tools.ts";
import type { BenchOptions, BenchReport } from "../suite.ts";

const SECRET = "nobody's business";
/** Of a loopback address that no attack names. */
const ALLOWED = "127.0.0.9";

/** The attacks of the evaluation data, made by real programs in the sandbox: what is refused, and why. */
export async function measureAttacks({ dataDir, distDir, progress }: BenchOptions): Promise<BenchReport> {
  const urls = toUrls(JSON.parse(await read(dataDir, "attacks/ssrf_payloads_all_the_things.json")));
  const paths = (await read(dataDir, "attacks/directory_traversal.txt"))
    .split("\n")
    .filter((one) => one !== "");
  const server = createServer((_asked, response) => void response.end("allowed"));
  await once(server.listen(0, ALLOWED), "listening");
  const place = `${ALLOWED}:${(server.address() as AddressInfo).port}`;
  const folder = await mkdtemp(join(tmpdir(), "keyhole-attacks-"));
  try {
    const dir = join(folder, "project");
    await mkdir(join(dir, "workspace/x"), { recursive: true });
    await writeFile(join(folder, "secret.txt"), SECRET);
    await writeFile(join(dir, "secret.txt"), SECRET);
    const canRun = spawnSync("bwrap", ["--version"]).status === 0;
    const config = {
      network: { allow: [place], perMinute: 1_000 },
      ...(canRun && { commands: { allow: [{ command: "cat", args: ["*"] }] } }),
    };
    await writeFile(join(dir, "keyhole.config.json"), JSON.stringify(config));
    const good = { command: process.execPath, args: [resolve("test/fixtures/servers/good.js")] };
    await writeFile(join(dir, ".mcp.json"), JSON.stringify({ mcpServers: { good } }));
    progress(`${urls.length} addresses`);
    const fetched = await runProgram(distDir, dir, toFetching([...urls, `http://${place}/`]));
    progress(`${paths.length} paths`);
    const opened = await runProgram(distDir, dir, toOpening(paths));
    const shown = canRun ? await runProgram(distDir, dir, toShowing(paths)) : undefined;
    const left = (await readdir(folder)).concat(await readdir(dir)).sort();
    return toReport({ urls, paths, fetched, opened, shown, left });
  } finally {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
}

function toUrls(data: unknown): string[] {
  const rows = Array.isArray(data) ? data.filter(isRecord) : [];
  return rows.flatMap(({ url }) => (typeof url === "string" ? [url] : []));
}

const toFetching = (urls: readonly string[]) => `
  const told: string[] = [];
  for (const url of ${JSON.stringify(urls)})
    told.push(await fetch(url, { redirect: "follow" }).then(async (answer) => "passed: " + (await answer.text()), (error) => String(error.message)));
  return told;`;

/** Each as it is, decoded once and twice, with slashes for backslashes, from each folder that a program has. */
const toOpening = (paths: readonly string[]) => `
  import fs from "node:fs/promises";
  const decode = (text: string) => { try { return decodeURIComponent(text); } catch { return text; } };
  const told: Record<string, number> = {};
  const note = (what: string) => { told[what] = (told[what] ?? 0) + 1; };
  const forms = new Set<string>();
  for (const one of ${JSON.stringify([...paths, "../secret.txt", "../../secret.txt", "../../project/secret.txt"])})
    for (const form of [one, decode(one), decode(decode(one))]) forms.add(form).add(form.replaceAll("\\\\", "/"));
  for (const form of forms)
    for (const before of ["", "./", "./workspace/", "workspace/x/", "/workspace/", "./servers/", "./skills/", "./workspace/results/"]) {
      await fs.readFile(before + form, "utf8").then((text) => note("READ " + before + form + text.slice(0, 20)), (error) => note("read: " + error.code));
      if (before.includes("workspace")) continue;
      await fs.writeFile(before + form, "x").then(() => note("WROTE " + before + form), (error) => note("write: " + error.code));
    }
  return told;`;

const toShowing = (paths: readonly string[]) => `
  const { stdout } = await runCommand("cat", [...${JSON.stringify(paths.filter((one) => !one.includes("\0")))}, "../secret.txt", "../../secret.txt"]);
  return stdout;`;

async function runProgram(distDir: string, dir: string, code: string): Promise<unknown> {
  const file = join(dir, "program.ts");
  await writeFile(file, code);
  const command = [join(distDir, "cli/main.js"), "run", file, "--json", "--trust", "--project", dir];
  const child = spawn(process.execPath, command, {
    cwd: dir,
    env: { ...process.env, HOME: dir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  let error = "";
  child.stdout.on("data", (piece) => {
    text += piece;
  });
  child.stderr.on("data", (piece) => {
    error += piece;
  });
  await once(child, "close");
  const answer: unknown = text === "" ? undefined : JSON.parse(text);
  if (!isRecord(answer) || answer["ok"] !== true)
    throw new Error(
      `The program failed: ${isRecord(answer) ? JSON.stringify(answer["error"]) : text} ${error}`,
    );
  return answer["result"];
}

type Outcome = {
  readonly urls: readonly string[];
  readonly paths: readonly string[];
  readonly fetched: unknown;
  readonly opened: unknown;
  readonly shown: unknown;
  readonly left: readonly string[];
};

function toReport({ urls, paths, fetched, opened, shown, left }: Outcome): BenchReport {
  const told = Array.isArray(fetched) ? fetched.map(String) : [];
  const reasons = new Map<string, number>();
  const misses: string[] = [];
  for (const [at, url] of urls.entries()) {
    const { reason, isFit } = expectedOf(url);
    const said = told[at] ?? "nothing";
    if (isFit(said)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    else misses.push(`${url} should be ${reason}, but: ${said.slice(0, 120)}`);
  }
  if (told.at(-1) !== "passed: allowed") misses.push(`The allowed host does not pass: ${told.at(-1)}`);
  const accesses = isRecord(opened) ? Object.entries(opened) : [];
  const tries = accesses.reduce((sum, [, count]) => sum + Number(count), 0);
  misses.push(...accesses.flatMap(([what]) => (/^(?:READ|WROTE) /.test(what) ? [what] : [])));
  // The walls have a user of their own: that line is nobody's.
  const lines = String(shown ?? "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("keyhole:x:65534:"));
  if (lines.length > 0) misses.push(`runCommand showed a file of outside: ${lines[0]}`);
  const known = [
    ".keyhole",
    ".mcp.json",
    "keyhole.config.json",
    "program.ts",
    "project",
    "secret.txt",
    "workspace",
  ];
  const added = left.filter((name) => !known.includes(name) && !name.startsWith("."));
  if (added.length > 0) misses.push(`left outside of the workspace: ${added.join(", ")}`);
  return {
    tables: [
      {
        title: `${urls.length} addresses that attack, asked for by fetch in a program`,
        columns: ["refused because", "addresses"],
        rows: [...reasons].sort(([, a], [, b]) => b - a),
      },
      {
        title: `${paths.length} paths that lead out, in ${tries} reads and writes of a program`,
        columns: ["ended as", "times"],
        rows: accesses.map(([what, count]) => [what, Number(count)]),
      },
    ],
    notes: [
      shown === undefined
        ? "runCommand was not tried: no bwrap here"
        : "cat of all these paths by runCommand showed nothing but the invented user of its walls",
    ],
    misses: misses.slice(0, 20),
  };
}

/** By the standard's own reading of a URL, and the kinds of addresses. */
function expectedOf(url: string): { reason: string; isFit: (said: string) => boolean } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return { reason: "no URL", isFit: (said) => said.startsWith("Invalid URL") };
  if (!["http:", "https:"].includes(parsed.protocol))
    return {
      reason: "not http",
      isFit: (said) => said.includes("only http and https can be fetched"),
    };
  const address = toAddress(parsed.hostname.replace(/^\[|\]$/g, ""));
  const kind = address === undefined ? undefined : kindOfAddress(address);
  if (kind) return { reason: kind.name, isFit: (said) => said.includes(kind.name) };
  if (!/^[a-z0-9._-]+$/.test(parsed.hostname) && address === undefined)
    return { reason: "no name of a host", isFit: (said) => said.includes("this is no HTTP request") };
  return {
    reason: "not named by network.allow",
    isFit: (said) => said.includes("network.allow does not name"),
  };
}
