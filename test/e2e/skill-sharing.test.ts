import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readPack } from "../../src/skills/packs/skill-pack.ts";
import { keyhole, untrustingKeyhole } from "../fixtures/keyhole.ts";
import { fixture, tempDir, writeProject, writeUserConfig } from "../fixtures/project.ts";

const KILLER = fileURLToPath(new URL("../fixtures/kill-at-write.js", import.meta.url));
/** By hand: KEYHOLE_TEST_KILLS=200. */
const KILLS = Number(process.env["KEYHOLE_TEST_KILLS"] ?? 4);
const CODE = "/** Makes a label. */\nexport const label = (title: string): string => title.toLowerCase();\n";

const project = (config: object = {}) =>
  writeProject({
    ".mcp.json": { mcpServers: { math: fixture("math") } },
    "keyhole.config.json": config,
    "labels.ts": CODE,
  });

async function saved(config: object = {}): Promise<string> {
  const dir = await project(config);
  const { code, stderr } = await keyhole(dir, [
    "skills",
    "save",
    "labels",
    "--file",
    join(dir, "labels.ts"),
    "--description",
    "Makes labels",
  ]);
  expect(code, stderr).toBe(0);
  return dir;
}

async function packed(): Promise<string> {
  const path = join(await tempDir(), "labels.json");
  const { code, stderr } = await keyhole(await saved(), ["skills", "export", "labels", "--out", path]);
  expect(code, stderr).toBe(0);
  return path;
}

const json = async (dir: string, ...args: string[]) => {
  const { stdout } = await keyhole(dir, [...args, "--json"]);
  return JSON.parse(stdout);
};

describe("keyhole skills export and import", () => {
  it("take a skill to another project, signed, reviewed and quarantined, and the audit log tells both [skill-pack]", async () => {
    const from = await saved();
    const path = join(await tempDir(), "labels.json");
    expect((await keyhole(from, ["skills", "export", "labels", "--out", path])).stdout).toContain(
      "1 skill written",
    );
    expect((await keyhole(from, ["audit", "list", "--action", "skill.changed"])).stdout).toContain(
      "labels exported",
    );
    const key = (await keyhole(from, ["skills", "key"])).stdout.trim();
    const to = await project();
    const review = await keyhole(to, ["skills", "import", path]);
    expect(review.code).toBe(2);
    expect(review.stdout).toContain("signed by a key that you don't know");
    expect(review.stdout).toContain("export const label");
    expect(review.stderr).toContain("nothing was imported");
    expect((await json(to, "skills", "list")).skills).toEqual([]);
    const { code, stdout } = await keyhole(to, ["skills", "import", path, "--yes"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("imported as v1  quarantined")]);
    expect((await keyhole(to, ["audit", "list", "--action", "skill.changed"])).stdout).toContain(
      "labels imported",
    );
    await writeUserConfig(to, { skills: { trustedKeys: { ann: key } } });
    expect((await keyhole(to, ["skills", "import", path, "--yes"])).stdout).toContain(
      "by a key that you trust as ann",
    );
    expect((await json(to, "skills", "list")).skills).toMatchObject([{ name: "labels", status: "ready" }]);
  });

  it("refuse what was changed, what is forbidden here, and what nobody has said yes to [skill-import]", async () => {
    const path = await packed();
    const text = await readFile(path, "utf8");
    const to = await project({
      permissions: { rules: [{ server: "math", tool: "*", decision: "deny", reason: "no sums" }] },
    });
    await writeFile(path, text.replace("toLowerCase", "toUpperCase"));
    const changed = await keyhole(to, ["skills", "import", path, "--yes"]);
    expect([changed.code, changed.stderr]).toEqual([2, expect.stringContaining("is not what its hash says")]);
    const folder = join(await tempDir(), "evil");
    await mkdir(folder);
    await writeFile(join(folder, "SKILL.md"), "---\nname: evil\ndescription: Evil\n---\n");
    await writeFile(join(folder, "index.ts"), "export const f = () => math.addUp({ numbers: [1] });\n");
    const forbidden = await keyhole(to, ["skills", "import", folder, "--yes"]);
    expect([forbidden.code, forbidden.stdout]).toEqual([3, expect.stringContaining("no sums")]);
    expect((await json(to, "skills", "list")).skills).toEqual([]);
    await mkdir(join(to, "skills/found"), { recursive: true });
    await writeFile(join(to, "skills/found/SKILL.md"), "---\nname: found\ndescription: Found\n---\n");
    const unsaid = await untrustingKeyhole(to, ["skills", "export", "found"]);
    expect(unsaid.code).not.toBe(0);
    expect(unsaid.stdout).not.toContain("keyhole-skills/1");
  });

  it("never believe a key that a project's own config names [skill-keys]", async () => {
    const from = await saved();
    const path = join(await tempDir(), "labels.json");
    await keyhole(from, ["skills", "export", "labels", "--out", path]);
    const key = (await keyhole(from, ["skills", "key"])).stdout.trim();
    const to = await project({ skills: { trustedKeys: { ann: key } } });
    const { stdout, stderr } = await keyhole(to, ["skills", "import", path, "--yes"]);
    expect(stderr).toContain('"skills.trustedKeys" is not obeyed');
    expect(stdout).toContain("quarantined");
  });
});

describe("keyhole skills publish and team", () => {
  it("give a skill to others of the team, by the keys that each of them trusts [skill-team]", async () => {
    const folder = await tempDir();
    const config = { skills: { library: { folder } } };
    const ann = await saved(config);
    expect((await keyhole(ann, ["skills", "publish", "labels"])).stdout).toContain("published as v1");
    const key = (await keyhole(ann, ["skills", "key"])).stdout.trim();
    const bob = await project(config);
    expect((await keyhole(bob, ["skills", "team"])).stdout).toContain("waits for your word");
    await writeUserConfig(bob, { skills: { trustedKeys: { ann: key } } });
    const use = 'import { label } from "./skills/labels"; return label("BUG")';
    expect((await keyhole(bob, ["run", "-e", use])).stdout).toContain("bug");
    expect((await keyhole(bob, ["audit", "list", "--action", "skill.changed"])).stdout).toContain(
      "labels received",
    );
    expect(existsSync(join(bob, "skills"))).toBe(false);
  });
});

describe("a kill", () => {
  const killed = (at: number) => ({
    ...{ KILL_AT: String(at), KILL_ON: "rename,writeFile,appendFile,rm,link,mkdir,open" },
    NODE_OPTIONS: `--import=${KILLER}`,
  });
  /** Spread over all steps of a command, of which there are some hundred. */
  const steps = Array.from({ length: KILLS }, (_, n) => 1 + Math.floor((n * 110) / KILLS));

  it("in the middle of an export leaves the old pack or the new one [skill-killed]", async () => {
    const dir = await saved();
    const path = join(await tempDir(), "labels.json");
    await writeFile(path, "old");
    for (const at of steps) {
      await keyhole(dir, ["skills", "export", "labels", "--out", path], killed(at));
      const text = await readFile(path, "utf8");
      if (text !== "old") expect(readPack(Buffer.from(text))).toMatchObject({ ok: true });
    }
  });

  it("in the middle of an import leaves the skill whole or not there [skill-killed]", async () => {
    const path = await packed();
    const dir = await project();
    for (const at of steps) {
      await keyhole(dir, ["skills", "import", path, "--yes"], killed(at));
      const { skills } = await json(dir, "skills", "list");
      if (skills.length === 0) continue;
      expect(skills).toMatchObject([{ name: "labels", status: "quarantined" }]);
      expect(await readFile(join(dir, "skills/labels/index.ts"), "utf8")).toBe(CODE);
      await keyhole(dir, ["skills", "remove", "labels"]);
    }
    expect((await keyhole(dir, ["skills", "import", path, "--yes"])).code).toBe(0);
  });

  it("in the middle of a publication leaves whole versions alone [skill-killed]", async () => {
    const folder = await tempDir();
    const dir = await saved({ skills: { library: { folder } } });
    for (const at of steps) {
      await keyhole(dir, ["skills", "publish", "labels"], killed(at));
      const names = await readdir(join(folder, "labels")).catch(() => []);
      for (const name of names.filter((one) => one.endsWith(".json")))
        expect(readPack(await readFile(join(folder, "labels", name)))).toMatchObject({ ok: true });
    }
    expect((await keyhole(dir, ["skills", "publish", "labels"])).stdout).toContain("v1");
  });
});
