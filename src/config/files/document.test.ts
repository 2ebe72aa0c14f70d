import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ConfigDocument, readDocument } from "./document.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-document-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function read(name: string, text: string | Buffer): Promise<ConfigDocument> {
  await writeFile(join(dir, name), text);
  return readDocument(join(dir, name));
}

test.each([
  ["a.json", '{\n  "a": 1\n  "b": 2\n}', "3:3", 'Expected "," between two entries'],
  ["a.json", '{\n  "a": \n}', "3:1", "Expected a value"],
  ["a.json", "{ a: 1 }", "1:3", "Expected a JSON value"],
  ["a.json", '{ "a" 1 }', "1:7", 'Expected ":" after the key'],
  ["a.json", '{ "a": [1, 2 }', "1:14", 'Expected "," between two entries'],
  ["a.json", '{ "a": 1', "1:9", 'Expected "}"'],
  ["a.json", '{ "a": "x', "1:8", "Expected a double quote at the end of the text"],
  ["a.json", '{} {"b": 1}', "1:4", "Expected the end of the file"],
  ["a.json", "/* open", "1:1", 'Expected "*/" at the end of the comment'],
  ["a.yaml", "a: 1\nb: [1, 2\n", "3:1", ""],
  ["a.yaml", "a: 1\na: 2\n", "2:1", 'Key "a" occurs twice'],
  ["a.yaml", "s:\n  'b c': 1\n  \"b c\": 2\n", "3:3", 'Key "b c" occurs twice'],
  ["a.yaml", "a: !python/object x\n", "1:4", "Unresolved tag"],
  ["a.yaml", "a: 1\n---\nb: 2\n", "2:1", 'Expected one document, found a second one after "---"'],
  ["a.yaml", "a:\n  ? [x, y]\n  : 1\n", "2:5", "Expected a plain text as the key"],
  ["a.yaml", "a: [1, .inf]\n", "1:8", "Expected a number that is finite"],
  ["a.yaml", "a: {<<: 5}\n", "1:1", "Merge sources must be maps"],
  ["a.yaml", "a: *nowhere\n", "1:1", "Unresolved alias"],
  ["a.toml", "[a]\nb = \n", "2:5", "Broken TOML"],
  ["a.toml", "a = 1\na = 2\n", "2:1", 'Broken TOML: Key "a" occurs twice'],
  ["a.toml", "[a]\nb = 1\n['x y'.z]\n[a]\n", "4:2", 'Broken TOML: Key "a" occurs twice'],
])("says file, line, column and what was expected in %s: %j", async (name, text, position, expected) => {
  const reading = read(name, text);
  await expect(reading).rejects.toMatchObject({ code: "config_invalid" });
  const message = await reading.catch((error: Error) => error.message);
  expect(message).toContain(`${join(dir, name)}:${position}: ${expected}`);
  expect(message).not.toMatch(/\.$/);
});

test("JSON may have comments, trailing commas and a byte order mark", async () => {
  const { data, notices } = await read("a.json", '\uFEFF// why\n{ "a": [1, 2,], /* b */ }');
  expect(data).toEqual({ a: [1, 2] });
  expect(notices).toEqual([]);
});

test("of a key that occurs twice in JSON the last one wins, and that is said", async () => {
  const { data, at, notices } = await read("a.json", '{\n "a": 1,\n "a": 2\n}');
  expect(data).toEqual({ a: 2 });
  expect(notices).toEqual([`${join(dir, "a.json")}:3:2: Key "a" occurs twice, the last one wins`]);
  expect(at(["a"])).toBe(`${join(dir, "a.json")}:3:7`);
});

test.each([
  ["a.json", '{\n  "s": {\n    "x": { "args": ["a", 5] }\n  }\n}', "3:26", "3:5"],
  ["a.yaml", "s:\n  x:\n    args:\n      - a\n      - 5\n", "5:9", "2:3"],
  ["a.toml", '[s.x]\ncommand = "y"\nargs = ["a", 5]\n', "3:1", "1:1"],
])("finds keys and values in %s", async (name, text, value, key) => {
  const { at } = await read(name, text);
  expect(at(["s", "x", "args", 1])).toBe(`${join(dir, name)}:${value}`);
  expect(at(["s", "x"], "key")).toBe(`${join(dir, name)}:${key}`);
  expect(at(["s", "x", "not", "there"], "key")).toBe(`${join(dir, name)}:${key}`);
});

test.each(["", "  \n", "\uFEFF"])("an empty file %j is told", async (text) => {
  await expect(read("a.json", text)).rejects.toMatchObject({
    code: "config_invalid",
    message: `${join(dir, "a.json")}:1:1: The file is empty`,
  });
});

test.each([
  ["a.yaml", ""],
  ["a.yaml", "# nothing yet\n"],
  ["a.yaml", "---\n"],
  ["a.toml", ""],
  ["a.toml", "# nothing yet\n"],
])("a file without settings is an empty one, in %s: %j", async (name, text) => {
  expect((await read(name, text)).data).toEqual({});
});

test("a YAML null that someone wrote is no empty file", async () => {
  expect((await read("a.yaml", "null\n")).data).toBeNull();
});

test("YAML merge keys put one map into another", async () => {
  const { data } = await read("a.yaml", "a: &a { x: 1, y: 1 }\nb:\n  <<: *a\n  y: 2\n");
  expect(data).toEqual({ a: { x: 1, y: 1 }, b: { x: 1, y: 2 } });
});

test("an odd YAML key causes no warning of Node's", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  await expect(read("a.yaml", "? {a: 1}\n: 2\n")).rejects.toMatchObject({ code: "config_invalid" });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});

test("an integer that no number holds keeps its digits in TOML", async () => {
  expect((await read("a.toml", "id = 1234567890123456789\nb = 5\n")).data).toEqual({
    id: "1234567890123456789",
    b: 5,
  });
});

test("a link that leads nowhere is told as such", async () => {
  await symlink(join(dir, "gone"), join(dir, "a.json"));
  await expect(readDocument(join(dir, "a.json"))).rejects.toMatchObject({
    code: "config_unreadable",
    message: `Cannot read "${join(dir, "a.json")}": it is a link that leads nowhere`,
  });
});

test.each(["a.json", "a.yaml", "a.toml"])(
  "__proto__ and constructor are keys like any other in %s",
  async (name) => {
    const texts: Record<string, string> = {
      "a.json": '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
      "a.yaml": "__proto__:\n  polluted: 1\nconstructor:\n  prototype:\n    polluted: 1\n",
      "a.toml": '["__proto__"]\npolluted = 1\n[constructor.prototype]\npolluted = 1\n',
    };
    const { data } = await read(name, texts[name] ?? "");
    expect(Object.keys(data ?? {})).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(data)).toBeNull();
    expect("polluted" in {}).toBe(false);
  },
);

test("an alias bomb in YAML is refused", async () => {
  const levels = "bcdefghij".split("").map((name, index) => {
    const before = String.fromCharCode(name.charCodeAt(0) - 1);
    return `${name}: &${name} [${Array(10 + index)
      .fill(`*${before}`)
      .join(", ")}]`;
  });
  const bomb = `a: &a [x, x]\n${levels.join("\n")}\n`;
  await expect(read("a.yaml", bomb)).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringMatching(/alias/),
  });
});

test("a YAML value that contains itself is refused", async () => {
  await expect(read("a.yaml", "a: &a\n  b: *a\n")).rejects.toMatchObject({ code: "config_invalid" });
});

test("ordinary YAML anchors work, and core types only", async () => {
  const { data } = await read("a.yaml", "a: &a { b: yes }\nc: *a\nd: 0o17\ne: 2001-01-01\n");
  expect(data).toEqual({ a: { b: "yes" }, c: { b: "yes" }, d: 15, e: "2001-01-01" });
});

test.each([
  ["a.json", "[".repeat(200_000)],
  ["a.json", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
  ["a.yaml", "[".repeat(50_000)],
  ["a.yaml", "- ".repeat(50_000)],
  ["a.toml", `a = ${"[".repeat(50_000)}`],
])("a file nested without end is refused, in %s", async (name, text) => {
  await expect(read(name, text)).rejects.toMatchObject({ code: "config_invalid" });
});

test("brackets within a text of JSON are no nesting", async () => {
  const text = `\\"${"[{".repeat(5000)}`;
  expect((await read("a.json", `{ "a": "${text}", /* " */ "b": 1 }`)).data).toMatchObject({ b: 1 });
});

test("a folder is unreadable", async () => {
  await mkdir(join(dir, "a.json"));
  await expect(readDocument(join(dir, "a.json"))).rejects.toMatchObject({
    code: "config_unreadable",
    message: `Cannot read "${join(dir, "a.json")}": it is a folder`,
  });
});

test("a file that is not there is unreadable", async () => {
  await expect(readDocument(join(dir, "no.json"))).rejects.toMatchObject({ code: "config_unreadable" });
});

test("a file of more than 20 MB is refused without reading it", async () => {
  await writeFile(join(dir, "a.json"), "{");
  await truncate(join(dir, "a.json"), 21 * 1024 * 1024);
  await expect(readDocument(join(dir, "a.json"))).rejects.toMatchObject({
    code: "config_unreadable",
    message: expect.stringMatching(/20 MB/),
  });
});

test.each([Buffer.from([0x22, 0xff, 0xfe, 0x22]), Buffer.from([0xff, 0xfe, 0x7b, 0x00])])(
  "a file that is not UTF-8 is refused: %j",
  async (bytes) => {
    await expect(read("a.json", bytes)).rejects.toMatchObject({
      code: "config_unreadable",
      hint: "Save it as UTF-8",
    });
  },
);

// Root reads everything, so there the test gives up its rights for the moment.
test.skipIf(process.platform === "win32")("a file that may not be read is unreadable", async () => {
  const file = join(dir, "a.json");
  await writeFile(file, "{}");
  await chmod(file, 0);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  try {
    await expect(readDocument(file)).rejects.toMatchObject({
      code: "config_unreadable",
      message: `Cannot read "${file}": permission denied`,
    });
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});
