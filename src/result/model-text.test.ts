import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { UNSAFE } from "../text/plain-text.ts";
import { createCallLog } from "./call-log.ts";
import type { ShownLog } from "./log-text.ts";
import { type RunOutput, toModelText } from "./model-text.ts";

const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

const UUID = "0b8f3c1e-5d0a-4f7e-9a53-2f1c6d8e7b90";

async function show(output: Partial<RunOutput>, budgetTokens?: number) {
  const files = new Map<string, string>();
  const shown = await toModelText(
    { runId: "r1", logs: [], calls: [], ...output },
    {
      ...(budgetTokens === undefined ? {} : { budgetTokens }),
      save: async (name, content) => {
        files.set(name, content);
        return `./workspace/results/${name}`;
      },
    },
  );
  return { ...shown, files };
}

const log = (...texts: string[]): ShownLog[] => texts.map((text) => ({ level: "log", text }));

describe("toModelText", () => {
  it("shows short things as they are", async () => {
    const { text, isWhole, files } = await show({
      logs: log("one", "two"),
      result: { a: [1, "x"], b: null },
    });
    expect(text).toBe('logs:\none\ntwo\nresult:\n{"a":[1,"x"],"b":null}');
    expect(isWhole).toBe(true);
    expect(files.size).toBe(0);
  });

  it("shows text as text and says when there is nothing", async () => {
    expect((await show({ result: "line 1\nline 2" })).text).toBe("line 1\nline 2");
    expect((await show({})).text).toContain("returned nothing");
    const notice = {
      level: "warn" as const,
      text: "(crm.list sent NaN, read as null)",
      isNotice: true as const,
    };
    const told = (await show({ logs: [notice] })).text;
    expect(told).toContain("returned nothing");
    expect(told).toContain("sent NaN");
    expect((await show({ result: null })).text).toBe("null");
  });

  it("writes a list of like objects as a table when that is cheaper, with types kept", async () => {
    const result = Array.from({ length: 30 }, (_, id) => ({
      id,
      name: `Name ${id}`,
      code: `${id}`,
      open: id % 2 === 0,
    }));
    const { text, isWhole } = await show({ result });
    expect(isWhole).toBe(true);
    expect(text.split("\n").slice(0, 3)).toEqual([
      "array of 30 objects, whole:",
      "id|name|code|open",
      '0|Name 0|"0"|true',
    ]);
  });

  it("gives shape, ranges, few-valued fields, first and last items of a long list, and saves the whole", async () => {
    const result = Array.from({ length: 5000 }, (_, index) => ({
      id: index + 1,
      title: `Issue ${index} ${"x".repeat(index % 50)}`,
      state: index % 3 === 0 ? "open" : "closed",
      user: { login: `user${index % 7}`, admin: false },
      labels: index % 2 === 0 ? [] : [{ name: "bug" }],
    }));
    const { text, tokens, files, isWhole, saved } = await show({ result });
    expect(isWhole).toBe(false);
    expect(tokens).toBeLessThanOrEqual(2000);
    expect(tokens).toBeGreaterThan(1000);
    expect(text).toContain("array of 5,000 objects");
    expect(text).toContain("id: int 1…5000");
    expect(text).toMatch(/state: "open"\(1667\)\|"closed"\(3333\)/);
    expect(text).toContain("Issue 0");
    expect(text).toContain("Issue 4999");
    expect(text).toContain('JSON.parse(await readFile("./workspace/results/r1.json", "utf8"))');
    expect(saved).toEqual(["./workspace/results/r1.json"]);
    expect(JSON.parse(files.get("r1.json") ?? "")).toEqual(result);
  });

  it("shows a list inside an object, and cuts long strings", async () => {
    const items = Array.from({ length: 500 }, (_, id) => ({ id, name: `n${id}` }));
    const { text } = await show({ result: { total: 500, body: "word ".repeat(5000), items } });
    expect(text).toContain("total: 500");
    expect(text).toMatch(/body: "word word .*chars/);
    expect(text).toContain("id|name");
  });

  it("does not parse JSON text with more values than are worth it, in a result or in a log", async () => {
    const many = `[${"{},".repeat(600_000)}{}]`;
    expect((await show({ result: many })).text).toMatch(/^text of 1,800,004 characters/);
    expect((await show({ logs: log(many) })).text).toContain("characters left out");
  });

  it("shows both ends of long text, and JSON in text by its shape", async () => {
    const long = await show({ result: `start ${"middle ".repeat(5000)}end` });
    expect(long.text).toMatch(/^text of 35,009 characters\nstart middle/);
    expect(long.text).toContain("characters left out");
    const left = Number(/…([\d,]+) characters left out…/.exec(long.text)?.[1]?.replaceAll(",", ""));
    const start = long.text.slice(long.text.indexOf("\n") + 1, long.text.indexOf("…"));
    const end = long.text.slice(long.text.lastIndexOf("…") + 1, long.text.lastIndexOf("\n"));
    expect(start.length + left + end.length).toBe(35_009);
    expect(long.text).toContain("middle end");
    expect(long.files.get("r1.txt")).toHaveLength(35_009);
    const json = await show({ result: JSON.stringify(Array.from({ length: 3000 }, (_, id) => ({ id }))) });
    expect(json.text).toContain("array of 3,000 objects");
  });

  it("shows the start and the end of long logs, repeated lines once, and saves them", async () => {
    const logs = log(
      "begin",
      ...Array.from({ length: 3000 }, (_, i) => `step ${i}`),
      ...Array<string>(400).fill("same"),
      "end",
    );
    const { text, files } = await show({ logs });
    expect(text).toContain("3,402 log entries");
    expect(text).toContain("begin");
    expect(text).toContain("same (400 times)\nend");
    expect(files.get("r1.log")?.split("\n")).toHaveLength(3403);
  });

  it("leaves a short log whole beside a long result", async () => {
    const { text, files } = await show({
      logs: log("found 9"),
      result: Array.from({ length: 9999 }, (_, i) => i),
    });
    expect(text).toMatch(/^logs:\nfound 9\nresult:\narray of 9,999 numbers/);
    expect([...files.keys()]).toEqual(["r1.json"]);
  });

  it("describes images and base64 by type and size, and keeps them", async () => {
    const data = Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 251)).toString("base64");
    const { text, files } = await show({
      result: { shot: { type: "image", data, mimeType: "image/png" }, raw: data },
    });
    expect(text).toContain("<image/png, 3.0 KB>");
    expect(text).toContain("<base64, 3.0 KB>");
    expect(text).not.toContain(data.slice(0, 40));
    expect(files.get("r1.json")).toContain(data);
  });

  it("describes what a log entry holds likewise, and keeps the log", async () => {
    const data = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 7919) % 251)).toString("base64");
    const { text, files } = await show({ logs: log("before", data) });
    expect(text).toContain("before\n<base64, 300 B>");
    expect(files.get("r1.log")).toContain(data);
  });

  it("shows an error with kind, line, hint and the calls made before it", async () => {
    const made = createCallLog();
    const create = { name: "github.createIssue", isRead: false };
    made.start({ name: "github.listIssues", isRead: true }, {}).answered([]);
    for (const title of ["a", "b"]) made.start(create, { title }).answered({});
    made.start(create, { title: "c" }).failed("failed");
    const { text } = await show({
      error: {
        kind: "tool_failed",
        message: "Not Found",
        location: { line: 2, column: 7 },
        hint: "Check the name of the repository",
      },
      calls: made.calls,
      code: "const a = 1;\nawait github.createIssue({});\n",
    });
    expect(text).toBe(
      [
        "error (tool_failed): Not Found",
        "at line 2, column 7: await github.createIssue({});",
        "hint: Check the name of the repository",
        "writes made before, in this order; do not repeat what is done:",
        'github.createIssue ×2 done: {title:"a"}, {title:"b"}',
        'github.createIssue failed: {title:"c"}',
        "reads made before: 1: github.listIssues",
      ].join("\n"),
    );
  });

  it("heads what was printed before an error, as it does before a result", async () => {
    const error = { kind: "exception", message: "bad" };
    expect((await show({ error, logs: log("a", "b") })).text).toMatch(/^error .*\nlogs:\na\nb$/s);
    expect((await show({ result: 1, logs: log("a") })).text).toBe("logs:\na\nresult:\n1");
    expect((await show({ logs: log("a") })).text).toBe("a");
  });

  it("keeps hint and calls when the message is endless", async () => {
    const { text, tokens } = await show(
      { error: { kind: "x", message: "m ".repeat(1e6), hint: "do y" } },
      200,
    );
    expect(text).toContain("hint: do y");
    expect(tokens).toBeLessThanOrEqual(200);
  });

  it("says so when the whole can't be saved", async () => {
    const { text } = await toModelText(
      { runId: "r", logs: [], calls: [], result: Array.from({ length: 9999 }, (_, i) => i) },
      { save: () => Promise.reject(new Error("disk full")) },
    );
    expect(text).toContain("could not be saved");
  });

  it("reads back in Python's words for a Python program", async () => {
    const { text } = await show({ result: Array.from({ length: 9999 }, (_, i) => i), language: "python" });
    expect(text).toContain('json.load(open("./workspace/results/r1.json"))');
  });
});

describe("hostile values", () => {
  const deep = (depth: number) => JSON.parse(`${'{"a":['.repeat(depth)}1${"]}".repeat(depth)}`);

  it.each([
    ["depth 10,000", () => deep(10_000)],
    ["depth 200,000", () => deep(200_000)],
    ["a million keys", () => Object.fromEntries(Array.from({ length: 1e6 }, (_, i) => [`k${i}`, i]))],
    ["a million items", () => Array.from({ length: 1e6 }, (_, i) => ({ i }))],
    ["each item with other keys", () => Array.from({ length: 3000 }, (_, i) => ({ [`k${i}`]: i }))],
    [
      "__proto__ everywhere",
      () => JSON.parse(`[${Array(500).fill('{"__proto__":{"__proto__":[1]},"constructor":1}').join()}]`),
    ],
    ["one key of a megabyte", () => ({ ["k".repeat(1e6)]: 1 })],
    ["one unbroken run", () => "a".repeat(300_000)],
    ["one run of many scripts", () => "中é-\n/".repeat(60_000)],
    ["nothing but control and bidi", () => "\u202e\u0000\ud800\u{e0041}\u001b[31m".repeat(9999)],
    ["special tokens", () => "<|endoftext|>".repeat(9999)],
  ])("are shown within the budget: %s", async (_name, make) => {
    const result: unknown = make();
    for (const budget of [100, 2000]) {
      const { text } = await show({ result }, budget);
      expect(countTokens(text, PLAIN)).toBeLessThanOrEqual(budget);
      expect(text.match(UNSAFE)).toBeNull();
      expect(text).toContain("./workspace/results/r1.");
    }
  });

  it("are shown whole under a budget to match", async () => {
    const result = Array.from({ length: 300_000 }, (_, index) => index % 10);
    const { isWhole, text } = await show({ result }, 1e6);
    expect(isWhole).toBe(true);
    expect(JSON.parse(text)).toHaveLength(300_000);
  });

  it("save JSON that the stack is too small for", async () => {
    const { files } = await show({ result: deep(200_000) });
    expect(files.get("r1.json")).toHaveLength(200_000 * 8 + 1);
  });

  it("are escaped as JSON would, so nothing hidden is lost", async () => {
    const result = { "a\u202e": "\ud800\u0007\u{e0041}" };
    const { text } = await show({ result });
    expect(text).toBe('{"a\\u202e":"\\ud800\\u0007\\udb40\\udc41"}');
    expect(JSON.parse(text)).toEqual(result);
  });
});

describe("any output", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc
      .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 8 }), fc.nat(3000))
      .map(([s, n]) => s.repeat(n)),
  );
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 5 }),
    fc.array(fc.jsonValue(), { maxLength: 60 }),
    fc.array(fc.record({ id: fc.integer(), name: text, tags: fc.array(fc.string()) }), { maxLength: 80 }),
    text,
    fc.dictionary(text, fc.jsonValue(), { maxKeys: 40 }),
  );
  const output = fc.record(
    {
      result: value,
      logs: fc.array(fc.record({ level: fc.constantFrom("log", "warn", "error"), text }), { maxLength: 40 }),
      error: fc.record({ kind: fc.string(), message: text, hint: text }),
    },
    { requiredKeys: ["logs"] },
  );

  it("is within any budget, the same each time, with nothing hidden, and says where the rest is", async () => {
    await fc.assert(
      fc.asyncProperty(output, fc.integer({ min: 100, max: 1500 }), async (left, budget) => {
        const shown = await show({ ...left, runId: UUID }, budget);
        expect(countTokens(shown.text, PLAIN)).toBeLessThanOrEqual(budget);
        expect(shown.text.match(UNSAFE)).toBeNull();
        expect((await show({ ...left, runId: UUID }, budget)).text).toBe(shown.text);
        expect([...shown.files.keys()].every((name) => shown.text.includes(`results/${name}`))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});
