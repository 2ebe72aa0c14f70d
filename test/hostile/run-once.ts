import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { makeProject } from "./gateway.ts";
import { spawnNetted, toMegabytes } from "./net.ts";

export type Finished = {
  readonly code: number | null;
  readonly output: string;
  /** Why it was ended, if it was. */
  readonly ended?: string;
  readonly peakMegabytes: number;
};

const CAP_MS = 20_000;
const MAX_OUTPUT = 200_000;
/** As on a machine where it is not installed. */
const WITHOUT_BUBBLEWRAP = 'mount --bind /dev/null "$(command -v bwrap)" && exec "$@"';

/** `keyhole run -e CODE` in a project, as a process under the net. */
export async function runOnce(dir: string, code: string, { bubblewrap = true } = {}): Promise<Finished> {
  const home = await makeProject({});
  const command = [
    process.execPath,
    resolve("dist/cli/main.js"),
    "run",
    "--trust",
    "--project",
    dir,
    "-e",
    code,
  ];
  const [first = "", ...rest] = bubblewrap
    ? command
    : ["unshare", "-m", "/bin/sh", "-c", WITHOUT_BUBBLEWRAP, "sh", ...command];
  const netted = spawnNetted(first, rest, {
    cwd: dir,
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [netted.child.stdout, netted.child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT);
    });
  }
  let late: string | undefined;
  const status = await new Promise<number | null>((done) => {
    const timer = setTimeout(() => {
      late = `it was not done within ${CAP_MS} ms`;
      netted.child.kill("SIGKILL");
    }, CAP_MS);
    netted.child.once("close", (exitCode) => {
      clearTimeout(timer);
      done(exitCode);
    });
  });
  const ended = netted.fallen() ?? late;
  const peakMegabytes = toMegabytes(netted.takePeak());
  await netted.end();
  await rm(home, { recursive: true, force: true });
  return { code: status, output, peakMegabytes, ...(ended === undefined ? {} : { ended }) };
}
