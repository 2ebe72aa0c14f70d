import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findDeno } from "../../src/sandbox/deno/find-deno.ts";
import { runInGuest } from "../../src/sandbox/host/bridge.ts";
import { type Limits, SANDBOX_LIMITS } from "../../src/sandbox/limits.ts";
import { launch } from "../../src/sandbox/tiers/process/launch.ts";

const runner = fileURLToPath(new URL("../../src/sandbox/guest/javascript/runner.js", import.meta.url));

/** A run on a platform that tells nothing of its processes. */
async function run(code: string, own: Partial<Limits>) {
  const limits = { ...SANDBOX_LIMITS, ...own };
  const command = [findDeno(), "run", "--no-prompt", "--no-config", "--no-remote", "--no-check", runner];
  const guest = launch({
    command,
    limits,
    cgroup: undefined,
    handed: [],
    isWrapped: false,
    folders: [],
    inside: [],
    isAlone: () => true,
  });
  const silent = { ...guest, watch: () => {} };
  const host = { callTool: async () => "answer" };
  const options = { limits, folders: [] };
  const { outcome } = await runInGuest(silent, { code, servers: ["github"] }, host, options);
  await guest.ended;
  return outcome;
}

it("ends an endless loop by the program's own time where the platform tells no CPU time", async () => {
  expect(await run("for (;;);", { wallMs: 300 })).toMatchObject({
    error: { kind: "timeout", message: expect.stringContaining("own time") },
  });
});

it("counts sleep as sleep there", async () => {
  const code = `for (let n = 0; n < 10; n++) await new Promise((resolve) => setTimeout(resolve, 100));
    return github.a()`;
  expect(await run(code, { wallMs: 800 })).toMatchObject({ ok: true, value: "answer" });
  expect(await run("setInterval(() => {}, 20)", { sleepMs: 300 })).toMatchObject({
    error: { message: expect.stringContaining("does one, or a loop that sleeps, never end?") },
  });
});
