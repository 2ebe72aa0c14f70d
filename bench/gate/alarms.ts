import { SECURITY_LEVELS } from "../../src/config/permissions/schema.ts";
import { toTypeScriptFacts } from "../../src/language/typescript/facts/facts.ts";
import { parse } from "../../src/language/typescript/prepare/oxc.ts";
import { createPolicy } from "../../src/policy/permissions/policy.ts";
import { toEffect } from "../../src/policy/permissions/verbs.ts";
import { isRefused, validate } from "../../src/policy/validate/validate.ts";
import { loadCollection, loadOwnServers } from "../check/corpus.ts";
import type { BenchOptions, BenchReport } from "../suite.ts";
import { createToolOf } from "./validation.ts";

/** False alarms on programs as models write them: who is refused, who asks, at each level. */
export async function measureAlarms({ dataDir, progress }: BenchOptions): Promise<BenchReport> {
  progress("false alarms");
  const servers = await loadOwnServers(dataDir);
  const tool = createToolOf(servers);
  const programs = (await loadCollection("right")).map(({ file, title, source }) => {
    const facts = toTypeScriptFacts(source, parse(source), servers);
    const tools = facts.tools.flatMap((use) => tool(use.server, use.tool) ?? []);
    const reads = facts.dynamic.length === 0 && tools.every((one) => toEffect(one) === "reads");
    return { name: `${file} ${title}`, facts, tools, reads };
  });
  const misses: string[] = [];
  const rows = SECURITY_LEVELS.map((level) => {
    const policy = createPolicy([{ file: "bench", securityLevel: level }]);
    const asks = programs.filter(({ tools }) =>
      tools.some((one) => {
        const call = { tool: one, args: {}, principal: "local", session: "", client: "", now: new Date(0) };
        return policy.decide(call).decision !== "allow";
      }),
    );
    const findings = programs.map(({ facts }) => validate(facts, level));
    const refused = programs.filter((_, at) => isRefused(findings[at] ?? []));
    const warned = findings.filter((found) => found.some(({ severity }) => severity === "warning")).length;
    const asking = asks.filter(({ reads }) => reads);
    if (level !== "maximum") {
      misses.push(...refused.map(({ name }) => `refused at ${level}: ${name}`));
      misses.push(...asking.map(({ name }) => `only reads, and asks at ${level}: ${name}`));
    }
    return [level, refused.length, warned, asks.length, asking.length];
  });
  const reading = programs.filter(({ reads }) => reads).length;
  return {
    tables: [
      {
        title: `${programs.length} ordinary programs of bench/check, ${reading} of which only read, on servers that nobody trusts`,
        columns: ["securityLevel", "refused", "with a warning", "would ask", "of those that only read"],
        rows,
      },
    ],
    notes: [],
    misses: misses.slice(0, 20),
  };
}
