import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";

import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { type HonestSession, type Sample, startHonestSession } from "./honest-session.ts";
import { type Netted, spawnNetted } from "./net.ts";
import { readMemory, resetPeak } from "./process-tree.ts";

export const LOCAL_TOKEN = "local-token-of-the-hostile-suite";
export const MALLORY_TOKEN = "mallory-token-of-the-hostile-suite";

export type GatewayOptions = {
  /** The folder with the built CLI. */
  readonly dist?: string;
  readonly servers?: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, unknown>>;
};

/** A real `keyhole serve --http` under the net, in a fresh project, with an honest session beside it. */
export type Gateway = {
  readonly url: string;
  readonly dir: string;
  readonly host: Netted;
  readonly honest: HonestSession;
  /** The host's memory when nothing had been asked of it but by the honest session. */
  readonly startBytes: number;
  /** The median time of an honest answer before any attack. */
  readonly undisturbedMs: number;
  /** The host's peak starts again from now. */
  forgetPeak(): void;
  /** The most memory of the host alone since then, above its start. */
  peakAboveStart(): number;
  rssAboveStart(): number;
  /** What the host wrote to stderr. */
  notices(): string;
  end(): Promise<number>;
};

/** Where programs are to run, instead of where their risk puts them: KEYHOLE_TEST_HOSTILE_TIER=vm. */
const TIER = process.env["KEYHOLE_TEST_HOSTILE_TIER"];
/** A machine with limits of its own is booted for the first program. */
const START_MS = TIER === undefined ? 30_000 : 180_000;
const WARM_ROUNDS = 8;

export const fixture = (path: string, ...args: string[]) => ({
  command: process.execPath,
  args: [resolve(path), ...args],
});

export const HONEST_SERVERS = { math: fixture("test/fixtures/servers/math.js") };

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const dir = await makeProject({
    ".mcp.json": { mcpServers: { ...HONEST_SERVERS, ...options.servers } },
    "keyhole.config.json": { ...options.config, ...(TIER === undefined ? {} : { sandboxMode: TIER }) },
  });
  const home = await makeProject({});
  const main = resolve(options.dist ?? "dist", "cli/main.js");
  // Builds from before trust know no such flag.
  const trusting = existsSync(join(dirname(main), "trust.js")) ? ["--trust"] : [];
  const args = ["serve", ...trusting, "--http", "127.0.0.1:0", "--project", dir];
  const host = spawnNetted(process.execPath, [main, ...args], {
    cwd: dir,
    env: { PATH: process.env["PATH"], HOME: home, ...caches(), KEYHOLE_TOKEN: LOCAL_TOKEN, MALLORY_TOKEN },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let notices = "";
  host.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    notices = (notices + text).slice(-100_000);
  });
  const clean = async () => {
    const late = await host.end();
    // Node's own can't remove what lies deeper than a path can be.
    await promisify(execFile)("rm", ["-rf", dir, home]);
    return late;
  };
  try {
    const url = await readUrl(host);
    const honest = startHonestSession(url, LOCAL_TOKEN);
    const startedAt = Date.now();
    if (!(await honest.answeredSince(startedAt, WARM_ROUNDS, START_MS))) {
      honest.end();
      throw new Error("The honest session was not answered before any attack");
    }
    const startBytes = readMemory(host.pid)?.rssBytes ?? 0;
    let isMarkReset = true;
    // Where the kernel's mark can't be reset it also tells of earlier attacks; then the watcher's own looks count.
    const markedBytes = () => (isMarkReset ? (readMemory(host.pid)?.peakBytes ?? 0) : 0);
    return {
      url,
      dir,
      host,
      honest,
      startBytes,
      undisturbedMs: undisturbed(honest.between(startedAt, Date.now())),
      forgetPeak() {
        isMarkReset = resetPeak(host.pid);
        host.takePeak();
      },
      peakAboveStart: () => Math.max(host.takePeak(), markedBytes()) - startBytes,
      rssAboveStart: () => (readMemory(host.pid)?.rssBytes ?? 0) - startBytes,
      notices: () => notices,
      end() {
        honest.end();
        return clean();
      },
    };
  } catch (error) {
    await clean();
    throw new Error(`The gateway did not start: ${String(error)}\n${notices}`);
  }
}

/** What a tier was built of lies in the user's own. */
function caches(): NodeJS.ProcessEnv {
  if (TIER === undefined) return {};
  const daemon = process.env["KEYHOLE_TEST_USERS_DOCKER"];
  return {
    XDG_CACHE_HOME: process.env["KEYHOLE_TEST_USERS_CACHE"] ?? join(homedir(), ".cache"),
    ...(daemon === undefined ? {} : { DOCKER_HOST: daemon }),
  };
}

/** Files of a fresh project, by relative path; objects are written as JSON. */
export async function makeProject(files: Readonly<Record<string, unknown>>): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "keyhole-hostile-")));
  for (const [path, content] of Object.entries(files)) {
    const file = join(dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  }
  return dir;
}

function readUrl({ child }: Netted): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error(`No address within ${START_MS} ms`)), START_MS);
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const [url] = /http:\/\/[^\s"]+\/mcp/.exec(text) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    child.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`Ended with ${code}`));
    });
  });
}

/** The first ones pay for what is loaded once. */
function undisturbed(samples: readonly Sample[]): number {
  const times = samples
    .filter(({ what }) => what === "program")
    .slice(2)
    .map(({ startedAt, endedAt }) => endedAt - startedAt)
    .sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}
