import { spawn, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDockerApi } from "../../src/sandbox/tiers/docker/docker-api.ts";
import { createDaemon, daemonMissing } from "../fixtures/docker-daemon.ts";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, onCleanup, tempDir, writeProject, writeUserConfig } from "../fixtures/project.ts";

const missing = daemonMissing("docker");
const mathProject = () => writeProject({ ".mcp.json": { mcpServers: { math: fixture("math") } } });

describe("keyhole sandbox", () => {
  it("says what there is to build [sandbox-build]", async () => {
    const dir = await tempDir();
    const { code, stderr } = await keyhole(dir, ["sandbox", "build", "process"]);
    expect(code).toBe(2);
    expect(stderr).toContain("keyhole sandbox build docker");
    for (const said of [[], ["nix"], ["build"], ["paint", "docker"]])
      expect(await keyhole(dir, ["sandbox", ...said])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/sandbox build docker.*sandbox build vm/),
      });
  });

  it("says what is missing where no daemon answers [sandbox-build]", async () => {
    const dir = await tempDir();
    const socket = join(dir, "none.sock");
    const env = { DOCKER_HOST: `unix://${socket}` };
    const { code, stdout } = await keyhole(dir, ["sandbox", "build", "docker", "--json"], env);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { error: { message: `Nothing listens at "${socket}"`, hint: expect.stringContaining("Install") } },
    ]);
  });
});

describe.skipIf(missing !== undefined)(
  `programs in containers${missing === undefined ? "" : ` (${missing})`}`,
  () => {
    const daemon = createDaemon("docker");
    const env = { DOCKER_HOST: `unix://${daemon.socket}` };
    const api = createDockerApi({ kind: "socket", path: daemon.socket });
    beforeAll(() => daemon.start());
    afterAll(async () => {
      api.close();
      await daemon.stop();
    });

    const run = (dir: string, code: string) =>
      keyhole(dir, ["run", "--tier", "docker", "-e", code, "--json"], env);

    it("run once the image was made, with tools and files [sandbox-build] [docker-run]", async () => {
      const dir = await mathProject();
      const before = await run(dir, "return 1");
      expect(before.code).toBe(1);
      expect(before.stdout).toContain("keyhole sandbox build docker");

      const build = () => keyhole(dir, ["sandbox", "build", "docker", "--json"], env);
      const made = await build();
      expect([made.code, JSON.parse(made.stdout)]).toEqual([
        0,
        {
          tier: "docker",
          made: expect.stringMatching(/^keyhole-sandbox:[0-9a-f]{32}$/),
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          known: false,
        },
      ]);
      expect(JSON.parse((await build()).stdout)).toEqual({ ...JSON.parse(made.stdout), known: true });

      const code = `import { writeFile } from "node:fs/promises";
      const { sum } = await math.addUp({ numbers: [1, 2] });
      await writeFile("./workspace/sum.txt", String(sum));
      return sum`;
      const { stdout } = await run(dir, code);
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, result: 3 });
      expect(await readFile(join(dir, "workspace/sum.txt"), "utf8")).toBe("3");
      expect(await containers()).toEqual([]);
    });

    it("run in an image that the user made with the Dockerfile, named by its content [sandbox-build]", async () => {
      const dir = await mathProject();
      const out = join(dir, "image");
      const written = await keyhole(dir, ["sandbox", "build", "docker", "--out", out, "--json"]);
      expect(JSON.parse(written.stdout)).toMatchObject({ tier: "docker", made: out, known: false });
      const vm = await keyhole(dir, ["sandbox", "build", "vm", "--out", out]);
      expect([vm.code, vm.stderr]).toEqual([2, expect.stringContaining("Leave out --out")]);
      const docker = (...args: string[]) => spawnSync("docker", args, { env: { ...process.env, ...env } });
      const use = (image: string) => writeUserConfig(dir, { docker: { image } });
      const id = docker("build", "--quiet", out).stdout.toString().trim();
      await use(id);
      expect(JSON.parse((await run(dir, "return 5")).stdout)).toMatchObject({ ok: true, result: 5 });

      await writeFile(join(out, "Dockerfile"), "FROM scratch\nADD root.tar /\nLABEL keyhole.root=0\n");
      await use(docker("build", "--quiet", out).stdout.toString().trim());
      expect((await run(dir, "return 5")).stdout).toContain("of another version of Keyhole");
      await use(`sha256:${"0".repeat(64)}`);
      expect((await run(dir, "return 5")).stdout).toContain("docker pull");
      await use("keyhole:latest");
      expect((await run(dir, "return 5")).stdout).toContain("by its content");
    });

    it("are gone after the next start when their host was killed, twenty of them [docker-orphans]", async () => {
      const host = spawn(
        process.execPath,
        [join(import.meta.dirname, "../fixtures/docker-host.js"), daemon.socket],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      onCleanup(async () => {
        host.kill("SIGKILL");
      });
      await new Promise((resolve) => host.stdout.once("data", resolve));
      expect((await containers()).length).toBeGreaterThanOrEqual(20);
      host.kill("SIGKILL");
      await new Promise((resolve) => host.once("close", resolve));
      const { stdout } = await run(await mathProject(), "return 1");
      expect(JSON.parse(stdout)).toMatchObject({ ok: true });
      expect(await containers()).toEqual([]);
    });

    async function containers(): Promise<unknown[]> {
      const { value } = await api.ask("GET", "/containers/json?all=1");
      return Array.isArray(value) ? value.map((one) => one.State) : [];
    }
  },
);
