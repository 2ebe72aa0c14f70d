import { describe, expect, it } from "vitest";
import { tempDir } from "../../../test/fixtures/project.ts";
import { toHash } from "../../text/hash.ts";
import { openPackKey, signPack } from "./signing-key.ts";
import { type PackedSkill, readPack, toPackText } from "./skill-pack.ts";

const manual = (name: string) => `---\nname: ${name}\ndescription: Adds\n---\n\nUse it.\n`;
const CODE = "export const add = (a: number, b: number) => a + b;\n";

function packed(name: string, more: Partial<PackedSkill> = {}): PackedSkill {
  const files = { manual: manual(name), language: "typescript" as const, code: CODE, tests: "add(1, 2);\n" };
  const tools = [{ server: "github", tool: "create_issue", hash: "abc" }];
  return { name, version: 3, files, tools, skills: ["other"], earlier: [], ...more };
}

const key = async () => openPackKey(await tempDir());
const read = (text: string) => readPack(Buffer.from(text));
const problemOf = (text: string | Uint8Array) => {
  const result = typeof text === "string" ? read(text) : readPack(text);
  return result.ok ? undefined : result.problem;
};

describe("a pack", () => {
  it("says what was packed, by whom, and is the same text each time", async () => {
    const mine = await key();
    const earlier = [{ version: 1, files: { ...packed("add").files, code: "export const add = 1;\n" } }];
    const pack = signPack([packed("sum"), packed("add", { earlier })], mine);
    const text = toPackText(pack);
    expect(read(text)).toEqual({ ok: true, pack });
    expect(pack.skills.map(({ name }) => name)).toEqual(["add", "sum"]);
    expect(pack.signature?.key).toBe(mine.key);
    expect(toPackText(signPack([packed("add", { earlier }), packed("sum")], mine))).toBe(text);
  });

  it("can be unsigned, and checked out with other ends of lines", async () => {
    const text = toPackText({ skills: [packed("add")] });
    expect(read(text)).toMatchObject({ ok: true, pack: { skills: [{ name: "add" }] } });
    expect(read(text.replaceAll("\n", "\r\n"))).toEqual(read(text));
  });

  it("has the key that the user has, however often it is opened", async () => {
    const dir = await tempDir();
    const [one, two] = await Promise.all([openPackKey(dir), openPackKey(dir)]);
    expect(one.key).toBe(two.key);
  });
});

describe("a hostile pack", () => {
  /** As its author meant it, with this in the place of that. */
  const changed = (from: string | RegExp, to: string) =>
    toPackText({ skills: [packed("add")] }).replace(from, to);

  it.each([
    ["nothing", "", "cut off"],
    ["a number", "1", "cut off"],
    ["no JSON", "{", "cut off"],
    ["a list", "[]", "cut off"],
    ["another format", changed("keyhole-skills/1", "keyhole-skills/2"), "format"],
    ["no skills", '{"format":"keyhole-skills/1","skills":[]}', "skills"],
    ["a key more", changed('"format"', '"extra": 1,\n "format"'), ""],
    ["a key of the prototype", changed('"format"', '"__proto__": {},\n "format"'), ""],
    ["a key twice", changed('"version": 3', '"version": 1,\n   "version": 3'), "as Keyhole writes"],
    ["a name as an escape", changed('"name": "add"', '"name": "\\u0061dd"'), "as Keyhole writes"],
    ["something behind it", `${toPackText({ skills: [packed("add")] })}{}`, "cut off"],
    ["another hash", changed(toHash(CODE), toHash("x")), "not what its hash says"],
    ["another text", changed("a + b", "a - b"), "not what its hash says"],
    ["a version of nothing", changed('"version": 3', '"version": 0'), "version"],
    ["a version as a text", changed('"version": 3', '"version": "3"'), "version"],
    ["a name in capitals", changed('"name": "add"', '"name": "Add"'), "name"],
  ])("with %s is refused", (_what, text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });

  it("that was cut off anywhere is refused", async () => {
    const bytes = Buffer.from(toPackText(signPack([packed("add")], await key())));
    for (let length = 0; length < bytes.length - 1; length += 7)
      expect(problemOf(bytes.subarray(0, length))).toEqual(expect.any(String));
  });

  it("with any byte of it changed is refused, signed or not", async () => {
    const bytes = Buffer.from(toPackText(signPack([packed("add")], await key())));
    for (let at = 0; at < bytes.length - 1; at += 11) {
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ 1;
      expect(problemOf(other)).toEqual(expect.any(String));
    }
  });

  it("with what another key signed, or a signature of another pack, is refused", async () => {
    const [mine, theirs] = [signPack([packed("add")], await key()), signPack([packed("sum")], await key())];
    const { signature } = mine;
    if (!signature || !theirs.signature) throw new Error("They are signed");
    for (const wrong of [
      { skills: theirs.skills, signature },
      { ...mine, signature: { ...signature, key: theirs.signature.key } },
      { ...mine, signature: { ...signature, value: `${signature.value.slice(0, -4)}AA==` } },
      { ...mine, signature: { ...signature, value: "" } },
      { ...mine, signature: { ...signature, key: ` ${signature.key}` } },
    ])
      expect(problemOf(toPackText(wrong))).toMatch(/signature/);
  });

  it("with skills twice, or in no order, is refused", () => {
    expect(problemOf(toPackText({ skills: [packed("add"), packed("add")] }))).toContain("twice");
    expect(problemOf(toPackText({ skills: [packed("sum"), packed("add")] }))).toContain("order");
  });

  it.each([
    "ADD.md",
    "skill.md",
    "SKILL.MD",
    "SKILL.md ",
    "index.TS",
    "tests.py",
    "__init__.py",
    "./index.ts",
    "index.ts\u0000",
  ])("with a file called %j beside its own is refused", (name) => {
    const extra = { name, sha256: toHash("x"), text: "x" };
    const json = JSON.parse(toPackText({ skills: [packed("add")] }));
    json.skills[0].files[2] = extra;
    expect(problemOf(JSON.stringify(json, null, 1))).toEqual(expect.any(String));
  });

  it("whose texts are no text is refused", () => {
    for (const code of ["\0", "\ud800", "x\udfff"])
      expect(
        problemOf(toPackText({ skills: [packed("add", { files: { ...packed("add").files, code } })] })),
      ).toContain("half a character");
    expect(problemOf(Buffer.from([0xff, 0xfe]))).toContain("UTF-8");
  });

  it("that is large, deep or full of nothing is refused before it is parsed", () => {
    expect(problemOf(Buffer.alloc(17 * 1024 * 1024, 32))).toContain("bytes");
    for (const bomb of [
      "[".repeat(8_000_000),
      "[],".repeat(4_000_000),
      `{"a":${"{}".repeat(2_000_000)}`,
      '"a",'.repeat(3_000_000),
    ])
      expect(problemOf(bomb)).toContain("lists and objects");
    expect(problemOf(`"${"\\".repeat(8_000_000)}`)).toEqual(expect.any(String));
  });

  it("with more of anything than there can be is refused", () => {
    const large = { ...packed("add").files, code: `//${"x".repeat(256 * 1024)}\n` };
    expect(problemOf(toPackText({ skills: [packed("add", { files: large })] }))).toEqual(expect.any(String));
    const wide = { ...packed("add").files, code: `//${"€".repeat(100 * 1024)}\n` };
    expect(problemOf(toPackText({ skills: [packed("add", { files: wide })] }))).toContain("bytes");
    const tools = Array.from({ length: 1_001 }, (_, n) => ({ server: "s", tool: `t${n}`, hash: "" }));
    expect(problemOf(toPackText({ skills: [packed("add", { tools })] }))).toContain("tools");
    const many = Array.from({ length: 201 }, (_, n) => packed(`s${String(n).padStart(3, "0")}`));
    expect(problemOf(toPackText({ skills: many }))).toContain("skills");
  });

  it("can't write a line of its own into a terminal", () => {
    const text = toPackText({ skills: [packed("add")] }).replace('"name": "add"', '"name": "\\u001b[2Jx\\n"');
    expect(problemOf(text)).not.toMatch(/[\u001b\n]/);
  });
});

/** Ways out of a folder, as names of skills and of files: the parts by which they are made, in all ways to put them together. */
const WAYS = (() => {
  const ups = ["..", "../..", "..\\..", "%2e%2e", "..%2f..", "....//", "..;", "\u2025", "．．", "..\u0000"];
  const targets = ["/etc/passwd", "\\windows\\win.ini", "/", "/.git/hooks/pre-commit", "/index.ts"];
  const made = ups.flatMap((up) => targets.flatMap((target) => [`${up}${target}`, `/${up}${target}`]));
  return [
    ...made,
    "/etc/passwd",
    "C:\\x",
    "C:x",
    "\\\\host\\share",
    "~/.ssh/id",
    ".",
    "..",
    "",
    "con",
    "a/b",
    "a\\b",
    "-a",
    "a-",
    "a--b",
    "A",
    "a b",
    "a.",
    "ａ",
  ];
})();

describe("ways out of a folder", () => {
  it("are at least a hundred", () => {
    expect(new Set(WAYS).size).toBeGreaterThanOrEqual(100);
  });

  it.each(WAYS.filter((way) => way !== "con"))(
    "%j is no name of a skill, nor of one that is needed",
    (name) => {
      expect(problemOf(toPackText({ skills: [packed("add", { name })] }))).toEqual(expect.any(String));
      expect(problemOf(toPackText({ skills: [packed("add", { skills: [name] })] }))).toEqual(
        expect.any(String),
      );
    },
  );

  it.each(WAYS)("%j is no name of a file", (name) => {
    const json = JSON.parse(toPackText({ skills: [packed("add")] }));
    for (const at of [0, 1, 2]) {
      const files = json.skills[0].files.map((file: object, place: number) =>
        place === at ? { ...file, name } : file,
      );
      const other = { ...json, skills: [{ ...json.skills[0], files }] };
      expect(problemOf(`${JSON.stringify(other, null, 1)}\n`)).toEqual(expect.any(String));
    }
  });
});
