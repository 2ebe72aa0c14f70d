import { describe, expect, it } from "vitest";
import { openSkillsFolder, type SkillInFolder } from "./skills-folder.ts";

const file = (path: string, content: string | Uint8Array = path) => {
  const bytes = Buffer.from(content);
  return { path, bytes: bytes.length, read: async () => bytes };
};
const skills: readonly SkillInFolder[] = [
  {
    name: "fill-forms",
    files: [file("SKILL.md"), file("references/fields.md"), file("logo.png", Buffer.from([0xff, 0xd8]))],
  },
  { name: "sum-up", files: [file("SKILL.md"), file("index.ts")] },
];
const open = (all = skills) => openSkillsFolder(async () => all, "typescript");
const at = (path: string, more = {}) => ({ folder: "skills", path, recursive: false, ...more });

describe("the folder ./skills", () => {
  it("has a folder for each skill, and folders in them", async () => {
    const read = open();
    expect(await read(at(""))).toEqual({ kind: "folder", files: [], folders: ["fill-forms", "sum-up"] });
    expect(await read(at("fill-forms"))).toEqual({
      kind: "folder",
      files: ["SKILL.md", "logo.png"],
      folders: ["references"],
    });
    expect(await read(at("", { recursive: true }))).toMatchObject({
      files: [
        "fill-forms/SKILL.md",
        "fill-forms/references/fields.md",
        "fill-forms/logo.png",
        "sum-up/SKILL.md",
        "sum-up/index.ts",
      ],
      folders: ["fill-forms", "fill-forms/references", "sum-up"],
    });
  });

  it("has texts, and what is no text in pieces", async () => {
    const read = open();
    expect(await read(at("sum-up/index.ts"))).toEqual({ kind: "file", text: "index.ts" });
    expect(await read(at("sum_up/index.ts"))).toEqual({ kind: "file", text: "index.ts" });
    expect(await read(at("fill-forms/logo.png"))).toEqual({ kind: "file", bytes: 2 });
    expect(await read(at("fill-forms/logo.png", { from: 1 }))).toEqual(Buffer.from([0xd8]));
  });

  it("refuses what is not as it was when it was trusted", async () => {
    const changed = [{ name: "a", files: [{ path: "SKILL.md", bytes: 1, read: async () => undefined }] }];
    expect(await open(changed)(at("a/SKILL.md"))).toMatchObject({ kind: "refused" });
  });

  it.each(
    "../../etc/passwd|/etc/passwd|..|.|sum-up/..|sum-up/../sum-up/index.ts|sum-up//index.ts|/sum-up|__proto__|sum-up/__proto__|constructor|sum-up\\index.ts|sum-up%2findex.ts|sum-up/index.ts\0|sum-up/index.ts/x"
      .split("|")
      .concat("x".repeat(2_000_000)),
  )("has nothing but what it knows: %s", async (path) => {
    expect(await open()(at(path))).toMatchObject({
      kind: "missing",
      message: expect.stringMatching(/^.{5,400}$/s),
    });
  });

  it.each([
    null,
    "sum-up",
    [],
    { path: "" },
    { folder: "servers", path: "" },
    { folder: "skills", path: ["a"] },
  ])("takes no request like %j", async (request) => {
    expect(await open()(request)).toMatchObject({ kind: "missing" });
  });

  it("gives one run no more than 64 MB, and each run as much", async () => {
    const large = [{ name: "a", files: [file("b", Buffer.alloc(1_000_000, 0xff))] }];
    const read = open(large);
    let pieces = 0;
    while (pieces < 1_000 && (await read(at("a/b", { from: 0 }))) instanceof Uint8Array) pieces++;
    expect(pieces).toBe(67);
    expect(await open(large)(at("a/b", { from: 0 }))).toBeInstanceOf(Uint8Array);
  });
});
