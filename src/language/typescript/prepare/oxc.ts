import {
  type EcmaScriptModule,
  type OxcError,
  type ParserOptions,
  type Program,
  parseSync,
} from "oxc-parser";
import { type TransformOptions, transformSync } from "oxc-transform";

export type Problem = Pick<OxcError, "message" | "labels" | "codeframe">;
export type ModuleRecord = EcmaScriptModule;
export type Parsed = {
  readonly problems: readonly Problem[];
  readonly module: ModuleRecord;
  /** The syntax tree, which takes five times as long as the rest. */
  tree(): Program;
};
export type Stripped = { readonly problems: readonly Problem[]; readonly code: string; readonly map: string };

const FILE = "program.ts";
const PARSE: ParserOptions = { lang: "ts", sourceType: "module", showSemanticErrors: true };
const STRIP: TransformOptions = { lang: "ts", sourceType: "module", target: "esnext", sourcemap: true };

/** Native code, which a program may crash or fill: for the process that reads programs, never for the host. */
export function parse(source: string): Parsed {
  const result = parseSync(FILE, source, PARSE);
  return { problems: result.errors, module: result.module, tree: () => result.program };
}

/** Removes the types. */
export function strip(source: string): Stripped {
  const { code, map, errors } = transformSync(FILE, source, STRIP);
  return { problems: errors, code, map: map?.mappings ?? "" };
}
