import type { ServerRecord } from "../../../catalog/tool.ts";
import type { WrongTypes } from "../../../run-failure.ts";
import { toWrongTypes } from "../../failure.ts";
import { troubleOf, type Unavailable } from "../../reading/unavailable.ts";
import { explain } from "../explain/explain.ts";
import { toHints } from "../explain/hints.ts";
import {
  type OpenedText,
  type Prepared,
  type PrepareResult,
  type PrepareWorld,
  prepare,
  prepareOpened,
} from "../prepare/prepare.ts";
import { type SkillModule, toCheckedModule } from "../skills/skill-module.ts";
import type { ServerTool } from "./called-tool.ts";
import { hintedTools, toDeclarations } from "./declarations.ts";
import { findCompiler } from "./library.ts";
import { type References, toReferences } from "./references.ts";
import { CheckTimeout, createTypeChecker, type TypeQuery } from "./type-checker.ts";

export type CheckResult =
  | {
      readonly ok: true;
      /** Why the types were not checked; the program may run all the same. */
      readonly skipped?: string;
      /** What does not fit results as they were observed. An observation is no proof, so it is only told. */
      readonly hints?: readonly string[];
    }
  | { readonly ok: false; readonly error: WrongTypes };

export type CheckerOptions = {
  /** What there is now; asked for each program. */
  servers(): readonly ServerRecord[];
  unavailable?(): Unavailable;
  /** A check that takes longer is skipped. */
  timeoutMs?: number;
  /** Fetches the schemas of tools, where the records have but their names. */
  load?(tools: Iterable<ServerTool>): Promise<void>;
};

/** What a program imports, in the check. */
export type CheckedImports = {
  /** All skills, and those that they import. */
  readonly skills: readonly (SkillModule & { readonly prepared: Prepared })[];
  /** What else is asked of the compiler while it has the program. */
  ask?(query: TypeQuery): Promise<void>;
};

/** What stands between a program as it was written and the sandbox. */
export type Checker = {
  /** To plain JavaScript, or what is wrong with it. */
  prepare(source: string): PrepareResult;
  prepareOpened(opened: OpenedText, world: Omit<PrepareWorld, "servers">): PrepareResult;
  /** Whether its types fit the tools that it calls. */
  check(source: string, prepared: Prepared, imports?: CheckedImports): Promise<CheckResult>;
  /** Starts the compiler ahead of the first check. */
  warm(): Promise<void>;
  /** The compiler's process, while there is one. */
  readonly pid: number | undefined;
  close(): void;
};

const TIMEOUT_MS = 2000;
const NO_IMPORTS: CheckedImports = { skills: [] };

/** A server that failed is there, and it is not the program's fault. */
function withTrouble(prepared: PrepareResult, unavailable: Unavailable | undefined): PrepareResult {
  if (prepared.ok || prepared.error.missingServer === undefined) return prepared;
  const { missingServer, ...error } = prepared.error;
  const trouble = troubleOf(missingServer, unavailable);
  if (trouble === undefined) return { ...prepared, error };
  const { hint: _hint, ...rest } = error;
  return { ...prepared, error: { ...rest, message: trouble } };
}

function* toServerTools(references: References): Generator<ServerTool> {
  for (const [server, tools] of references) for (const tool of tools) yield { server, tool };
}

/** A server of the same name wins, as it does in the sandbox. */
function toModuleGlobals(names: readonly string[], servers: readonly ServerRecord[]): string {
  const isTaken = (name: string) =>
    GLOBALS_DECLARED.has(name) || servers.some(({ identifiers }) => identifiers.typescript === name);
  const free = names.filter((name) => !isTaken(name));
  return free.map((name) => `declare var ${name}: typeof import("${name}");`).join("\n");
}

/** These are in the declarations for all programs. */
const GLOBALS_DECLARED: ReadonlySet<string> = new Set(["process", "crypto"]);

export function createChecker({
  servers,
  unavailable,
  timeoutMs = TIMEOUT_MS,
  load = async () => {},
}: CheckerOptions): Checker {
  const compiler = findCompiler();
  const types = compiler === undefined ? undefined : createTypeChecker(compiler);
  return {
    get pid() {
      return types?.pid;
    },
    prepare: (source) => withTrouble(prepare(source, servers()), unavailable?.()),
    prepareOpened: (opened, world) =>
      withTrouble(prepareOpened(opened, { ...world, servers: servers() }), unavailable?.()),
    async check(source, { checked, finish }, { skills, ask } = NO_IMPORTS) {
      if (types === undefined) {
        return { ok: true, skipped: `TypeScript has no binary for ${process.platform} ${process.arch}` };
      }
      const known = servers();
      const texts = skills.map(({ prepared }) => prepared.checked);
      // What a skill's function returns may be what a tool does.
      const text = [checked, ...texts].map((one) => one.text).join("\n");
      const { references, aliases } = toReferences(text, known);
      const globals = [...new Set([checked, ...texts].flatMap((one) => one.moduleGlobals))];
      const modules = new Map(
        skills.map(({ name, prepared }) => [toCheckedModule(name).slice("./".length), prepared.checked.text]),
      );
      await load(toServerTools(references));
      const context = {
        ...{ source, checked, references, skills, load },
        ...{ servers: known, unavailable: unavailable?.() },
      };
      const checkWith = (useHints: boolean) =>
        types.check(
          {
            text: checked.text,
            declarations: toDeclarations(references, { useHints }, aliases) + toModuleGlobals(globals, known),
            modules,
            meanwhile: finish,
          },
          async (diagnostics, query) => {
            const explained = await explain(diagnostics, context, query);
            await ask?.(query);
            return explained;
          },
          timeoutMs,
        );
      try {
        const found = await checkWith(true);
        if (found.errors.length === 0) return { ok: true };
        const hinted = hintedTools(references);
        // What is wrong only by a type that is a hint must not refuse a program.
        const { errors, more } = hinted.length === 0 ? found : await checkWith(false);
        if (errors.length === 0) return { ok: true, hints: toHints(found, hinted) };
        return { ok: false, error: toWrongTypes(errors, more) };
      } catch (error) {
        // A check that can't be made must not keep a program from running: it is a help, not a guard.
        const why = error instanceof CheckTimeout ? `took more than ${timeoutMs} ms` : "ended unexpectedly";
        return { ok: true, skipped: `The type check ${why}` };
      }
    },
    warm: async () => types?.warm(),
    close: () => types?.close(),
  };
}
