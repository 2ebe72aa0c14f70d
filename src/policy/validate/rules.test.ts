import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findRule, RULE_IDS } from "./rules.ts";
import { validate } from "./validate.ts";

const LANGUAGE = fileURLToPath(new URL("../../language", import.meta.url));

/** What looks for a rule names it as a text: one that nobody looks for would be a promise only. */
it("has no rule that nothing looks for", () => {
  const files = readdirSync(LANGUAGE, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.includes("facts") && file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const text = files.map((file) => readFileSync(`${LANGUAGE}/${file}`, "utf8")).join("\n");
  const own = new Set(["complexity", "size"]);
  expect(RULE_IDS.filter((id) => !own.has(id) && !text.includes(`"${id}"`))).toEqual([]);
});

it("is never more lenient at a stricter level", () => {
  const rank = { note: 0, warning: 1, error: 2 };
  for (const id of RULE_IDS) {
    const { low, moderate, high, maximum } = findRule(id)?.severity ?? {};
    const ranks = [low, moderate, high, maximum].map((one) => (one === undefined ? -1 : rank[one]));
    expect(ranks, id).toEqual(ranks.toSorted((a, b) => a - b));
    expect(low, id).not.toBe("error");
  }
});

it("knows no rule by the name of something that all objects have", () => {
  expect(["constructor", "__proto__", "toString"].map(findRule)).toEqual([undefined, undefined, undefined]);
});

it("says what to write in the names of the program's language", () => {
  const place = { line: 1, column: 1 };
  for (const rule of RULE_IDS) {
    const facts = {
      ...{ lines: 1, complexity: 1, moreHits: 0, hits: [{ rule, ...place }] },
      ...{ tools: [], dynamic: [], files: [], hosts: [], commands: [], flows: [] },
    };
    const [finding] = validate(facts, "moderate", "python");
    expect(finding?.fix, rule).not.toMatch(/callMCPTool|searchTools|runCommand|console\.log/);
  }
});
