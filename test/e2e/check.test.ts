import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { isAlive, until } from "../fixtures/processes.ts";

const LANGUAGE = new URL("../../dist/language/typescript/typescript.js", import.meta.url).href;
const WARM = `
  import { readFileSync } from "node:fs";
  import { TYPESCRIPT_LANGUAGE } from "${LANGUAGE}";
  const readers = TYPESCRIPT_LANGUAGE.createReaders({ servers: () => [] });
  await readers.warm();
  const [pid] = readers.pids;
  console.log(pid, readFileSync(\`/proc/\${pid}/task/\${pid}/children\`, "utf8"));
`;

/** The process that reads programs, and the compiler that it started. */
async function startHost(ending: string) {
  const host = spawn(process.execPath, ["--input-type=module", "--eval", WARM + ending], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = await once(host.stdout, "data");
  const pids = String(text).trim().split(/\s+/).map(Number);
  expect(pids).toHaveLength(2);
  return { host, pids };
}

describe("the process that reads programs, and its compiler", () => {
  it("ends with a host that is killed, also while it is stuck", async () => {
    for (const stop of [false, true]) {
      const { host, pids } = await startHost("setInterval(() => {}, 1000);");
      if (stop) for (const pid of pids) process.kill(pid, "SIGSTOP");
      expect(pids.every(isAlive)).toBe(true);
      host.kill("SIGKILL");
      await until(() => !pids.some(isAlive), "the end of both");
    }
  });

  it("ends its compiler with it", async () => {
    const { host, pids } = await startHost("setInterval(() => {}, 1000);");
    process.kill(pids[0] ?? 0, "SIGKILL");
    await until(() => !pids.some(isAlive), "the end of both");
    host.kill("SIGKILL");
  });

  it("does not keep its host from ending", async () => {
    const { host, pids } = await startHost("");
    if (host.exitCode === null) await once(host, "exit");
    expect(host.exitCode).toBe(0);
    await until(() => !pids.some(isAlive), "the end of both");
  });
});
