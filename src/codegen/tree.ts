import type { ServerNames } from "../catalog/names.ts";
import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import { toCommentLine, toDocstringLine, toLines } from "../text/doc-text.ts";
import { isFolderName, isIdentifier } from "./print/identifiers.ts";
import { PYTHON_RUNTIME, TYPESCRIPT_RUNTIME } from "./print/runtime-files.ts";
import type { Wrapper } from "./print/wrapper.ts";
import { toPythonTypeNames, toPythonWrapper } from "./python/python-wrapper.ts";
import { orOpenTypes } from "./typescript/open-types.ts";
import { toTypeScriptTypeNames, toTypeScriptWrapper } from "./typescript/typescript-wrapper.ts";

export type Language = "typescript" | "python";

/** Paths are relative, with `/`. */
export type GeneratedTree = { readonly files: Map<string, string>; readonly warnings: CodegenWarning[] };

export type CodegenWarning = { readonly server: string; readonly tool: string; readonly message: string };

/** A file of a server's folder, printed when it is asked for. */
export type ServerFile = { /** None for the index. */ readonly tool?: ToolRecord; print(): Wrapper };

type Warn = (tool: string, message: string) => void;

type Emitter = {
  readonly extension: string;
  readonly index: string;
  readonly rootFiles: readonly (readonly [string, string])[];
  identifier(tool: ToolRecord): string;
  wrap(tool: ToolRecord, server: ServerRecord): Wrapper;
  indexFile(server: ServerRecord, modules: ReadonlyMap<ToolRecord, string>): string;
};

const MAX_INSTRUCTIONS = 2000;

/** The whole tree: a folder for each server, a file for each tool. */
export function toTree(servers: readonly ServerRecord[], language: Language): GeneratedTree {
  const files = new Map(toRootFiles(language));
  const warnings: CodegenWarning[] = [];
  for (const server of servers) {
    const warn: Warn = (tool, message) => warnings.push({ server: server.name, tool, message });
    for (const [name, { tool, print }] of toServerFiles(server, language, warn)) {
      const wrapper = print();
      for (const message of wrapper.warnings) warn(tool?.name ?? "", message);
      files.set(`${folderOf(server, language)}/${name}`, wrapper.code);
    }
  }
  return { files, warnings };
}

/** Python imports a folder by its name, so there it is an identifier. */
export function folderOf(server: ServerNames, language: Language): string {
  return language === "python" ? server.identifiers.python : server.folder;
}

/** The files beside the servers' folders. */
export function toRootFiles(language: Language): ReadonlyMap<string, string> {
  return new Map(EMITTERS[language].rootFiles);
}

/** A server's folder by the names of its files, none of them printed yet. Empty when there can be no such folder. */
export function toServerFiles(
  server: ServerRecord,
  language: Language,
  warn: Warn = () => {},
): ReadonlyMap<string, ServerFile> {
  const emitter = EMITTERS[language];
  const files = new Map<string, ServerFile>();
  const name = server.identifiers[language];
  if (!isIdentifier(name) || !isFolderName(folderOf(server, language))) {
    warn("", `the server's name in code, "${name}", is no identifier; left out`);
    return files;
  }
  const modules = toModules(server, emitter, warn);
  for (const [tool, module] of modules) {
    files.set(`${module}${emitter.extension}`, { tool, print: () => wrap(tool, server, emitter) });
  }
  files.set(`${emitter.index}${emitter.extension}`, {
    print: () => ({ code: emitter.indexFile(server, modules), warnings: [] }),
  });
  return files;
}

function wrap(tool: ToolRecord, server: ServerRecord, emitter: Emitter): Wrapper {
  const { made, warnings } = orOpenTypes(tool, (one) => emitter.wrap(one, server));
  return { code: made.code, warnings: [...made.warnings, ...warnings] };
}

/** Each tool's file name: its function's name, unless that is the index's or already taken where case is folded. */
function toModules(server: ServerRecord, emitter: Emitter, warn: Warn): Map<ToolRecord, string> {
  const modules = new Map<ToolRecord, string>();
  const functions = new Set<string>();
  const taken = new Set(server.tools.map((tool) => emitter.identifier(tool).toLowerCase()));
  for (const tool of server.tools) {
    const name = emitter.identifier(tool);
    if (!isIdentifier(name) || functions.has(name.toLowerCase())) {
      warn(tool.name, `its name in code, "${name}", is no identifier or is used twice; left out`);
      continue;
    }
    functions.add(name.toLowerCase());
    let module = name;
    while (module.toLowerCase() === emitter.index || (module !== name && taken.has(module.toLowerCase()))) {
      module += "_";
    }
    modules.set(tool, module);
  }
  return modules;
}

const EMITTERS: { readonly [language in Language]: Emitter } = {
  typescript: {
    extension: ".ts",
    index: "index",
    rootFiles: [["_keyhole.ts", TYPESCRIPT_RUNTIME]],
    identifier: (tool) => tool.identifiers.typescript,
    wrap: toTypeScriptWrapper,
    indexFile: typeScriptIndex,
  },
  python: {
    extension: ".py",
    index: "__init__",
    rootFiles: [
      ["__init__.py", ""],
      ["_keyhole.py", PYTHON_RUNTIME],
    ],
    identifier: (tool) => tool.identifiers.python,
    wrap: toPythonWrapper,
    indexFile: pythonIndex,
  },
};

function typeScriptIndex(server: ServerRecord, modules: ReadonlyMap<ToolRecord, string>): string {
  const about = toLines(server.instructions ?? "", MAX_INSTRUCTIONS).filter((line) => line !== "");
  const doc = about.length === 0 ? [] : ["/**", ...about.map((line) => ` * ${toCommentLine(line)}`), " */"];
  const exports = [...modules].map(([tool, module]) => {
    const { input, response } = toTypeScriptTypeNames(tool, server);
    return `export { ${tool.identifiers.typescript}, type ${input}, type ${response} } from "./${module}.js";`;
  });
  return `${[...doc, ...(exports.length === 0 ? ["export {};"] : exports)].join("\n")}\n`;
}

function pythonIndex(server: ServerRecord, modules: ReadonlyMap<ToolRecord, string>): string {
  const about = toLines(server.instructions ?? "", MAX_INSTRUCTIONS).filter((line) => line !== "");
  const doc = about.length === 0 ? [] : [`"""${about.map(toDocstringLine).join("\n")}\n"""`];
  const imports: string[] = [];
  const names: string[] = [];
  for (const [tool, module] of modules) {
    const { input, response } = toPythonTypeNames(tool);
    const exported = [tool.identifiers.python, input, response];
    names.push(...exported);
    imports.push(`from .${module} import ${exported.map((name) => `${name} as ${name}`).join(", ")}`);
  }
  const all = names.map((name) => `    "${name}",`);
  return `${[...doc, ...imports, "", "__all__ = [", ...all, "]"].join("\n")}\n`;
}
