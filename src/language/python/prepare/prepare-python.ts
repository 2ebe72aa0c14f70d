import type { ServerRecord } from "../../../catalog/tool.ts";
import { toFencedText, toProgramText } from "../../../text/program-text.ts";
import { toFailure } from "../../failure.ts";
import type { ReadFailure, ReadProgram } from "../../language.ts";
import type { Unavailable } from "../../reading/unavailable.ts";
import { findBindings, type PythonBindings } from "../check/bindings.ts";
import { explainSyntax, insteadOfPython } from "../explain/explain-syntax.ts";
import { type ParsedPython, parsePython } from "../parse-python.ts";
import { toPythonSource } from "../skills/python-module.ts";
import { findWrongImport } from "./check-imports.ts";
import { toResultHint } from "./result-hint.ts";
import { findBreach } from "./strict-syntax.ts";
import { toPythonServers } from "./used-servers.ts";
import { mayUseFiles } from "./uses-files.ts";

export type PreparedPython = {
  /** Of which places are told. */
  readonly source: string;
  readonly parsed: ParsedPython;
  readonly bindings: PythonBindings;
  /** Without its skills. */
  readonly program: ReadProgram | ReadFailure;
};

export type PythonWorld = { readonly servers: readonly ServerRecord[]; readonly unavailable: Unavailable };

/**
 * A text as a program that can run. What runs is the program as it was written: the guest has Python's own parser, which has the
 * last word on what Python is.
 * @param skill the skill whose module it is, where it is no program
 */
export function preparePython(given: string, world: PythonWorld, skill?: string): PreparedPython {
  const source = toPythonSource(given);
  const whole = parsePython(source);
  const fenced = whole.wrongAt === undefined ? undefined : toFencedText(source);
  const parsed = fenced === undefined ? whole : parsePython(fenced);
  const code = fenced ?? toProgramText(source);
  const bindings = findBindings(parsed.tree, parsed.text);
  const error =
    findSyntaxFailure(source, parsed, skill !== undefined) ??
    findWrongImport(bindings, { ...world, source, text: parsed.text });
  if (error !== undefined) return { source, parsed, bindings, program: { ok: false, error } };
  const hint = skill === undefined ? toResultHint(parsed.tree, parsed.text) : undefined;
  return {
    source,
    parsed,
    bindings,
    program: {
      ok: true,
      code,
      places: new Int32Array(),
      uses: toPythonServers(parsed.text, world.servers),
      modules: mayUseFiles(parsed.text, bindings) ? ["fs"] : [],
      skills: [],
      ...(hint !== undefined && { hint }),
    },
  };
}

function findSyntaxFailure(
  source: string,
  parsed: ParsedPython,
  isModule: boolean,
): ReadFailure["error"] | undefined {
  const { wrongAt, gapAt, text } = parsed;
  if (wrongAt !== undefined) {
    const { message, hint, at = wrongAt } = explainSyntax(text, wrongAt);
    return toFailure("syntax", message, source, at, insteadOfPython(text) ?? hint);
  }
  const breach = gapAt === undefined ? findBreach(parsed, isModule) : undefined;
  return breach && toFailure("syntax", breach.message, source, breach.at, breach.hint);
}
