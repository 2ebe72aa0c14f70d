/** The process that reads Python: its parser is here, and in no other process of ours. */
import { serveReader } from "../reading/serve.ts";
import { checkPython } from "./check/check-python.ts";
import { toHiddenHint } from "./explain/renamed-servers.ts";
import { toPythonFacts } from "./facts/facts.ts";
import { PYTHON_PRACTICE } from "./practice.ts";
import { preparePython } from "./prepare/prepare-python.ts";

serveReader((catalog) => {
  const world = () => ({ servers: catalog.servers(), unavailable: catalog.unavailable() });
  return {
    warm: async () => {},
    practise() {
      const { parsed } = preparePython(PYTHON_PRACTICE, world());
      toPythonFacts(PYTHON_PRACTICE, parsed, catalog.servers());
      void checkPython({ ...world(), parsed, load: async () => {} });
    },
    async read(given, { types, onPrepared }) {
      const { source, parsed, bindings, program } = preparePython(given, world());
      const facts = toPythonFacts(source, parsed, catalog.servers());
      const renamed = toHiddenHint(parsed.text, bindings, catalog.servers());
      if (program.ok) onPrepared();
      if (!program.ok || !types) return { program, checkMs: 0, renamed, facts };
      const start = performance.now();
      const checked = await checkPython({ ...world(), parsed, load: catalog.load });
      const checkMs = performance.now() - start;
      if (!checked.ok) return { program: checked, checkMs, renamed, facts };
      const { hints, skipped } = checked;
      const remarks = { ...(skipped !== undefined && { skipped }), ...(hints.length > 0 && { hints }) };
      return { program: { ...program, ...remarks }, checkMs, renamed, facts };
    },
  };
});
