import { describe, expect, it } from "vitest";
import { loadCollection } from "../../../bench/check/corpus.ts";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { loadGatePrograms } from "../../../test/fixtures/gate/programs.ts";
import { createPolicy } from "../../policy/permissions/policy.ts";
import type { ProgramFacts } from "../../policy/program-facts.ts";
import { isRefused, validate } from "../../policy/validate/validate.ts";
import { toPythonFacts } from "../python/facts/facts.ts";
import { parsePython } from "../python/parse-python.ts";
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
  python: (source: string) => toPythonFacts(source, parsePython(source), servers),
} as const;

const LEVELS = ["low", "moderate", "high"] as const;
const rulesAt = (facts: ProgramFacts, level: (typeof LEVELS)[number] | "maximum", severity: string) =>
  validate(facts, level).flatMap((finding) => (finding.severity === severity ? [finding.rule] : []));

/** What it touches is not there, or its own: `test/sandbox` proves it of each tier. */
const STOPPED = new Set([
  "process",
  "raw-network",
  "network-fetch",
  "file-outside",
  "browser",
  "prototype-pollution",
  "keyhole-internals",
]);

/** What becomes of a program at the default level: refused before it runs, asked for at its calls, or stopped by the sandbox. */
function outcomeOf(facts: ProgramFacts): string {
  const findings = validate(facts, "moderate");
  if (isRefused(findings)) return "refused";
  const policy = createPolicy([]);
  const whose = { args: {}, principal: "local", session: "", client: "", now: new Date(0) };
  // What can call any tool can call the worst of them.
  const isMeant = (server: string, tool: string) =>
    facts.tools.some((use) => use.server === server && use.tool === tool) ||
    facts.dynamic.some((use) => use.server === undefined || use.server === server);
  const asks = servers.some(({ name, tools }) =>
    tools.some((tool) => isMeant(name, tool.name) && policy.decide({ tool, ...whose }).decision === "ask"),
  );
  if (asks) return "asks";
  return findings.every(({ rule, severity }) => severity !== "warning" || STOPPED.has(rule))
    ? "stopped"
    : "runs";
}

for (const language of ["typescript", "python"] as const) {
  const factsOf = LANGUAGES[language];

  describe(`in ${language}`, async () => {
    it.each(await loadGatePrograms("dangerous", language))("is found: $title", ({ title, source }) => {
      const [rule, outcome] = (title.split(":")[0] ?? "").split(", ");
      const facts = factsOf(source);
      expect(validate(facts, "moderate").map((finding) => finding.rule)).toContain(rule);
      expect(outcomeOf(facts)).toBe(outcome);
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
