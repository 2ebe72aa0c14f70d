import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { isAlive, until } from "../fixtures/processes.ts";

const CHECKER = new URL("../../dist/check/checker.js", import.meta.url).href;
const WARM = `
  import { createChecker } from "${CHECKER}";
  const checker = createChecker({ servers: () => [] });
  await checker.warm();
  console.log(checker.pid);
`;

async function startHost(ending: string) {
  const host = spawn(process.execPath, ["--input-type=module", "--eval", WARM + ending], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = await once(host.stdout, "data");
  const pid = Number(text);
  expect(pid).toBeGreaterThan(0);
  return { host, pid };
}

describe("the type checker's process", () => {
  it("ends with a host that is killed, also while it is stuck", async () => {
    for (const stop of [false, true]) {
      const { host, pid } = await startHost("setInterval(() => {}, 1000);");
      if (stop) process.kill(pid, "SIGSTOP");
      expect(isAlive(pid)).toBe(true);
      host.kill("SIGKILL");
      await until(() => !isAlive(pid), "the end of the type checker");
    }
  });

  it("does not keep its host from ending", async () => {
    const { host, pid } = await startHost("");
    if (host.exitCode === null) await once(host, "exit");
    expect(host.exitCode).toBe(0);
    await until(() => !isAlive(pid), "the end of the type checker");
  });
});
