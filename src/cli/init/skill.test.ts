import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { askForSkill, askToReplace } from "./choose.ts";
import { toLauncher } from "./launcher.ts";
import { planSkill, writeSkill } from "./skill.ts";
import { isUnchangedSkill, SKILL_NAME, toSkillText } from "./skill-text.ts";

const NPX = ["npx", "-y", "keyhole-mcp"];

let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "keyhole-skill-"));
});
afterEach(() => rm(project, { recursive: true, force: true }));

const file = () => join(project, ".claude", "skills", SKILL_NAME, "SKILL.md");

async function put(text: string): Promise<void> {
  await mkdir(dirname(file()), { recursive: true });
  await writeFile(file(), text);
}

describe("the skill's text", () => {
  const text = toSkillText(NPX);

  test("has the frontmatter that clients demand", () => {
    const [, frontmatter = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    const data: Record<string, unknown> = parse(frontmatter);
    expect(data["name"]).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(String(data["name"]).length).toBeLessThanOrEqual(64);
    expect(String(data["description"]).length).toBeLessThanOrEqual(1024);
    expect(String(data["compatibility"]).length).toBeLessThanOrEqual(500);
    for (const value of Object.values(Object(data["metadata"]))) expect(typeof value).toBe("string");
    expect(Object.keys(data)).toEqual(["name", "description", "compatibility", "metadata"]);
  });

  test("is short", () => {
    expect(text.split("\n").length).toBeLessThanOrEqual(66);
  });

  test("starts Keyhole as it can be started there", () => {
    expect(text).toContain('\nnpx -y keyhole-mcp search "');
    expect(toSkillText(["node", "/a b/main.js"])).toContain('\nnode "/a b/main.js" generate');
    expect(toLauncher("/x/node_modules/keyhole-mcp/dist/cli/main.js")).toEqual(NPX);
    expect(toLauncher("/x/keyhole/dist/cli/main.js")).toEqual(["node", "/x/keyhole/dist/cli/main.js"]);
  });

  test("is known as ours until somebody changes it", () => {
    expect(isUnchangedSkill(text)).toBe(true);
    expect(isUnchangedSkill(toSkillText(["node", "/x/main.js"]))).toBe(true);
    expect(isUnchangedSkill(text.replace("Leave the files", "Change the files"))).toBe(false);
    expect(isUnchangedSkill(text.replace(/digest: ".*"/, 'digest: ""'))).toBe(false);
    expect(isUnchangedSkill("")).toBe(false);
  });
});

describe("writing it", () => {
  test("makes the file, and a second time nothing", async () => {
    const plan = await planSkill(project, NPX);
    expect(plan).toMatchObject({ file: file(), status: "written" });
    expect(await writeSkill(plan)).toEqual([]);
    expect(await readFile(file(), "utf8")).toBe(toSkillText(NPX));
    expect(await planSkill(project, NPX)).toMatchObject({ status: "unchanged" });
    expect(await readdir(dirname(file()))).toEqual(["SKILL.md"]);
  });

  test("replaces what an earlier version wrote, also with other ends of lines", async () => {
    await put(toSkillText(["node", "/elsewhere/main.js"]).replaceAll("\n", "\r\n"));
    const plan = await planSkill(project, NPX);
    expect(plan.status).toBe("updated");
    expect(await writeSkill(plan)).toEqual([]);
    expect(await readFile(file(), "utf8")).toBe(toSkillText(NPX));
  });

  test("tells of somebody else's words, and keeps a backup of them", async () => {
    await put("mine");
    const plan = await planSkill(project, NPX);
    expect(plan.status).toBe("conflict");
    expect(await readFile(file(), "utf8")).toBe("mine");
    expect(await writeSkill(plan)).toEqual([`${file()}.bak`]);
    expect(await readFile(`${file()}.bak`, "utf8")).toBe("mine");
  });

  test.each([
    ".claude",
    ".claude/skills",
    `.claude/skills/${SKILL_NAME}`,
    `.claude/skills/${SKILL_NAME}/SKILL.md`,
  ])("goes through no link: %s", async (path) => {
    const outside = await mkdtemp(join(tmpdir(), "keyhole-outside-"));
    await mkdir(dirname(join(project, path)), { recursive: true });
    await symlink(outside, join(project, path));
    await expect(planSkill(project, NPX)).rejects.toMatchObject({
      code: "file_conflict",
      message: expect.stringContaining("is a link"),
    });
    expect(await readdir(outside)).toEqual([]);
    await rm(outside, { recursive: true });
  });

  test("is refused where a file or a folder is in its place", async () => {
    await writeFile(join(project, ".claude"), "");
    await expect(planSkill(project, NPX)).rejects.toMatchObject({
      message: expect.stringContaining("is no folder"),
    });
    await rm(join(project, ".claude"));
    await mkdir(file(), { recursive: true });
    await expect(planSkill(project, NPX)).rejects.toMatchObject({
      message: expect.stringContaining("is no file"),
    });
  });
});

describe("on a terminal", () => {
  const answer = (
    keys: string,
    ask: (streams: { input: PassThrough; output: PassThrough }) => Promise<boolean>,
  ) => {
    const input = new PassThrough();
    const asked = ask({ input, output: new PassThrough() });
    input.write(keys);
    return asked;
  };

  test("it is a question, with the likely answer ready", async () => {
    expect(await answer("\r", (streams) => askForSkill(true, streams))).toBe(true);
    expect(await answer("\r", (streams) => askForSkill(false, streams))).toBe(false);
    expect(await answer("y", (streams) => askForSkill(false, streams))).toBe(true);
  });

  test("a changed file is replaced only after a yes", async () => {
    expect(await answer("\r", (streams) => askToReplace("SKILL.md", streams))).toBe(false);
    await expect(answer("\u0003", (streams) => askToReplace("SKILL.md", streams))).rejects.toMatchObject({
      code: "cancelled",
    });
  });
});
