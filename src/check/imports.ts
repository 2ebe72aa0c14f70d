import { findTool } from "../catalog/name-index.ts";
import type { ServerRecord } from "../catalog/tool.ts";
import { toTypeScriptString } from "../codegen/print/doc-text.ts";
import { findTypeOwner } from "../codegen/print/typescript-wrapper.ts";
import { type ProgramFailure, toFailure } from "./failure.ts";
import type { ModuleRecord } from "./oxc.ts";
import { importedServer, resolveSpecifier, type Target, whichFunction } from "./specifier.ts";
import { typeNamespace } from "./type-namespace.ts";

/** A stretch of the program that makes way for another text, which is not longer. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** A declaration, and the place of the import that it stands for. */
export type Declaration = { readonly text: string; readonly at: number };

/** The program's imports as declarations to put before it: imports are hoisted, so that is where they belong. */
export type Imports = { readonly declarations: readonly Declaration[]; readonly edits: readonly Edit[] };

type StaticImport = ModuleRecord["staticImports"][number];
type Entry = StaticImport["entries"][number];

export function toImports(
  source: string,
  module: ModuleRecord,
  servers: readonly ServerRecord[],
  fresh: string,
): Imports | ProgramFailure {
  const declarations: Declaration[] = [];
  const edits: Edit[] = [];
  for (const statement of module.staticImports) {
    const target = resolveSpecifier(statement.moduleRequest.value, servers);
    const values = statement.entries.filter((entry) => !entry.isType);
    const needsValue = values.length > 0 || statement.entries.length === 0;
    if (target.kind === "unknown" && needsValue) {
      return toFailure("import", target.message, source, statement.moduleRequest.start, target.hint);
    }
    for (const entry of statement.entries) {
      const text = toDeclaration(entry, target, servers);
      if (text === undefined) return unknownName(entry, target, source, servers);
      declarations.push({ text, at: entry.importName.start ?? entry.localName.start });
    }
    // The semicolon: without the statement, the lines around it could run together.
    edits.push({ start: statement.start, end: statement.end, text: ";" });
  }
  const dynamic = dynamicImports(source, module, servers, fresh);
  if ("kind" in dynamic) return dynamic;
  declarations.push(...dynamic.declarations);
  edits.push(...dynamic.edits);
  const [meta] = module.importMetas;
  if (meta !== undefined) declarations.push({ text: `const ${fresh}m = { main: true };`, at: meta.start });
  for (const { start, end } of module.importMetas) edits.push({ start, end, text: `${fresh}m` });
  return { declarations, edits };
}

function toDeclaration(entry: Entry, target: Target, servers: readonly ServerRecord[]): string | undefined {
  const local = entry.localName.value;
  const { kind, name } = entry.importName;
  const imported = kind === "Default" ? "default" : (name ?? "");
  const type = toImportedType(imported, target);
  if (entry.isType || type !== undefined) return `type ${local} = ${type ?? "any"};`;
  const value = toValue(target);
  if (kind === "NamespaceObject") return `const ${local} = ${value};`;
  if (imported === "default" && target.kind !== "skill") {
    const whole = target.kind === "tool" ? `${value}.${target.tool.identifiers.typescript}` : value;
    return `const ${local} = ${whole};`;
  }
  if (target.kind === "servers") {
    const one = importedServer(imported, servers);
    return one.kind === "server" ? `const ${local} = ${toValue(one)};` : undefined;
  }
  const property = toProperty(target, imported);
  if (property === undefined) return undefined;
  return `const { ${toTypeScriptString(property)}: ${local} } = ${value};`;
}

/** Servers are reached through `globalThis`: the program may have a variable of the same name. */
function toValue(target: Target): string {
  switch (target.kind) {
    case "server":
    case "tool":
      return `globalThis.${target.server.identifiers.typescript}`;
    case "servers":
      return "((globalThis.__keyhole as any).servers as typeof globalThis)";
    case "runtime":
      return "globalThis";
    case "files":
      return target.whole ? "globalThis.__keyhole.wholeFs" : "globalThis.__keyhole.fs";
    case "skill":
      return `await globalThis.__keyhole.importSkill(${toTypeScriptString(target.name)})`;
    case "unknown":
      return "undefined";
  }
}

/** The function of a server by its own name, however the import spells it. */
function toProperty(target: Target, name: string): string | undefined {
  if (target.kind !== "server" && target.kind !== "tool") return name;
  const meant = findTool(target.server, name);
  return meant.kind === "one" ? meant.value.identifiers.typescript : undefined;
}

/** Generated types are often imported like values. */
function toImportedType(name: string, target: Target): string | undefined {
  if (target.kind !== "server" && target.kind !== "tool") return undefined;
  const tool = findTypeOwner(target.server, name);
  return tool === undefined ? undefined : `${typeNamespace(tool, target.server)}.${name}`;
}

function unknownName(
  entry: Entry,
  target: Target,
  source: string,
  servers: readonly ServerRecord[],
): ProgramFailure {
  const name = entry.importName.name ?? "";
  const at = entry.importName.start ?? 0;
  if (target.kind === "servers") {
    const one = importedServer(name, servers);
    if (one.kind === "unknown") return toFailure("import", one.message, source, at, one.hint);
  }
  const server = target.kind === "server" || target.kind === "tool" ? target.server : undefined;
  const message = `Server "${server?.identifiers.typescript ?? ""}" has no function "${name}"`;
  const hint = server === undefined ? undefined : whichFunction(name, server);
  return toFailure("import", message, source, at, hint);
}

function dynamicImports(
  source: string,
  module: ModuleRecord,
  servers: readonly ServerRecord[],
  fresh: string,
): Imports | ProgramFailure {
  const loaders = new Map<string, string>();
  const declarations: Declaration[] = [];
  const edits: Edit[] = [];
  for (const { start, end, moduleRequest } of module.dynamicImports) {
    const specifier = toLiteral(source.slice(moduleRequest.start, moduleRequest.end));
    if (specifier === undefined) {
      const hint = 'Write the name out: await import("./servers/<server>")';
      return toFailure("import", "Cannot import a computed name", source, moduleRequest.start, hint);
    }
    const target = resolveSpecifier(specifier, servers);
    if (target.kind === "unknown") {
      return toFailure("import", target.message, source, moduleRequest.start, target.hint);
    }
    let loader = loaders.get(specifier);
    if (loader === undefined) {
      loader = `${fresh}${loaders.size}`;
      loaders.set(specifier, loader);
      const module = toModule(target);
      declarations.push({ text: `const ${loader} = async () => ${module};`, at: start });
    }
    edits.push({ start, end, text: `${loader}()` });
  }
  return { declarations, edits };
}

function toModule(target: Target): string {
  const value = toValue(target);
  switch (target.kind) {
    case "skill":
      return value;
    // A server has itself for its `default`.
    case "server":
      return `(${value} as typeof ${value} & { default: typeof ${value} })`;
    case "tool": {
      const tool = `${value}.${target.tool.identifiers.typescript}`;
      return `(Object.create(${value}, { default: { value: ${tool} } }) as typeof ${value} & { default: typeof ${tool} })`;
    }
    default:
      return toNamespace(value);
  }
}

/** On top of the value, not a copy of it: a server answers to any name, so there is nothing to copy. */
function toNamespace(value: string): string {
  if (!/^[\w.$]+$/u.test(value)) return `({ ...${value}, default: ${value} })`;
  return `(Object.create(${value}, { default: { value: ${value} } }) as typeof ${value} & { default: typeof ${value} })`;
}

/** The value of a plain string literal. */
function toLiteral(text: string): string | undefined {
  return /^(["'`])([^"'`\\$\n\r]*)\1$/.exec(text)?.[2];
}
