import { readlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { JAVASCRIPT_GUEST, PYTHON_GUEST } from "../../src/sandbox/guest-spec.ts";
import { createDockerApi } from "../../src/sandbox/tiers/docker/docker-api.ts";
import { createTiers } from "../../src/sandbox/tiers/tiers.ts";
import { createDaemon, daemonMissing } from "../fixtures/docker-daemon.ts";
import { FORGER_GUEST, testSandbox } from "./conformance.ts";
import { testContainerAttacks } from "./container-attacks.ts";
import { testContainerWalls } from "./container-walls.ts";
import { testPythonSandbox } from "./python-conformance.ts";

const missing = daemonMissing("docker");
const daemon = createDaemon("docker");
const guests = [JAVASCRIPT_GUEST, PYTHON_GUEST, FORGER_GUEST];
const tiers = createTiers({ docker: { socket: daemon.socket, guests } });
const gvisor = createTiers({ docker: { socket: daemon.socket, guests, runtime: "runsc" } });

beforeAll(async () => {
  if (missing !== undefined) return;
  await daemon.start();
  await tiers["docker"]?.build?.({ onProgress() {}, signal: AbortSignal.timeout(60_000) });
});
afterAll(() => daemon.stop());

testSandbox("docker", (config) => createSandbox({ ...config, tier: "docker", tiers }), {
  memory: true,
  cpu: true,
  copies: true,
  isTierAlone: true,
  ...(missing === undefined ? {} : { missing }),
});

testPythonSandbox("docker", (config) => createSandbox({ ...config, tier: "docker", tiers }), {
  memory: true,
  cpu: true,
  copies: true,
  forges: false,
  isOwnSystem: true,
  isTierAlone: true,
  ...(missing === undefined ? {} : { missing }),
});

testContainerWalls(
  "docker with gVisor",
  (config) => createSandbox({ ...config, tier: "docker", tiers: gvisor, poolSize: 0 }),
  daemonMissing("docker", "runsc"),
);

testContainerAttacks("docker", (config) => createSandbox({ ...config, tier: "docker", tiers, poolSize: 0 }), {
  missing,
});
testContainerAttacks(
  "docker with gVisor",
  (config) => createSandbox({ ...config, tier: "docker", tiers: gvisor, poolSize: 0 }),
  { missing: daemonMissing("docker", "runsc"), hasOwnKernel: true },
);

describe.skipIf(missing !== undefined)("a container", () => {
  it("has no rights, no network and no way to get any", async () => {
    const sandbox = createSandbox({ tier: "docker", tiers, poolSize: 1 });
    const api = createDockerApi({ kind: "socket", path: daemon.socket });
    try {
      await sandbox.warm([]);
      const { value } = await api.ask("GET", "/containers/json");
      const id = Array.isArray(value) ? String(value[0].Id) : "";
      const inspected = Object((await api.ask("GET", `/containers/${id}/json`)).value);
      expect(inspected).toMatchObject({
        Config: { Tty: false },
        Mounts: [],
        HostConfig: {
          AutoRemove: true,
          NetworkMode: "none",
          IpcMode: "none",
          ReadonlyRootfs: true,
          Privileged: false,
          Binds: null,
          CapDrop: ["ALL"],
          SecurityOpt: ["no-new-privileges", expect.stringContaining("seccomp={")],
          OomScoreAdj: 1000,
          LogConfig: { Type: "none" },
        },
      });
      const { Memory, MemorySwap, PidsLimit, CapAdd } = inspected.HostConfig;
      // For the two shells; what the program has is looked at from within.
      const rights = CapAdd.map((name: string) => name.replace("CAP_", "")).sort();
      expect(rights).toEqual(["KILL", "SETGID", "SETUID"]);
      expect([Memory > 0, Memory === MemorySwap, PidsLimit > 0]).toEqual([true, true, true]);
      const pid = inspected.State.Pid;
      for (const kind of ["net", "pid", "mnt", "ipc", "uts"])
        expect(readlinkSync(`/proc/${pid}/ns/${kind}`)).not.toBe(readlinkSync(`/proc/self/ns/${kind}`));
    } finally {
      api.close();
      await sandbox.close();
    }
  });

  it("is refused with what to do where the image is of something else", async () => {
    const other = createTiers({ docker: { socket: daemon.socket, guests: [JAVASCRIPT_GUEST] } });
    expect(await other["docker"]?.missing()).toEqual({
      why: "The image is of another version of Keyhole, or of what it is made from",
      fix: "Run `keyhole sandbox build docker`",
    });
    expect(await tiers["docker"]?.missing()).toBeUndefined();
    const sandbox = createSandbox({ tier: "docker", tiers: other, poolSize: 0 });
    const outcome = await sandbox.run({ code: "return 1", servers: [] }, { callTool: async () => null });
    await sandbox.close();
    expect(outcome).toMatchObject({ ok: false, error: { hint: "Run `keyhole sandbox build docker`" } });
  });
});
