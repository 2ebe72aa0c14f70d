/** The process that reads TypeScript: the parser and the compiler are here, and in no other process of ours. */
import type { ProgramFacts } from "../../policy/program-facts.ts";
import { serveReader } from "../reading/serve.ts";
import type { SkillExport } from "../skill-export.ts";
import { type CheckResult, createChecker } from "./check/checker.ts";
import type { TypeQuery } from "./check/type-checker.ts";
import { toRenamedHint } from "./explain/renamed-servers.ts";
import { toTypeScriptFacts } from "./facts/facts.ts";
import { PRACTICE_PROGRAM } from "./practice.ts";
import { openText } from "./prepare/prepare.ts";
import { printExports } from "./skills/print-exports.ts";
import { createSkillsReader, withUsedSkills } from "./skills/read-skills.ts";

serveReader((catalog) => {
  const checker = createChecker(catalog);
  const skillsReader = createSkillsReader(catalog.skills, catalog.servers);
  return {
    warm: checker.warm,
    practise() {
      const prepared = checker.prepare(PRACTICE_PROGRAM);
      if (!prepared.ok) return;
      prepared.finish();
      toTypeScriptFacts(PRACTICE_PROGRAM, prepared.checked.parsed, catalog.servers());
    },
    async read(source, { types, skill, onPrepared }) {
      const renamed = toRenamedHint(source, catalog.servers());
      const opened = openText(source, skill !== undefined);
      if ("ok" in opened) return { program: opened, checkMs: 0, renamed };
      const skills = await skillsReader.load(opened, skill);
      if ("error" in skills) {
        const facts = toTypeScriptFacts(source, opened.parsed, catalog.servers());
        return { program: { ok: false, error: skills.error }, checkMs: 0, renamed, facts };
      }
      const toFacts = () => {
        const { imports } = skills;
        const all = skills.all.map((one) => one.text());
        return toTypeScriptFacts(source, opened.parsed, catalog.servers(), { all, imports });
      };
      const prepared = checker.prepareOpened(opened, { skills: skills.imports, skill });
      if (!prepared.ok) {
        const { parsed, ...program } = prepared;
        return { program, checkMs: 0, renamed, facts: parsed && toFacts() };
      }
      onPrepared();
      let facts: ProgramFacts | undefined;
      // The check has it made, while the compiler is at work.
      const finish = () => {
        facts ??= toFacts();
        return prepared.finish();
      };
      const start = performance.now();
      let exports: SkillExport[] | undefined;
      const ask = async (query: TypeQuery) => {
        exports = await printExports(opened, prepared, query);
      };
      const imports = { skills: skills.all, ...(skill !== undefined && { ask }) };
      const checked: CheckResult = types
        ? await checker.check(source, { ...prepared, finish }, imports)
        : { ok: true };
      if (skill !== undefined) exports ??= await printExports(opened, prepared, undefined);
      const checkMs = performance.now() - start;
      const finished = finish();
      if (!finished.ok) return { program: finished, checkMs, renamed, facts, exports };
      if (!checked.ok) return { program: checked, checkMs, renamed, facts, exports };
      const { skipped, hints } = checked;
      const remarks = { ...(skipped !== undefined && { skipped }), ...(hints !== undefined && { hints }) };
      return {
        program: { ...withUsedSkills(finished, skills.all), ...remarks },
        checkMs,
        renamed,
        facts,
        exports,
      };
    },
  };
});
