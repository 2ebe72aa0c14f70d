import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { JAVASCRIPT_GUEST, PYTHON_GUEST } from "../../src/sandbox/guest-spec.ts";
import { SANDBOX_LIMITS } from "../../src/sandbox/limits.ts";
import type { CopyPart } from "../../src/sandbox/machine/folder-copies.ts";
import type { Folder, Host, Sandbox } from "../../src/sandbox/sandbox.ts";
import { createVmMachine } from "../../src/sandbox/tiers/vm/vm-machine.ts";
import { isAlive, until } from "../fixtures/processes.ts";
import { missingVm } from "../fixtures/vm-tier.ts";

const missing = await missingVm();
const name = `virtual machines${missing === undefined ? "" : ` (${missing})`}`;
/** With all that is asked for: KEYHOLE_TEST_VMS=20. */
const MACHINES = Number(process.env["KEYHOLE_TEST_VMS"] ?? 3);
const LEFT_MS = 5_000;
/** The template's clock stands where it was booted, long before this. */
const CLOCK_MS = 1_000;

describe.skipIf(missing !== undefined)(name, () => {
  const guests = [
    {
      guest: JAVASCRIPT_GUEST,
      code: `await github.now({ ms: Date.now() });
        const { randomBytes, randomUUID } = __keyhole.modules.crypto;
        return [Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(8))].join(), randomBytes(8).join(), randomUUID(),
          [...new Uint8Array(await crypto.subtle.exportKey("raw", await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, true, ["encrypt"])))].join()]`,
      modules: ["crypto"],
    },
    {
      guest: PYTHON_GUEST,
      code: `import os, random, secrets, tempfile, time, uuid
await github.now({"ms": time.time() * 1000})
return [random.random(), random.Random().random(), secrets.token_hex(8), os.urandom(8).hex(), str(uuid.uuid4()), next(tempfile._get_candidate_names())]`,
      modules: [],
    },
  ] as const;

  for (const { guest, code, modules } of guests)
    it(`of one template have randomness of their own and the right clock: ${guest.name}`, async () => {
      const sandbox = createSandbox({ tier: "vm", guest, poolSize: 1 });
      try {
        // However long a call of an emulated machine is on its way: it was made since the program was handed over.
        const clocks: boolean[] = [];
        let since = 0;
        const host: Host = {
          async callTool(_server, _tool, args) {
            const ms = Number(Object(args).ms);
            clocks.push(ms > since - CLOCK_MS && ms < Date.now() + CLOCK_MS);
            return null;
          },
        };
        // One that was started for its program, and one that has waited for it.
        const drawn: unknown[][] = [];
        for (let n = 0; n < 2; n++) {
          since = Date.now();
          const outcome = await sandbox.run({ code, servers: ["github"], modules }, host);
          if (!outcome.ok || !Array.isArray(outcome.value)) throw new Error(JSON.stringify(outcome));
          drawn.push(outcome.value);
          await sandbox.warm();
        }
        const [one = [], other = []] = drawn;
        expect(one).toHaveLength(6);
        for (const [at, value] of one.entries()) expect(value).not.toEqual(other[at]);
        expect(clocks).toEqual([true, true]);
      } finally {
        await sandbox.close();
      }
    });

  it(`end with a host that is killed, all ${MACHINES} of them`, { timeout: 300_000 }, async () => {
    const script = join(import.meta.dirname, "../fixtures/vm-host.js");
    const host = spawn(process.execPath, [script, String(MACHINES)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(host.stdout, "data");
    const machines = await childrenOf(host.pid ?? 0);
    expect(machines.length).toBeGreaterThanOrEqual(MACHINES);
    host.kill("SIGKILL");
    const killedAt = performance.now();
    await until(() => !machines.some(isAlive), `the end of ${machines.join(", ")}`);
    expect(performance.now() - killedAt).toBeLessThan(LEFT_MS);
  });

  it("answer on after an archive that could not be unpacked", async () => {
    const machine = createVmMachine({ limits: SANDBOX_LIMITS, guest: PYTHON_GUEST });
    const folders = [{ name: "workspace", dir: "", access: "write" }] as const;
    const process = await machine.start({
      folders,
      limits: SANDBOX_LIMITS,
      waits: false,
      isAlone: () => true,
    });
    async function* parts(): AsyncGenerator<CopyPart> {
      yield { kind: "file", path: "large" };
      // Lines that would be taken for the host's own.
      for (let n = 0; n < 40; n++) yield { kind: "bytes", bytes: Buffer.from("end\n".repeat(32 * 1024)) };
    }
    await expect(process.copies?.put("none", parts())).rejects.toThrow("Cannot hand a folder");
    await process.copies?.put("workspace", parts());
    const taken: CopyPart[] = [];
    for await (const part of process.copies?.take("workspace") ?? []) taken.push(part);
    expect(taken).toEqual([{ kind: "same", path: "large" }]);
    process.kill();
    await process.copies?.drop();
    await machine.close();
  });

  describe("with a Python program, which has all that its machine lets it have", () => {
    let sandbox: Sandbox;
    let folder: Folder;
    beforeAll(async () => {
      sandbox = createSandbox({ tier: "vm", guest: PYTHON_GUEST });
      folder = { name: "workspace", dir: await mkdtemp(join(tmpdir(), "keyhole-vm-")), access: "write" };
    });
    afterAll(async () => {
      await sandbox.close();
      await rm(folder.dir, { recursive: true, force: true });
    });
    const run = (code: string, limits = {}) =>
      sandbox.run(
        { code, servers: [], modules: ["fs"] },
        { callTool: async () => null },
        { folders: [folder], limits },
      );

    it("let it neither at their own first process nor at their devices", async () => {
      const tries = [
        "os.kill(1, 9)",
        "os.setuid(0)",
        "os.chroot('/tmp')",
        "os.mknod('/tmp/vda', 0o600 | 0o060000, os.makedev(254, 0))",
        ...["/dev/vda", "/dev/mem", "/dev/port", "/dev/vport1p2", "/dev/hvc0", "/dev/kmsg"].map(
          (path) => `open(${JSON.stringify(path)}, 'r+b', 0)`,
        ),
        ...[
          "/proc/sysrq-trigger",
          "/proc/1/mem",
          "/proc/sys/kernel/core_pattern",
          "/sys/fs/cgroup/run/memory.max",
        ].map((path) => `open(${JSON.stringify(path)}, 'wb', 0)`),
        "open('/keyhole/deno', 'r+b')",
        "open('/keyhole/guest/python/runner.py', 'w')",
        "open('/etc/passwd', 'a')",
      ];
      const code = `import os
got = []
for attempt in ${JSON.stringify(tries)}:
    try:
        eval(attempt)
        got.append(attempt)
    except Exception:
        pass
return [got, os.getuid(), os.getgid(), os.getgroups()]`;
      expect(await run(code)).toMatchObject({ ok: true, value: [[], 65534, 65534, []] });
    });

    it("hand back what it wrote before it ran out of time, and nothing that leads anywhere", async () => {
      await writeFile(join(folder.dir, "given"), "given");
      const code = `import os
root = "/workspace"
open(f"{root}/kept", "w").write("kept")
for make in (lambda: os.symlink("/etc/passwd", f"{root}/link"), lambda: os.mkfifo(f"{root}/pipe"), lambda: os.link(f"{root}/kept", f"{root}/hard")):
    try:
        make()
    except Exception:
        pass
while True:
    pass`;
      expect(await run(code, { wallMs: 3_000 })).toMatchObject({ ok: false, error: { kind: "timeout" } });
      expect((await readdir(folder.dir)).sort()).toEqual(["given", "hard", "kept"]);
      expect(await readFile(join(folder.dir, "kept"), "utf8")).toBe("kept");
    });

    it("end with a file that claims to be larger than the disk", async () => {
      const code = `import os
file = os.open("/workspace/sparse", os.O_CREAT | os.O_WRONLY)
os.ftruncate(file, 1 << 40)
return 1`;
      expect(await run(code)).toMatchObject({ ok: false, error: { kind: "disk" } });
      expect(await readdir(folder.dir)).not.toContain("sparse");
    });
  });
});

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const entry of (await readdir("/proc")).filter((text) => /^\d+$/.test(text))) {
    const stat = await readFile(`/proc/${entry}/stat`, "latin1").catch(() => "");
    const isQemu = stat.includes("(qemu-system");
    if (isQemu && Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent)
      children.push(Number(entry));
  }
  return children;
}
