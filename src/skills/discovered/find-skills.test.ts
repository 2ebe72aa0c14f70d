import { link, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../test/fixtures/project.ts";
import { findSkills } from "./find-skills.ts";

const manual = (name: string, head = "", body = "Do it.") =>
  `---\nname: ${name}\ndescription: What ${name} is for\n${head}---\n${body}\n`;

async function world(files: Record<string, string>) {
  const root = await tempDir();
  for (const [path, text] of Object.entries(files)) await write(root, path, text);
  await mkdir(join(root, "project"), { recursive: true });
  return {
    root,
    find: () => findSkills({ projectDir: join(root, "project"), homeDir: join(root, "home") }),
  };
}

async function write(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const problemOf = async (files: Record<string, string>) => {
  const { skills, problems } = await (await world(files)).find();
  return { names: skills.map(({ name }) => name), problem: problems[0]?.problem };
};
const P = "project/.claude/skills";

describe("skills of other clients", () => {
  it("are found in the project's folders, then in the home's; the first of a name is used, the other one told", async () => {
    const { find } = await world({
      [`${P}/pdf/SKILL.md`]: manual("pdf"),
      "project/.agents/skills/sheets/SKILL.md": manual("sheets"),
      "home/.claude/skills/mine/SKILL.md": manual("mine"),
      "home/.agents/skills/pdf/SKILL.md": manual("pdf", "", "Otherwise."),
      "home/.agents/skills/sheets/SKILL.md": manual("sheets"),
    });
    const { skills, problems } = await find();
    expect(skills.map(({ name, place, isInHome }) => [name, place, isInHome])).toEqual([
      ["sheets", ".agents/skills/sheets", false],
      ["pdf", ".claude/skills/pdf", false],
      ["mine", "~/.claude/skills/mine", true],
    ]);
    expect(problems).toEqual([
      { place: "~/.agents/skills/pdf", problem: expect.stringContaining(".claude/skills/pdf") },
    ]);
  });

  it("have instructions, maybe code, and files that are read as long as they are what they were", async () => {
    const { find, root } = await world({
      [`${P}/pdf/SKILL.md`]: manual("pdf"),
      [`${P}/pdf/index.ts`]: "export const fill = () => 1;\n",
      [`${P}/pdf/references/forms.md`]: "Forms",
      [`${P}/pdf/.git/config`]: "secret",
      [`${P}/pdf/node_modules/x/index.js`]: "x",
    });
    const [skill] = (await find()).skills;
    expect(skill).toMatchObject({
      manual: { name: "pdf", description: "What pdf is for", body: "Do it." },
      program: { language: "typescript", code: "export const fill = () => 1;\n" },
    });
    expect(skill?.files.map(({ path }) => path)).toEqual(["SKILL.md", "index.ts", "references/forms.md"]);
    const forms = skill?.files[2];
    expect(String(await forms?.read())).toBe("Forms");
    await write(root, `${P}/pdf/references/forms.md`, "Farms");
    expect(await forms?.read()).toBeUndefined();
    expect((await find()).skills[0]?.hash).not.toBe(skill?.hash);
  });

  it("are read leniently: only a description is needed, and a head that can be read", async () => {
    const { skills, problems } = await (
      await world({
        [`${P}/no-name/SKILL.md`]: "---\ndescription: Fine\n---\nBody",
        [`${P}/other-name/SKILL.md`]: manual("Something_Else"),
        [`${P}/Odd_Folder/SKILL.md`]: manual("odd"),
        [`${P}/more/SKILL.md`]: manual(
          "more",
          "license: MIT\nallowed-tools: Bash(git:*) Read\nunknown: [1]\n",
        ),
        [`${P}/no-description/SKILL.md`]: "---\nname: no-description\n---\n",
        [`${P}/no-head/SKILL.md`]: "# Just text",
        [`${P}/bad-yaml/SKILL.md`]: '---\ndescription: "open\n---\n',
        [`${P}/nothing/README.md`]: "x",
      })
    ).find();
    expect(skills.map(({ name }) => name).sort()).toEqual(["more", "no-name", "odd-folder", "other-name"]);
    expect(problems.map(({ place }) => place.split("/").at(-1))).toEqual([
      "bad-yaml",
      "no-description",
      "no-head",
      "nothing",
    ]);
  });
});

describe("hostile folders", () => {
  const level = (n: number) =>
    `l${n}: &l${n} [${Array(10)
      .fill(`*l${n - 1}`)
      .join(", ")}]`;
  const bomb = ["l0: &l0 [x]", ...Array.from({ length: 12 }, (_, n) => level(n + 1))].join("\n");

  it.each([
    ["a bomb of anchors", { [`${P}/a/SKILL.md`]: manual("a", `${bomb}\n`) }, "can't be read"],
    ["depth", { [`${P}/a/SKILL.md`]: manual("a", `x: ${"[".repeat(15_000)}\n`) }, "can't be read"],
    [
      "a head without an end",
      { [`${P}/a/SKILL.md`]: `---\n${"description: x\n".repeat(100_000)}` },
      "SKILL.md",
    ],
    ["ten megabytes", { [`${P}/a/SKILL.md`]: manual("a", "", "x".repeat(10_000_000)) }, "more than"],
    [
      "twenty megabytes beside it",
      { [`${P}/a/SKILL.md`]: manual("a"), [`${P}/a/big`]: "x".repeat(20_000_000) },
      "MiB",
    ],
    [
      "both languages",
      { [`${P}/a/SKILL.md`]: manual("a"), [`${P}/a/index.ts`]: "", [`${P}/a/__init__.py`]: "" },
      "both",
    ],
    ["no name for a skill", { [`${P}/${"a".repeat(80)}/SKILL.md`]: manual("a") }, "its name"],
  ])("with %s is told, and read no further", async (_, files, problem) => {
    expect(await problemOf(files)).toEqual({ names: [], problem: expect.stringContaining(problem) });
  });

  it("with very many files is told", async () => {
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`${P}/a/f${n}`, ""]));
    expect(await problemOf({ ...files, [`${P}/a/SKILL.md`]: manual("a") })).toMatchObject({ names: [] });
  });

  it("lead nowhere by links: of the skill, of its files, of the folder of all", async () => {
    const { root, find } = await world({
      "secret/SKILL.md": manual("secret"),
      "secret/key": "key",
      [`${P}/a/SKILL.md`]: manual("a"),
      "project/.agents/x": "",
    });
    await symlink(join(root, "secret"), join(root, P, "linked"));
    await symlink(join(root, "secret/key"), join(root, P, "a/key"));
    await symlink(join(root, "secret"), join(root, P, "a/folder"));
    await symlink(join(root, P), join(root, "project/.agents/skills"));
    const { skills, problems } = await find();
    expect(skills.map(({ name, files, remarks }) => [name, files.map(({ path }) => path), remarks])).toEqual([
      ["a", ["SKILL.md"], [expect.stringContaining("folder"), expect.stringContaining("key")]],
    ]);
    expect(problems.map(({ place }) => place)).toEqual([".agents/skills", `.claude/skills/linked`]);
  });

  it("of the home may be links: the user put them there", async () => {
    const { root, find } = await world({ "elsewhere/tool/SKILL.md": manual("tool"), "home/x": "" });
    await mkdir(join(root, "home/.claude/skills"), { recursive: true });
    await symlink(join(root, "elsewhere/tool"), join(root, "home/.claude/skills/tool"));
    const [skill] = (await find()).skills;
    expect(skill).toMatchObject({ name: "tool", place: "~/.claude/skills/tool" });
    expect(String(await skill?.files[0]?.read())).toContain("What tool is for");
  });

  it("that are none are left out and told: in them a file, a link to a file or to a pipe, and in their place a file", async () => {
    const { root, find } = await world({
      "home/.claude/skills/notes.md": "x",
      "home/.claude/skills/good/SKILL.md": manual("good"),
      "home/.agents/skills": "no folder",
      "elsewhere/file": "x",
      "project/.claude/skills": "no folder",
      [`project/.agents/skills/README.md`]: "x",
    });
    const { execFileSync } = await import("node:child_process");
    execFileSync("mkfifo", [join(root, "elsewhere/pipe")]);
    await symlink(join(root, "elsewhere/file"), join(root, "home/.claude/skills/to-file"));
    await symlink(join(root, "elsewhere/pipe"), join(root, "home/.claude/skills/to-pipe"));
    const { skills, problems } = await find();
    expect(skills.map(({ name }) => name)).toEqual(["good"]);
    expect(problems).toEqual([
      { place: ".agents/skills/README.md", problem: "it is no folder" },
      { place: ".claude/skills", problem: "it is no folder" },
      { place: "~/.agents/skills", problem: "it is no folder" },
      { place: "~/.claude/skills/notes.md", problem: "it is no folder" },
      { place: "~/.claude/skills/to-file", problem: "it is no folder" },
      { place: "~/.claude/skills/to-pipe", problem: "it is no folder" },
    ]);
  });

  it("with pipes hold nobody up", async () => {
    const { root, find } = await world({ [`${P}/a/SKILL.md`]: manual("a") });
    const { execFileSync } = await import("node:child_process");
    execFileSync("mkfifo", [join(root, P, "a/pipe")]);
    await link(join(root, P, "a/SKILL.md"), join(root, P, "a/again.md"));
    expect((await find()).skills[0]?.files.map(({ path }) => path)).toEqual(["SKILL.md", "again.md"]);
  });
});
