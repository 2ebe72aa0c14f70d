import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PII_CLASSES, SECRET_CLASSES } from "../../pii-classes.ts";
import { mapTexts } from "../../text/map-texts.ts";
import { revealTokens } from "../token-text/reveal-tokens.ts";
import { createLargeScanner, type ScanLimits, scanLarge } from "./scan-large.ts";
import type { FoundValue, LargeScanOptions } from "./scan-messages.ts";

const LIMITS: ScanLimits = {
  standardHeapMb: 512,
  heapMbPerMb: 160,
  budget: 0.6,
  maxMs: 20_000,
  holdMs: 30_000,
};
const OPTIONS: LargeScanOptions = {
  classes: [...PII_CLASSES, ...SECRET_CLASSES],
  names: [],
  maxValues: 1_000,
  wantsRewrite: true,
};

function toBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function fromBytes(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

function toTokens(found: readonly FoundValue[]): string[] {
  return found.map((one, index) => `[${one.class}_${index + 1}]`);
}

function createReveal(found: readonly FoundValue[]): (text: string) => string {
  const values = new Map(toTokens(found).map((token, index) => [token, found[index]?.value]));
  return (text) => revealTokens(text, { valueOf: (token) => values.get(token), hasGiven: () => true }).text;
}

const CONTACTS = [
  { name: { first_name: "Ada", last_name: "Park" }, email: "ada@lab.example", mobile: 441614960123 },
  { customer_name: "Luis Vega", email: "luis@lab.example", note: "ask ada@lab.example or bo@lab.example" },
];

describe("scanLarge", () => {
  it("finds each value once, says which stood in one record, and rewrites", async () => {
    const bytes = toBytes(CONTACTS);
    const before = bytes.slice();
    const { found, isCut, rewrite } = await scanLarge(bytes, OPTIONS);
    expect(found).toEqual([
      { class: "NAME", value: "Ada", together: 0 },
      { class: "NAME", value: "Park", together: 0 },
      { class: "EMAIL", value: "ada@lab.example", together: 1 },
      { class: "PHONE", value: "441614960123", together: 1 },
      { class: "NAME", value: "Luis Vega", together: 2 },
      { class: "EMAIL", value: "luis@lab.example", together: 2 },
      { class: "EMAIL", value: "bo@lab.example" },
    ]);
    expect(isCut).toBe(false);
    expect(fromBytes(await rewrite(toTokens(found)))).toEqual([
      { name: { first_name: "[NAME_1]", last_name: "[NAME_2]" }, email: "[EMAIL_3]", mobile: "[PHONE_4]" },
      { customer_name: "[NAME_5]", email: "[EMAIL_6]", note: "ask [EMAIL_3] or [EMAIL_7]" },
    ]);
    expect(bytes).toEqual(before);
  });

  it("reports the classes that were asked for, and leaves the others", async () => {
    const { found, rewrite } = await scanLarge(toBytes(CONTACTS), { ...OPTIONS, classes: ["PHONE"] });
    expect(found).toEqual([{ class: "PHONE", value: "441614960123", together: 0 }]);
    const [first, second] = CONTACTS;
    expect(fromBytes(await rewrite(["[PHONE_1]"]))).toEqual([{ ...first, mobile: "[PHONE_1]" }, second]);
  });

  it("takes known names, a schema and a region into account", async () => {
    const value = { log: "by lena_schmidt_99", x: "x@lab", call: "call (020) 7946 0018 now" };
    const found = async (more: Partial<LargeScanOptions>) => {
      const scan = await scanLarge(toBytes(value), { ...OPTIONS, wantsRewrite: false, ...more });
      return scan.found.map((one) => one.value);
    };
    const schema = { type: "object", properties: { x: { type: "string", format: "email" } } };
    expect(await found({})).not.toContain("x@lab");
    expect(await found({ schema })).toContain("x@lab");
    expect(await found({ names: ["Lena Schmidt"] })).toContain("lena_schmidt_99");
    expect(await found({ region: "GB" })).toContain("(020) 7946 0018");
  });

  it("conceals what is beyond the most that it reports, without a number", async () => {
    const mails = Array.from({ length: 5_000 }, (_, index) => `user${index}@lab.example`);
    const { found, isCut, rewrite } = await scanLarge(toBytes([...mails, ...mails]), {
      ...OPTIONS,
      maxValues: 4_500,
    });
    expect(found.map((one) => one.value)).toEqual(mails.slice(0, 4_500));
    expect(isCut).toBe(true);
    const once = mails.map((_, index) => (index < 4_500 ? `[EMAIL_${index + 1}]` : "[EMAIL]"));
    expect(fromBytes(await rewrite(toTokens(found)))).toEqual([...once, ...once]);
  });

  it("gives back the same JSON when tokens are revealed", async () => {
    const person = fc.constantFrom("Quentin Vass", "ada.park@lab.example", "+44 161 496 0123", "[EMAIL_1]");
    const text = fc.oneof(
      person,
      fc.string(),
      fc.tuple(fc.string(), person).map((parts) => parts.join(" ")),
    );
    const key = fc.constantFrom(
      "customer_name",
      "email",
      "notes",
      "__proto__",
      "bo@lab.example",
      "[IP_3]",
      "",
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.constantFrom(12, null, false),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.array(fc.tuple(key, tie("value"))).map((members) => Object.fromEntries(members)),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(value, async (generated) => {
        const { found, rewrite } = await scanLarge(toBytes(generated), OPTIONS);
        const rewritten = fromBytes(await rewrite(toTokens(found)));
        expect(JSON.stringify(mapTexts(rewritten, createReveal(found)))).toBe(JSON.stringify(generated));
        expect(JSON.stringify(rewritten)).not.toMatch(/@lab\.example/);
      }),
      { numRuns: 200 },
    );
  });

  it("goes down 10,000 levels, and refuses what is deeper", async () => {
    const nest = (levels: number) =>
      new TextEncoder().encode(`${"[".repeat(levels)}"to ada@lab.example"${"]".repeat(levels)}`);
    const { found, rewrite } = await scanLarge(nest(9_999), OPTIONS);
    expect(found).toEqual([{ class: "EMAIL", value: "ada@lab.example" }]);
    expect(new TextDecoder().decode(await rewrite(["[EMAIL_1]"]))).toContain('["to [EMAIL_1]"]');
    await expect(scanLarge(nest(20_000), OPTIONS)).rejects.toMatchObject({
      code: "too_large",
      hint: "Ask for less at once",
    });
  });

  it("says nothing of a value that is no JSON", async () => {
    const bytes = new TextEncoder().encode("ada@lab.example");
    const failure = await scanLarge(bytes, OPTIONS).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "internal" });
    expect(String(failure)).not.toContain("ada");
  });

  it("fails when the thread runs out of memory or time, and goes on with another", async () => {
    const small = createLargeScanner({ ...LIMITS, budget: 0.1 });
    const many = new TextEncoder().encode(`[${"{},".repeat(2_000_000)}{}]`);
    await expect(small(many, OPTIONS)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("ran out of memory"),
      hint: "Ask for less at once",
    });
    const { found } = await small(toBytes(CONTACTS), { ...OPTIONS, wantsRewrite: false });
    expect(found).toHaveLength(7);
    const quick = createLargeScanner({ ...LIMITS, maxMs: 1 });
    await expect(quick(many, OPTIONS)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("ran out of time"),
    });
  });

  it("ends what is aborted: before it begins, in the midst of it, in the queue, and while it is held", async () => {
    const scan = createLargeScanner(LIMITS);
    const cancelled = { code: "cancelled" };
    await expect(scan(toBytes(CONTACTS), { ...OPTIONS, signal: AbortSignal.abort() })).rejects.toMatchObject(
      cancelled,
    );
    const large = toBytes(Array.from({ length: 20_000 }, () => CONTACTS));
    const aborts = [new AbortController(), new AbortController(), new AbortController()];
    const scans = aborts.map(({ signal }) =>
      scan(large, { ...OPTIONS, signal }).catch((error: unknown) => error),
    );
    // The first two have the threads, the third waits for one.
    for (const abort of aborts.reverse()) abort.abort();
    expect(await Promise.all(scans)).toMatchObject([cancelled, cancelled, cancelled]);
    const held = new AbortController();
    const { rewrite, found } = await scan(toBytes(CONTACTS), { ...OPTIONS, signal: held.signal });
    held.abort();
    await expect(rewrite(toTokens(found))).rejects.toMatchObject(cancelled);
  });

  it("holds two at most; a third has its turn when one is rewritten, closed, or waits for too long", async () => {
    const scan = createLargeScanner(LIMITS);
    const bytes = toBytes(CONTACTS);
    const first = await scan(bytes, OPTIONS);
    const second = await scan(bytes, OPTIONS);
    let isThird = false;
    const third = scan(bytes, OPTIONS).then((value) => {
      isThird = true;
      return value;
    });
    await second.rewrite(toTokens(second.found)).then(() => expect(isThird).toBe(false));
    const fourth = scan(bytes, OPTIONS);
    (await third).close();
    (await fourth).close();
    first.close();
    first.close();
    await expect(first.rewrite(toTokens(first.found))).rejects.toMatchObject({ code: "cancelled" });
    const impatient = createLargeScanner({ ...LIMITS, holdMs: 1 });
    const held = [
      await impatient(bytes, OPTIONS),
      await impatient(bytes, OPTIONS),
      await impatient(bytes, OPTIONS),
    ];
    await expect(held[0]?.rewrite(toTokens(first.found))).rejects.toMatchObject({ code: "cancelled" });
  });

  it("ends a rewrite that is closed, and refuses one that was not asked for or lacks a text", async () => {
    const scan = createLargeScanner(LIMITS);
    const bytes = toBytes(CONTACTS);
    const closed = await scan(bytes, OPTIONS);
    const rewriting = closed.rewrite(toTokens(closed.found));
    closed.close();
    await expect(rewriting).rejects.toMatchObject({ code: "cancelled" });
    const only = await scan(bytes, { ...OPTIONS, wantsRewrite: false });
    await expect(only.rewrite(toTokens(only.found))).rejects.toMatchObject({ code: "internal" });
    const short = await scan(bytes, OPTIONS);
    await expect(short.rewrite(["[NAME_1]"])).rejects.toMatchObject({ code: "internal" });
    expect(await short.rewrite(toTokens(short.found))).toBeInstanceOf(Uint8Array);
  });

  it("outlives a thread whose heap is full", async () => {
    const { stdout } = await runProgram(`
      const scan = createLargeScanner({ standardHeapMb: 64, heapMbPerMb: 0, budget: 1, maxMs: 30_000, holdMs: 1 });
      const mails = Array.from({ length: 150_000 }, (_, index) => index + "@b.co");
      const json = new TextEncoder().encode(JSON.stringify(mails));
      await scan(json, options).catch((error) => console.log(error.code, error.message));
      console.log((await scan(small, options)).found.length);`);
    expect(stdout).toMatch(/^too_large .* ran out of memory\n1\n$/);
  });

  it("keeps no process alive that has nothing else to do", async () => {
    const { stdout } = await runProgram(`
      const done = await scanLarge(small, { ...options, wantsRewrite: false });
      const held = await scanLarge(small, options);
      console.log(done.found.length, held.found.length);`);
    expect(stdout).toBe("1 1\n");
  });
});

/** In a process of its own, which the test would outlive. */
function runProgram(program: string) {
  const built = new URL("../../../dist/privacy/large/scan-large.js", import.meta.url);
  const text = `
    import { createLargeScanner, scanLarge } from ${JSON.stringify(built)};
    const small = new TextEncoder().encode('["ada@lab.example"]');
    const options = ${JSON.stringify(OPTIONS)};
    ${program}`;
  return promisify(execFile)(process.execPath, ["--input-type=module", "-e", text], { timeout: 25_000 });
}
