/** The process that reads Python: its parser is here, and in no other process of ours. */
import { serveReader } from "../reading/serve.ts";
import { checkPython } from "./check/check-python.ts";
import { toHiddenHint } from "./explain/renamed-servers.ts";
import { toPythonFacts } from "./facts/facts.ts";
import { PYTHON_PRACTICE } from "./practice.ts";
import { preparePython } from "./prepare/prepare-python.ts";
import { findPythonExports } from "./skills/exports.ts";
import { findSkillImports } from "./skills/imports.ts";
import { createSkillReader, loadPythonSkills, NO_SKILLS } from "./skills/load-python-skills.ts";
import { withSkills } from "./skills/with-skills.ts";

serveReader((catalog) => {
  const world = () => ({ servers: catalog.servers(), unavailable: catalog.unavailable() });
  const skillReader = createSkillReader();

  /** With the skills that it imports. */
  async function prepare(given: string, skill: string | undefined) {
    const prepared = preparePython(given, world(), skill);
    const { parsed, bindings, program } = prepared;
    if (!program.ok) return { ...prepared, skills: NO_SKILLS };
    const text = { ...prepared, imports: findSkillImports(parsed, bindings, skill) };
    const skills = await loadPythonSkills(text, catalog.skills, skillReader, skill);
    if ("kind" in skills)
      return { ...prepared, skills: NO_SKILLS, program: { ok: false, error: skills } as const };
    return { ...prepared, skills, program: withSkills(program, skills, catalog.servers()) };
  }

  return {
    warm: async () => {},
    practise() {
      const { parsed } = preparePython(PYTHON_PRACTICE, world());
      toPythonFacts(PYTHON_PRACTICE, parsed, catalog.servers());
      void checkPython({ ...world(), parsed, skillOf: NO_SKILLS.skillOf, load: async () => {} });
    },
    async read(given, { types, skill, onPrepared }) {
      const { source, parsed, bindings, skills, program } = await prepare(given, skill);
      const facts = toPythonFacts(source, parsed, catalog.servers(), {
        ...{ skills, bindings },
        isSkill: skill !== undefined,
      });
      const renamed = toHiddenHint(parsed.text, bindings, catalog.servers());
      const about = {
        renamed,
        facts,
        ...(skill !== undefined && { exports: findPythonExports(parsed.tree, parsed.text) }),
      };
      if (program.ok) onPrepared();
      if (!program.ok || !types) return { program, checkMs: 0, ...about };
      const start = performance.now();
      const { skillOf } = skills;
      const checked = await checkPython({ ...world(), parsed, skillOf, load: catalog.load });
      const checkMs = performance.now() - start;
      if (!checked.ok) return { program: checked, checkMs, ...about };
      const { hints, skipped } = checked;
      const remarks = { ...(skipped !== undefined && { skipped }), ...(hints.length > 0 && { hints }) };
      return { program: { ...program, ...remarks }, checkMs, ...about };
    },
  };
});
