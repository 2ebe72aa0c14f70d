/** The process that reads TypeScript: the parser and the compiler are here, and in no other process of ours. */
import type { ProgramFacts } from "../../policy/program-facts.ts";
import { serveReader } from "../reading/serve.ts";
import { type CheckResult, createChecker } from "./check/checker.ts";
import { toRenamedHint } from "./explain/renamed-servers.ts";
import { toTypeScriptFacts } from "./facts/facts.ts";
import { PRACTICE_PROGRAM } from "./practice.ts";
import type { Parsed } from "./prepare/oxc.ts";

serveReader((catalog) => {
  const checker = createChecker(catalog);
  return {
    warm: checker.warm,
    practise() {
      const prepared = checker.prepare(PRACTICE_PROGRAM);
      if (!prepared.ok) return;
      prepared.finish();
      toTypeScriptFacts(PRACTICE_PROGRAM, prepared.checked.parsed, catalog.servers());
    },
    async read(source, { types, onPrepared }) {
      const renamed = toRenamedHint(source, catalog.servers());
      const prepared = checker.prepare(source);
      const toFacts = (parsed: Parsed) => toTypeScriptFacts(source, parsed, catalog.servers());
      if (!prepared.ok) {
        const { parsed, ...program } = prepared;
        return { program, checkMs: 0, renamed, facts: parsed && toFacts(parsed) };
      }
      onPrepared();
      let facts: ProgramFacts | undefined;
      // The check has it made, while the compiler is at work.
      const finish = () => {
        facts ??= toFacts(prepared.checked.parsed);
        return prepared.finish();
      };
      const start = performance.now();
      const checked: CheckResult = types
        ? await checker.check(source, { ...prepared, finish })
        : { ok: true };
      const checkMs = performance.now() - start;
      const finished = finish();
      if (!finished.ok) return { program: finished, checkMs, renamed, facts };
      if (!checked.ok) return { program: checked, checkMs, renamed, facts };
      const { skipped, hints } = checked;
      const remarks = { ...(skipped !== undefined && { skipped }), ...(hints !== undefined && { hints }) };
      return { program: { ...finished, ...remarks }, checkMs, renamed, facts };
    },
  };
});
