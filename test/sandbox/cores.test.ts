import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandbox, type SandboxConfig } from "../../src/sandbox/create-sandbox.ts";
import { SANDBOX_LIMITS } from "../../src/sandbox/limits.ts";
import type { Host } from "../../src/sandbox/sandbox.ts";
import { createCgroups } from "../../src/sandbox/tiers/process/cgroup.ts";
import { processTier } from "../fixtures/process-tier.ts";

const canMakeGroups = createCgroups({ ...SANDBOX_LIMITS, cores: 1 });
const hasGroups = canMakeGroups?.controllers.includes("cpu") === true;
await canMakeGroups?.close();

const host: Host = { callTool: async () => null };
const BUSY = "const end = performance.now() + 1000; while (performance.now() < end); return 1";

function open(config: SandboxConfig) {
  const sandbox = createSandbox({ poolSize: 0, ...config });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

describe.skipIf(process.platform !== "linux")("a limit of cores", () => {
  it.skipIf(!hasGroups)("lets a busy program have a part of one, and no more", async () => {
    const sandbox = open({ limits: { cores: 0.25 } });
    const { ok, used } = await sandbox.run({ code: BUSY, servers: [] }, host);
    expect(ok).toBe(true);
    expect((used.cpuMs ?? 0) / used.wallMs).toBeLessThan(0.5);
  });

  it.skipIf(!hasGroups)("can be lower for one run", async () => {
    const sandbox = open({ limits: { cores: 1 } });
    const { used } = await sandbox.run({ code: BUSY, servers: [] }, host, { limits: { cores: 0.25 } });
    expect((used.cpuMs ?? 0) / used.wallMs).toBeLessThan(0.5);
  });

  it.skipIf(availableParallelism() < 2)(
    "keeps a program on whole cores where no group can be made",
    async () => {
      const sandbox = open({ limits: { cores: 1 }, tiers: processTier({ cgroups: "never" }) });
      const allowed: string[] = [];
      const outcome = await sandbox.run(
        { code: "await s.look(); return 1", servers: ["s"] },
        {
          callTool: async () => {
            allowed.push(...allowedCoresOfChildren());
            return null;
          },
        },
      );
      expect(outcome).toMatchObject({ ok: true });
      expect(allowed.some((list) => /^\d+$/.test(list))).toBe(true);
    },
  );
});

/** Of all processes below this one, as the kernel has them. */
function allowedCoresOfChildren(pid = process.pid): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1")
    .trim()
    .split(" ")
    .filter(Boolean);
  return children.flatMap((child) => {
    const status = readFileSync(`/proc/${child}/status`, "latin1");
    return [/^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? "", ...allowedCoresOfChildren(Number(child))];
  });
}
