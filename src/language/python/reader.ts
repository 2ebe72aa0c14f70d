/** The process that reads Python: its parser is here, and in no other process of ours. */
import { parser } from "@lezer/python";
import { toFailure } from "../failure.ts";
import type { ReadFailure, ReadProgram } from "../language.ts";
import { serveReader } from "../reading/serve.ts";
import { toPythonFacts } from "./facts/facts.ts";
import { findSyntaxError } from "./syntax-error.ts";

serveReader((catalog) => ({
  warm: async () => {},
  async read(source, { onPrepared }) {
    const tree = parser.parse(source);
    const facts = toPythonFacts(source, tree, catalog.servers());
    onPrepared();
    const wrong = findSyntaxError(tree);
    const program: ReadProgram | ReadFailure =
      wrong === undefined
        ? toProgram(source, [...new Set(facts.tools.map(({ server }) => server))])
        : { ok: false, error: toFailure("syntax", "This is no Python", source, wrong) };
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
