import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import { isFolderName, isIdentifier } from "./print/identifiers.ts";
import { printSafely } from "./print/print-safely.ts";
import type { Wrapper } from "./print/wrapper.ts";
import type { Printer } from "./printer.ts";

/** Paths are relative, with `/`. */
export type GeneratedTree = { readonly files: Map<string, string>; readonly warnings: CodegenWarning[] };

export type CodegenWarning = { readonly server: string; readonly tool: string; readonly message: string };

/** A file of a server's folder, printed when it is asked for. */
export type ServerFile = { /** None for the index. */ readonly tool?: ToolRecord; print(): Wrapper };

type Warn = (tool: string, message: string) => void;

/** The whole tree: a folder for each server, a file for each tool. */
export function toTree(servers: readonly ServerRecord[], printer: Printer): GeneratedTree {
  const files = new Map(printer.rootFiles);
  const warnings: CodegenWarning[] = [];
  for (const server of servers) {
    const warn: Warn = (tool, message) => warnings.push({ server: server.name, tool, message });
    for (const [name, { tool, print }] of toServerFiles(server, printer, warn)) {
      const wrapper = print();
      for (const message of wrapper.warnings) warn(tool?.name ?? "", message);
      files.set(`${printer.folder(server)}/${name}`, wrapper.code);
    }
  }
  return { files, warnings };
}

/** A server's folder by the names of its files, none of them printed yet. Empty when there can be no such folder. */
export function toServerFiles(
  server: ServerRecord,
  printer: Printer,
  warn: Warn = () => {},
): ReadonlyMap<string, ServerFile> {
  const files = new Map<string, ServerFile>();
  const name = server.identifiers[printer.naming];
  if (!isIdentifier(name) || !isFolderName(printer.folder(server))) {
    warn("", `the server's name in code, "${name}", is no identifier; left out`);
    return files;
  }
  const modules = toModules(server, printer, warn);
  for (const [tool, module] of modules) {
    files.set(`${module}${printer.extension}`, { tool, print: () => wrap(tool, server, printer) });
  }
  files.set(`${printer.index}${printer.extension}`, {
    print: () => ({ code: printer.indexFile(server, modules), warnings: [] }),
  });
  return files;
}

function wrap(tool: ToolRecord, server: ServerRecord, printer: Printer): Wrapper {
  const { made, warnings } = printSafely(tool, (one) => printer.wrap(one, server));
  return { code: made.code, warnings: [...made.warnings, ...warnings] };
}

/** Each tool's file name: its function's name, unless that is the index's or already taken where case is folded. */
function toModules(server: ServerRecord, printer: Printer, warn: Warn): Map<ToolRecord, string> {
  const modules = new Map<ToolRecord, string>();
  const functions = new Set<string>();
  const taken = new Set(server.tools.map((tool) => tool.identifiers[printer.naming].toLowerCase()));
  for (const tool of server.tools) {
    const name = tool.identifiers[printer.naming];
    if (!isIdentifier(name) || functions.has(name.toLowerCase())) {
      warn(tool.name, `its name in code, "${name}", is no identifier or is used twice; left out`);
      continue;
    }
    functions.add(name.toLowerCase());
    let module = name;
    while (module.toLowerCase() === printer.index || (module !== name && taken.has(module.toLowerCase()))) {
      module += "_";
    }
    modules.set(tool, module);
  }
  return modules;
}
