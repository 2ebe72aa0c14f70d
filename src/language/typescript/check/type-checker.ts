import { ownValue } from "../../../text/own-value.ts";
import { loadDeclarations } from "../../../world/declarations.ts";
import { readDeclaration } from "../typescript-7.ts";
import { type CompilerProcess, ROOT, startCompilerProcess } from "./compiler-process.ts";
import { type Compiler, loadLibrary } from "./library.ts";

export type Diagnostic = {
  readonly code: number;
  /** Offsets into the program's text. */
  readonly start: number;
  readonly end: number;
  /** The message and those that explain it, the first one first. */
  readonly messages: readonly string[];
};

/** What can be asked about the program while it is being checked. */
export type TypeQuery = {
  /** The files in which the type at an offset is declared, with the kind of syntax. */
  declarationsAt(offset: number): Promise<readonly { readonly path: string; readonly kind: number }[]>;
  /** The type of what is at an offset, as the compiler writes it. */
  typeAt(offset: number): Promise<string | undefined>;
};

export type TypeChecker = {
  readonly pid: number | undefined;
  /** Starts the process and reads the library, so that the first check is as fast as the others. */
  warm(): Promise<void>;
  /** Checks one program and hands its errors over; programs take turns. */
  check<T>(program: CheckedProgram, explain: Explain<T>, timeoutMs: number): Promise<T>;
  close(): void;
};

export const PROGRAM = `${ROOT}/program.ts`;
const TOOLS = `${ROOT}/tools.d.ts`;
const CONFIG = `${ROOT}/tsconfig.json`;

type CheckedProgram = {
  readonly text: string;
  readonly declarations: string;
  /** Texts of the modules that it imports, by their names. */
  readonly modules: ReadonlyMap<string, string>;
  /** What the host can do while the compiler has all it needs. */
  meanwhile(): void;
};

type Explain<T> = (diagnostics: readonly Diagnostic[], query: TypeQuery) => Promise<T>;

/** The check took too long, or had to wait too long. */
export class CheckTimeout extends Error {
  override readonly name = "CheckTimeout";
}

/** A check that takes so long is of a program that asks a lot of the compiler, by mistake or on purpose. */
const HEAVY_MS = 500;

/** What each of these finds is in docs/decisions/0006-type-check.md. */
const STRICTNESS = {
  strict: false,
  strictFunctionTypes: true,
  strictBindCallApply: true,
  strictNullChecks: false,
  noImplicitAny: false,
  useUnknownInCatchVariables: false,
};

export function createTypeChecker(compiler: Compiler): TypeChecker {
  const files = toFiles(compiler);
  let running: Promise<{ process: CompilerProcess; snapshot: number }> | undefined;
  let current: CompilerProcess | undefined;
  /** The paths of modules that the last program imported. */
  let modules: ReadonlySet<string> = new Set();
  let turn: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function start() {
    // Not the last program: it may be the one that the process before this died of.
    files.set(PROGRAM, NO_PROGRAM);
    files.set(TOOLS, "");
    for (const path of modules) files.delete(path);
    modules = new Set();
    const process = startCompilerProcess(compiler.command, files);
    current = process;
    await process.request("initialize", [null]);
    const snapshot = toSnapshot(await process.request("updateSnapshot", { openProjects: [CONFIG] }));
    // The first check of all binds the library.
    await diagnosticsOf(process, snapshot);
    return { process, snapshot };
  }

  async function live() {
    if (current !== undefined && !current.isRunning()) running = undefined;
    running ??= start();
    return running;
  }

  function replace() {
    current?.kill();
    running = start();
    running.catch(() => {});
  }

  async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  }

  async function checkNow<T>(program: CheckedProgram, explain: Explain<T>): Promise<T> {
    const { text, declarations, meanwhile } = program;
    const state = await live();
    files.set(PROGRAM, toSendable(text));
    files.set(TOOLS, declarations);
    const previous = state.snapshot;
    const others = setModules(program.modules);
    const fileChanges = { ...others, changed: [PROGRAM, TOOLS, ...others.changed] };
    state.snapshot = toSnapshot(await state.process.request("updateSnapshot", { fileChanges }));
    const asked = diagnosticsOf(state.process, state.snapshot);
    meanwhile();
    const diagnostics = await asked;
    const explained = await explain(diagnostics, toQuery(state.process, state.snapshot));
    state.process.request("release", { snapshot: previous }).catch(() => {});
    return explained;
  }

  /** What the compiler has to look at again. */
  function setModules(texts: ReadonlyMap<string, string>) {
    const wanted = new Map([...texts].map(([name, text]) => [`${ROOT}/${name}.ts`, toSendable(text)]));
    const deleted = [...modules].filter((path) => !wanted.has(path));
    for (const path of deleted) files.delete(path);
    const created = [...wanted.keys()].filter((path) => !files.has(path));
    const changed = [...wanted].flatMap(([path, text]) =>
      files.has(path) && files.get(path) !== text ? [path] : [],
    );
    for (const [path, text] of wanted) files.set(path, text);
    modules = new Set(wanted.keys());
    return { created, changed, deleted };
  }

  /** Whoever ends the process may do so at any moment, also between two checks: that is worth another try. */
  async function checkOrRetry<T>(program: CheckedProgram, explain: Explain<T>): Promise<T> {
    try {
      return await checkNow(program, explain);
    } catch (error) {
      if (current === undefined || current.isRunning()) throw error;
      return checkNow(program, explain);
    }
  }

  return {
    get pid() {
      return current?.pid;
    },
    warm: () => takeTurn(async () => void (await live())),
    check(program, explain, timeoutMs) {
      const deadline = Date.now() + timeoutMs;
      return takeTurn(async () => {
        const start = Date.now();
        if (start >= deadline || isClosed) throw new CheckTimeout();
        try {
          return await withTimeout(checkOrRetry(program, explain), deadline - start);
        } finally {
          // What keeps it busy can't be taken back, and memory it once used it keeps: a new process is better than that.
          if (Date.now() - start > HEAVY_MS && !isClosed) replace();
        }
      });
    },
    close() {
      isClosed = true;
      current?.kill();
      current = undefined;
      running = undefined;
    },
  };
}

const NO_PROGRAM = "async () => {}";

/** Half a surrogate pair can't be sent; it is as long as what stands for it. */
function toSendable(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new CheckTimeout()), timeoutMs);
    work.then(done, fail).finally(() => clearTimeout(timer));
  });
}

function toFiles(compiler: Compiler): Map<string, string> {
  const library = loadLibrary(compiler.libraryDir);
  const modules = library.modules.map((text, index) => [`library-${index}.d.ts`, text] as const);
  const names = ["library.d.ts", ...modules.map(([name]) => name), "tools.d.ts", "program.ts"];
  const config = {
    compilerOptions: {
      ...STRICTNESS,
      target: "esnext",
      module: "esnext",
      moduleResolution: "bundler",
      moduleDetection: "force",
      noLib: true,
      types: [],
      noEmit: true,
      skipLibCheck: true,
    },
    files: names,
  };
  return new Map([
    [CONFIG, JSON.stringify(config)],
    // Without one, the compiler asks for it in every folder above, each time.
    [`${ROOT}/package.json`, '{"type":"module"}'],
    [`${ROOT}/library.d.ts`, `${library.joined}\n${loadDeclarations()}`],
    ...modules.map(([name, text]) => [`${ROOT}/${name}`, text] as const),
    [TOOLS, ""],
    [PROGRAM, NO_PROGRAM],
  ]);
}

async function diagnosticsOf(process: CompilerProcess, snapshot: number): Promise<Diagnostic[]> {
  const params = { snapshot, project: CONFIG, file: PROGRAM };
  const found = await process.request("getSemanticDiagnostics", params);
  return (Array.isArray(found) ? found : []).map((diagnostic) => ({
    code: Number(ownValue(diagnostic, "code")),
    start: Number(ownValue(diagnostic, "pos")),
    end: Number(ownValue(diagnostic, "end")),
    messages: toMessages(diagnostic),
  }));
}

function toMessages(diagnostic: unknown): string[] {
  const chain = ownValue(diagnostic, "messageChain");
  return [String(ownValue(diagnostic, "text")), ...(Array.isArray(chain) ? chain.flatMap(toMessages) : [])];
}

function toQuery(process: CompilerProcess, snapshot: number): TypeQuery {
  const common = { snapshot, project: CONFIG };
  const typeOf = (offset: number) =>
    process.request("getTypeAtPosition", { ...common, file: PROGRAM, position: offset });
  return {
    async typeAt(offset) {
      const type = ownValue(await typeOf(offset), "id");
      const text =
        type === undefined ? undefined : await process.request("typeToString", { ...common, type });
      return typeof text === "string" ? text : undefined;
    },
    async declarationsAt(offset) {
      const type = await typeOf(offset);
      if (!ownValue(type, "symbol")) return [];
      const symbol = await process.request("getSymbolOfType", { ...common, objectId: ownValue(type, "id") });
      const handles = ownValue(symbol, "declarations");
      return (Array.isArray(handles) ? handles : []).flatMap(
        (handle) => readDeclaration(String(handle)) ?? [],
      );
    },
  };
}

function toSnapshot(response: unknown): number {
  const snapshot = ownValue(response, "snapshot");
  if (typeof snapshot !== "number") throw new Error("The type checker gave no snapshot");
  return snapshot;
}
