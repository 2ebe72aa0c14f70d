import { spawnSync } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openStateDir } from "../../src/store/state-dir.ts";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, tempDir, writeProject, writeUserConfig } from "../fixtures/project.ts";

const hostile = () => writeProject({ ".mcp.json": { mcpServers: { good: fixture("good") } } });

describe("a repository that brings a .keyhole along", () => {
  it.each([["run", "-e", "return 1"], ["tools"], ["stats"], ["search", "add"]])(
    "with a link in it is refused by `keyhole %s` in one sentence [state-links]",
    async (...args) => {
      const [dir, outside] = [await hostile(), await tempDir()];
      await writeFile(join(outside, "precious"), "precious");
      await mkdir(join(dir, ".keyhole"));
      await symlink(join(outside, "precious"), join(dir, ".keyhole/runs.jsonl"));
      const { code, stderr } = await keyhole(dir, args);
      expect(code).toBe(1);
      expect(stderr).toContain(
        `"${join(dir, ".keyhole/runs.jsonl")}" is a link, which is not followed here: delete it, Keyhole makes its own`,
      );
      expect(await readFile(join(outside, "precious"), "utf8")).toBe("precious");
    },
  );

  it("as a link is refused, and a workspace that is one is told of by the run", async () => {
    const [dir, outside] = [await hostile(), await tempDir()];
    await symlink(outside, join(dir, "workspace"));
    const run = await keyhole(dir, ["run", "-e", "return 1"]);
    expect([run.code, run.stderr + run.stdout]).toEqual([1, expect.stringContaining(`workspace" is a link`)]);
    await rm(join(dir, ".keyhole"), { recursive: true });
    await symlink(outside, join(dir, ".keyhole"));
    expect((await keyhole(dir, ["run", "-e", "return 1"])).stderr).toContain('.keyhole" is a link');
    expect(await readdir(outside)).toEqual([]);
  });

  it("with a journal in it can't send escapes to the terminal", async () => {
    const call = { server: "good\u001b[2J", tool: "$(touch /tmp/x)\nNo runs", ms: 1, ok: true };
    const entry = { runId: "r", session: "", ok: true, calls: [call], receipt: {}, pad: "x".repeat(50) };
    const dir = await writeProject({
      ".keyhole/runs.jsonl": `${JSON.stringify(entry)}\n`,
      ".mcp.json": { mcpServers: { good: fixture("good") } },
    });
    // The first run takes it over.
    await keyhole(dir, ["run", "-e", "return 1"]);
    const { code, stdout } = await keyhole(dir, ["stats"]);
    expect([code, stdout]).toEqual([0, expect.not.stringMatching(/\u001b|^No runs/m)]);
    expect(stdout).toContain("1 call");
  });

  it("is told of by doctor", async () => {
    const [dir, outside] = [await hostile(), await tempDir()];
    await symlink(outside, join(dir, ".keyhole"));
    expect((await keyhole(dir, ["doctor", "--quick"])).stdout).toContain('.keyhole" is a link');
    expect(await readdir(outside)).toEqual([]);
  });
});

describe("what was saved", () => {
  const LONG = "return Array.from({ length: 5000 }, (_, id) => ({ id, name: `user ${id}` }));";
  const read = (path: string) =>
    `import { readFile, readdir } from "fs/promises"; return [JSON.parse(await readFile("${path}", "utf8")).length, await readdir("./workspace/results")]`;

  it("by one process is read by the next one's programs [results-shared]", async () => {
    const dir = await hostile();
    const { stdout } = await keyhole(dir, ["run", "-e", LONG]);
    const [path = "", name = ""] = /\.\/workspace\/results\/([^"]+)/.exec(stdout) ?? [];
    const again = await keyhole(dir, ["run", "-e", read(path)]);
    expect(JSON.parse(again.stdout)).toEqual([5000, [name]]);
  });

  it("is said not to be where it can't be", async () => {
    const dir = await hostile();
    await writeUserConfig(dir, { auditLogging: false });
    await writeFile(join(dir, ".keyhole"), "a file in the way");
    const { code, stdout } = await keyhole(dir, ["run", "-e", LONG]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("could not be saved")]);
  });
});

describe.runIf(process.getuid?.() === 0)("another user", () => {
  const STATE = fileURLToPath(new URL("../../dist/store/state-dir.js", import.meta.url));

  /** Opens the state as nobody, who can't write what root owns. */
  function openAsNobody(dir: string): string {
    const code = `const { openStateDir } = await import(${JSON.stringify(STATE)});
      try {
        const state = await openStateDir(${JSON.stringify(dir)});
        await state.writeJson("x.json", 1);
        console.log((await state.readJson("x.json")) ?? "nothing");
      } catch (error) { console.log(error.message); }`;
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      uid: 65_534,
      gid: 65_534,
      encoding: "utf8",
    });
    return child.stdout.trim();
  }

  it("goes on without memory in a folder of root's, and is refused in a third one's", async () => {
    const dir = await tempDir();
    await chmod(dir, 0o755);
    await (await openStateDir(dir)).writeJson("y.json", 1);
    await chmod(join(dir, ".keyhole"), 0o755);
    expect(openAsNobody(dir)).toBe("nothing");
    await chown(join(dir, ".keyhole/y.json"), 1_234, 1_234);
    expect(openAsNobody(dir)).toContain("belongs to another user (uid 1234)");
  });
});
