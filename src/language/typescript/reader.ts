/** The process that reads TypeScript: the parser and the compiler are here, and in no other process of ours. */
import { serveReader } from "../reading/serve.ts";
import { type CheckResult, createChecker } from "./check/checker.ts";
import { toRenamedHint } from "./explain/renamed-servers.ts";

serveReader((catalog) => {
  const checker = createChecker(catalog);
  return {
    warm: checker.warm,
    async read(source, { types, onPrepared }) {
      const renamed = toRenamedHint(source, catalog.servers());
      const prepared = checker.prepare(source);
      if (!prepared.ok) return { program: prepared, checkMs: 0, renamed };
      onPrepared();
      const start = performance.now();
      const checked: CheckResult = types ? await checker.check(source, prepared) : { ok: true };
      const checkMs = performance.now() - start;
      // The check has had it made already, while the compiler was at work.
      const finished = prepared.finish();
      if (!finished.ok) return { program: finished, checkMs, renamed };
      if (!checked.ok) return { program: checked, checkMs, renamed };
      const { skipped, hints } = checked;
      const remarks = { ...(skipped !== undefined && { skipped }), ...(hints !== undefined && { hints }) };
      return { program: { ...finished, ...remarks }, checkMs, renamed };
    },
  };
});
