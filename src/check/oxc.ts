import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
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
  /** Whether the tree has only its upper levels, as that of a program which was parsed elsewhere. */
  readonly isPartial: boolean;
};
export type Stripped = { readonly problems: readonly Problem[]; readonly code: string; readonly map: string };

/** What reads programs. */
export type Oxc = {
  parse(source: string): Promise<Parsed> | Parsed;
  /** Removes the types. */
  strip(source: string): Promise<Stripped> | Stripped;
};

const FILE = "program.ts";
const PARSE: ParserOptions = { lang: "ts", sourceType: "module", showSemanticErrors: true };
const STRIP: TransformOptions = { lang: "ts", sourceType: "module", target: "esnext", sourcemap: true };

export const oxc: Oxc = {
  parse(source) {
    const result = parseSync(FILE, source, PARSE);
    return { problems: result.errors, module: result.module, tree: () => result.program, isPartial: false };
  },
  strip(source) {
    const { code, map, errors } = transformSync(FILE, source, STRIP);
    return { problems: errors, code, map: map?.mappings ?? "" };
  },
};

const TIMEOUT_MS = 10_000;
/** Of a tree that comes from another process: enough for the statements and what they are about. */
const LEVELS = 4;
const resolve = (name: string) => pathToFileURL(createRequire(import.meta.url).resolve(name)).href;

/** The same calls in a process of their own, which a program may crash. */
const SCRIPT = `
import { parseSync } from "${resolve("oxc-parser")}";
import { transformSync } from "${resolve("oxc-transform")}";
let text = "";
for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
const { call, source, options } = JSON.parse(text);
const result = call === "parse" ? parseSync("${FILE}", source, options) : transformSync("${FILE}", source, options);
const { errors: problems, module, code, map } = result;
const isNode = (value) => typeof value === "object" && value !== null;
const upper = (value, levels) => {
  if (Array.isArray(value)) return value.map((item) => upper(item, levels));
  const entries = Object.entries(value).filter(([, item]) => levels > 0 || !isNode(item));
  return Object.fromEntries(entries.map(([key, item]) => [key, isNode(item) ? upper(item, levels - 1) : item]));
};
const program = call === "parse" ? upper(result.program, ${LEVELS}) : undefined;
process.stdout.write(JSON.stringify({ problems, module, program, code, map: map?.mappings }));
`;

/** For programs that may be nested too deeply to be parsed here; rejects when they are. */
export const isolatedOxc: Oxc = {
  async parse(source) {
    const { program, ...rest }: Pick<Parsed, "problems" | "module"> & { program: Program } = JSON.parse(
      await inChild({ call: "parse", source, options: PARSE }),
    );
    return { ...rest, tree: () => program, isPartial: true };
  },
  async strip(source) {
    const stripped: Stripped = JSON.parse(await inChild({ call: "strip", source, options: STRIP }));
    return stripped;
  },
};

function inChild(request: object): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", SCRIPT], {
      stdio: ["pipe", "pipe", "ignore"],
      env: {},
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stdin.on("error", () => {});
    child.once("error", fail);
    child.once("close", (code) => {
      if (code === 0) done(Buffer.concat(chunks).toString("utf8"));
      else fail(new Error("The parser gave up"));
    });
    child.stdin.end(JSON.stringify(request));
  });
}
