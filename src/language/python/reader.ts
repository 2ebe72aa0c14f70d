/** The process that reads Python: its parser is here, and in no other process of ours. */

import { toProgramText } from "../../text/program-text.ts";
import { toFailure } from "../failure.ts";
import type { ReadFailure, ReadProgram } from "../language.ts";
import { serveReader } from "../reading/serve.ts";
import { toPythonFacts } from "./facts/facts.ts";
import { parsePython } from "./parse-python.ts";

serveReader((catalog) => ({
  warm: async () => {},
  async read(source, { onPrepared }) {
    const parsed = parsePython(source);
    const facts = toPythonFacts(source, parsed, catalog.servers());
    onPrepared();
    const program: ReadProgram | ReadFailure =
      parsed.wrongAt === undefined
        ? toProgram(toProgramText(source), [...new Set(facts.tools.map(({ server }) => server))])
        : { ok: false, error: toFailure("syntax", "This is no Python", source, parsed.wrongAt) };
    return { program, checkMs: 0, facts };
  },
}));

function toProgram(source: string, servers: readonly string[]): ReadProgram {
  return {
    ok: true,
    code: source,
    places: new Int32Array(),
    uses: { servers, aliases: [], isOpen: false },
    modules: [],
    skipped: "Types of Python programs are not checked",
  };
}
