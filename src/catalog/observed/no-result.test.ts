import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { toTypeScriptSignature } from "../../codegen/typescript/signature.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { addLearned, emptyLearned, learnFrom } from "./learned.ts";
import { createLearner } from "./learner.ts";
import { saysNothingFound } from "./no-result.ts";

describe("a sentence that there is nothing", () => {
  it.each([
    "No events found.",
    "No customers found matching the given criteria",
    "Error: user not found",
    "There are no gadgets in your list.",
    "Nothing matches the query",
    "Sorry, no results!",
  ])("is %j", (text) => expect(saysNothingFound(text, "search_gadgets")).toBe(true));

  it.each([
    "No events found for Ada.",
    "No events found for ada.",
    "No user 4711 found",
    'No results for "x"',
    "No customer with a@b.co found",
    "Gadget created.",
    "No",
    "NO EVENTS FOUND",
    "no\nresult",
    "No gizmos found",
    `No ${"other ".repeat(13)}results`,
    "",
  ])("is not %j", (text) => expect(saysNothingFound(text, "search_gadgets")).toBe(false));
});

describe("what is learned of a tool that answers with rows or with such a sentence", () => {
  const KEY = { server: "cal", tool: "search_events", hash: "h", version: undefined };
  const NONE = "No events found.";
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function learn(values: readonly unknown[]) {
    const learner = createLearner(await openStateDir(dir));
    await learner.load("cal");
    for (const value of values) learner.observe(KEY, value);
    await learner.flush();
    const observed = learner.typeOf(KEY);
    const tool = toolRecord({ name: "search_events", ...(observed ? { observed } : {}) });
    return toTypeScriptSignature(tool, serverRecord("cal", [tool]), "whole").code;
  }

  it("shows it as the case apart that it is, also after a restart", async () => {
    expect(await learn([[{ id: 1 }], NONE])).toContain('Promise<{ id: number }[] | "No events found.">');
    expect(await learn([[{ id: 2 }]])).toContain('Promise<{ id: number }[] | "No events found.">');
  });

  it("says nothing of the rows while only the sentence was seen", async () => {
    expect(await learn([NONE, NONE])).toContain("Promise<unknown>");
  });

  it("is any text once there was another one, for ever, and keeps neither", async () => {
    expect(await learn([[{ id: 1 }], NONE, "No events found for Ada."])).toContain(
      "Promise<string | { id: number }[]>",
    );
    expect(await learn([NONE])).toContain("Promise<string | { id: number }[]>");
    expect(await readFile(join(dir, ".keyhole/observed/cal.json"), "utf8")).not.toMatch(/Ada|found/);
  });

  it("does not depend on the order or on who saw it", () => {
    const value = fc.constantFrom<unknown>([1], NONE, "Nothing found", "Ada is here", null);
    const learned = (values: readonly unknown[]) => {
      const into = emptyLearned();
      for (const one of values) learnFrom(into, one, "search_events");
      return into;
    };
    fc.assert(
      fc.property(fc.array(value), fc.array(value), (one, other) => {
        const [ab, ba] = [learned(one), learned(other)];
        addLearned(ab, learned(other));
        addLearned(ba, learned(one));
        const { noResult, hasOtherTexts } = learned([...one, ...other]);
        for (const both of [ab, ba]) {
          expect(both.noResult).toBe(noResult);
          expect(both.hasOtherTexts).toBe(hasOtherTexts);
        }
      }),
    );
  });
});
