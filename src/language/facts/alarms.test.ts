import { parser } from "@lezer/python";
import { describe, expect, it } from "vitest";
import { loadCollection } from "../../../bench/check/corpus.ts";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { loadGatePrograms } from "../../../test/fixtures/gate/programs.ts";
import type { ProgramFacts } from "../../policy/program-facts.ts";
import { validate } from "../../policy/validate/validate.ts";
import { toPythonFacts } from "../python/facts/facts.ts";
import { toTypeScriptFacts } from "../typescript/facts/facts.ts";
import { parse } from "../typescript/prepare/oxc.ts";

const names = (...tools: string[]) => tools.map((name) => toolRecord({ name }));
const servers = [
  serverRecord("github", names("list_issues", "create_issue", "get_issue")),
  serverRecord("crm", names("list_contacts", "delete_contact")),
  serverRecord("mail", names("send_email")),
  serverRecord("notes", names("read", "bytes")),
];

const LANGUAGES = {
  typescript: (source: string) => toTypeScriptFacts(source, parse(source), servers),
  python: (source: string) => toPythonFacts(source, parser.parse(source), servers),
} as const;

const LEVELS = ["low", "moderate", "high"] as const;
const rulesAt = (facts: ProgramFacts, level: (typeof LEVELS)[number] | "maximum", severity: string) =>
  validate(facts, level).flatMap((finding) => (finding.severity === severity ? [finding.rule] : []));

for (const language of ["typescript", "python"] as const) {
  const factsOf = LANGUAGES[language];

  describe(`in ${language}`, async () => {
    it.each(await loadGatePrograms("dangerous", language))("is found: $title", ({ title, source }) => {
      const [rule] = title.split(":");
      expect(validate(factsOf(source), "moderate").map((finding) => finding.rule)).toContain(rule);
    });

    it.each(await loadGatePrograms("suspicious", language))("passes: $title", ({ source }) => {
      const facts = factsOf(source);
      expect(LEVELS.map((level) => rulesAt(facts, level, "error"))).toEqual([[], [], []]);
      expect(rulesAt(facts, "moderate", "warning")).toEqual([]);
    });
  });
}

describe("the programs of bench/check", () => {
  it("are refused at no level up to high, and have no warning at the default one", async () => {
    const programs = await loadCollection("right");
    expect(programs.length).toBeGreaterThan(1_000);
    const alarms = programs.flatMap(({ file, title, source }) => {
      const facts = LANGUAGES.typescript(source);
      const rules = [
        ...LEVELS.flatMap((level) => rulesAt(facts, level, "error")),
        ...rulesAt(facts, "moderate", "warning"),
      ];
      return rules.length === 0 ? [] : [`${file} ${title}: ${rules}`];
    });
    expect(alarms).toEqual([]);
  });
});
