import { findTool } from "../../../catalog/name-index.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import { findTypeOwner } from "../../../codegen/typescript/typescript-wrapper.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import { toTypeScriptString } from "../../../text/doc-text.ts";
import { readModuleNames } from "../../../world/declared-names.ts";
import { withNeeds } from "../../../world/modules.ts";
import { type ProgramFailure, toFailure } from "../../failure.ts";
import { typeNamespace } from "../check/type-namespace.ts";
import { findNodeUse, type NodeUse } from "../explain/node-use.ts";
import { importSkill } from "../skills/import-skill.ts";
import { LITERAL } from "../skills/mentioned-skills.ts";
import {
  type ImportedSkills,
  type SkillModule,
  toCheckedModule,
  toRunningModule,
} from "../skills/skill-module.ts";
import type { ModuleRecord, Parsed } from "./oxc.ts";
import { importedServer, resolveSpecifier, type Target, whichFunction } from "./specifier.ts";

/** A stretch of the program that makes way for another text, which is not longer. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** A declaration, and the place of the import that it stands for. */
export type Declaration = { readonly text: string; readonly at: number };

/** The program's imports as declarations to put before it: imports are hoisted, so that is where they belong. */
export type Imports = {
  readonly declarations: readonly Declaration[];
  /** These run in the place of imports of skills. */
  readonly running: readonly Declaration[];
  /** And these are checked in their place: imports, which know their types. */
  readonly checked: readonly Declaration[];
  readonly edits: readonly Edit[];
  /** The modules of Node's that the program uses, by their names in ../world/modules.ts. */
  readonly modules: readonly string[];
  /** Those of them that it uses as globals. */
  readonly globals: readonly string[];
};

/** What a text is read against. */
export type ImportWorld = {
  readonly servers: readonly ServerRecord[];
  readonly skills: ImportedSkills;
  /** The skill that the text is. */
  readonly skill: string | undefined;
  /** The beginning of names that it can't be using. */
  readonly fresh: string;
};

type Later = Pick<Imports, "declarations" | "edits" | "modules">;
type StaticImport = ModuleRecord["staticImports"][number];
type Entry = StaticImport["entries"][number];

export function toImports(source: string, parsed: Parsed, world: ImportWorld): Imports | ProgramFailure {
  const { module } = parsed;
  const { servers, fresh } = world;
  const running: Declaration[] = [];
  const checked: Declaration[] = [];
  const use = findNodeUse(source, parsed);
  const modules = new Set<string>(use.globals);
  const declarations: Declaration[] = [];
  const edits: Edit[] = [];
  for (const statement of module.staticImports) {
    const target = findTarget(statement.moduleRequest.value, world);
    if (target.kind === "module") modules.add(target.name);
    if (target.kind === "skill") {
      const skill = importSkill(statement, target.skill, source);
      if ("kind" in skill) return skill;
      running.push(...skill.running);
      checked.push(...skill.checked);
      edits.push({ start: statement.start, end: statement.end, text: ";" });
      continue;
    }
    const values = statement.entries.filter((entry) => !entry.isType);
    const needsValue = values.length > 0 || statement.entries.length === 0;
    if (target.kind === "unknown" && needsValue) {
      return notThere(target, source, statement.moduleRequest.start);
    }
    for (const entry of statement.entries) {
      const text = toDeclaration(entry, target, servers);
      if (text === undefined) return unknownName(entry, target, source, servers);
      declarations.push({ text, at: entry.importName.start ?? entry.localName.start });
    }
    // The semicolon: without the statement, the lines around it could run together.
    edits.push({ start: statement.start, end: statement.end, text: ";" });
  }
  for (const later of [dynamicImports(source, module, world), requires(source, use, world)]) {
    if ("kind" in later) return later;
    declarations.push(...later.declarations);
    edits.push(...later.edits);
    for (const name of later.modules) modules.add(name);
  }
  const [meta] = module.importMetas;
  if (meta !== undefined)
    declarations.push({ text: `const ${fresh}m = ${toImportMeta(world)};`, at: meta.start });
  for (const { start, end } of module.importMetas) edits.push({ start, end, text: `${fresh}m` });
  return { declarations, running, checked, edits, modules: withNeeds(modules, source), globals: use.globals };
}

/** What an import means, a skill with what it offers. */
export type ImportTarget =
  | Exclude<Target, { kind: "skill" }>
  | { readonly kind: "skill"; readonly skill: SkillModule };

export function findTarget(
  specifier: string,
  { servers, skills, skill: self }: Omit<ImportWorld, "fresh">,
): ImportTarget {
  const target = resolveSpecifier(specifier, servers, self !== undefined);
  if (target.kind !== "skill") return target;
  const skill = skills.get(target.name);
  if (skill !== undefined) return { kind: "skill", skill };
  const name = target.name.slice(0, 80);
  return { kind: "unknown", message: `There is no skill "${name}"`, hint: NO_SKILL };
}

const NO_SKILL = 'Write the name of a skill as it is, in small letters: "./skills/tidy-rows"';

function toImportMeta({ skill }: ImportWorld): string {
  if (skill === undefined)
    return '{ main: true, url: "file:///program.ts", filename: "/program.ts", dirname: "/" }';
  const folder = `/skills/${skill}`;
  return `{ main: false, url: "file://${folder}/index.ts", filename: "${folder}/index.ts", dirname: "${folder}" }`;
}

function toDeclaration(
  entry: Entry,
  target: ImportTarget,
  servers: readonly ServerRecord[],
): string | undefined {
  const local = entry.localName.value;
  const { kind, name } = entry.importName;
  const imported = kind === "Default" ? "default" : (name ?? "");
  const type = toImportedType(imported, target);
  if (entry.isType || type !== undefined) return `type ${local} = ${type ?? "any"};`;
  const value = toValue(target);
  if (kind === "NamespaceObject") return `const ${local} = ${value};`;
  if (imported === "default") return `const ${local} = ${toWhole(target)};`;
  if (target.kind === "servers") {
    const one = importedServer(imported, servers);
    return one.kind === "server" ? `const ${local} = ${toValue(one)};` : undefined;
  }
  const property = toProperty(target, imported);
  if (property === undefined) return undefined;
  return `const { ${toTypeScriptString(property)}: ${local} } = ${value};`;
}

/** What `import x from`, and `require`, give. */
export function toWhole(target: ImportTarget): string {
  const value = toValue(target);
  return target.kind === "tool" ? `${value}.${target.tool.identifiers.typescript}` : value;
}

/** Servers are reached through `globalThis`: the program may have a variable of the same name. */
export function toValue(target: ImportTarget): string {
  switch (target.kind) {
    case "server":
    case "tool":
      return `globalThis.${target.server.identifiers.typescript}`;
    case "servers":
      return "((globalThis.__keyhole as any).servers as typeof globalThis)";
    case "runtime":
      return "globalThis";
    case "module":
      return `globalThis.__keyhole.modules["${target.name}"]`;
    case "skill":
      return `${toRunningModule(target.skill.name)} as typeof import("${toCheckedModule(target.skill.name)}")`;
    case "unknown":
      return "undefined";
  }
}

/** What a target has by the name of an import, under its own name; a function may be spelled in other ways. */
export function toProperty(target: ImportTarget, name: string): string | undefined {
  if (target.kind === "module") return moduleNames(target.name).includes(name) ? name : undefined;
  if (target.kind !== "server" && target.kind !== "tool") return name;
  const meant = findTool(target.server, name);
  return meant.kind === "one" ? meant.value.identifiers.typescript : undefined;
}

function moduleNames(module: string): string[] {
  return (
    readModuleNames()
      .get(module)
      ?.values.map((value) => value.name) ?? []
  );
}

/** Generated types are often imported like values. */
function toImportedType(name: string, target: ImportTarget): string | undefined {
  if (target.kind === "module")
    return readModuleNames().get(target.name)?.types.includes(name) ? "any" : undefined;
  if (target.kind !== "server" && target.kind !== "tool") return undefined;
  const tool = findTypeOwner(target.server, name);
  return tool === undefined ? undefined : `${typeNamespace(tool, target.server)}.${name}`;
}

export function notThere(
  { message, hint, server }: Target & { kind: "unknown" },
  source: string,
  at: number,
): ProgramFailure {
  const failure = toFailure("import", message, source, at, hint);
  return server === undefined ? failure : { ...failure, missingServer: server };
}

function unknownName(
  entry: Entry,
  target: ImportTarget,
  source: string,
  servers: readonly ServerRecord[],
): ProgramFailure {
  const name = entry.importName.name ?? "";
  const at = entry.importName.start ?? 0;
  if (target.kind === "servers") {
    const one = importedServer(name, servers);
    if (one.kind === "unknown") return notThere(one, source, at);
  }
  if (target.kind === "module") {
    const message = `Module "${target.name}" has no "${name}" here`;
    return toFailure("import", message, source, at, didYouMean(name, moduleNames(target.name)));
  }
  const server = target.kind === "server" || target.kind === "tool" ? target.server : undefined;
  const message = `Server "${server?.identifiers.typescript ?? ""}" has no function "${name}"`;
  const hint = server === undefined ? undefined : whichFunction(name, server);
  return toFailure("import", message, source, at, hint);
}

function dynamicImports(source: string, module: ModuleRecord, world: ImportWorld): Later | ProgramFailure {
  const loaders = new Map<string, string>();
  const modules: string[] = [];
  const declarations: Declaration[] = [];
  const edits: Edit[] = [];
  for (const { start, end, moduleRequest } of module.dynamicImports) {
    const [, , specifier] = LITERAL.exec(source.slice(moduleRequest.start, moduleRequest.end)) ?? [];
    if (specifier === undefined) {
      const hint = 'Write the name out: await import("./servers/<server>")';
      return toFailure("import", "Cannot import a computed name", source, moduleRequest.start, hint);
    }
    const target = findTarget(specifier, world);
    if (target.kind === "unknown") {
      return notThere(target, source, moduleRequest.start);
    }
    if (target.kind === "module") modules.push(target.name);
    let loader = loaders.get(specifier);
    if (loader === undefined) {
      loader = `${world.fresh}${loaders.size}`;
      loaders.set(specifier, loader);
      const module = toModule(target);
      declarations.push({ text: `const ${loader} = async () => ${module};`, at: start });
    }
    edits.push({ start, end, text: `${loader}()` });
  }
  return { declarations, edits, modules };
}

/** `require("./servers/github")` makes way for the server; modules of Node's are found by the program's own `require`. */
function requires(source: string, use: NodeUse, world: ImportWorld): Later | ProgramFailure {
  const declarations: Declaration[] = [];
  const edits: Edit[] = [];
  const modules: string[] = [];
  for (const { specifier, local, start, end, at } of use.importEquals) {
    const target = findTarget(specifier, world);
    if (target.kind === "unknown") return notThere(target, source, at);
    if (target.kind === "module") modules.push(target.name);
    declarations.push({ text: `const ${local} = ${toWhole(target)};`, at });
    edits.push({ start, end, text: ";" });
  }
  for (const [index, { specifier, start, end, at }] of use.requires.entries()) {
    const target = findTarget(specifier, world);
    if (target.kind === "unknown") return notThere(target, source, at);
    if (target.kind === "module") {
      modules.push(target.name);
      continue;
    }
    declarations.push({ text: `const ${world.fresh}r${index} = ${toWhole(target)};`, at });
    edits.push({ start, end, text: `${world.fresh}r${index}` });
  }
  return { declarations, edits, modules };
}

function toModule(target: ImportTarget): string {
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
  if (!/^[\w.$]+(?:\["[\w/]+"\])?$/u.test(value)) return `({ ...${value}, default: ${value} })`;
  return `(Object.create(${value}, { default: { value: ${value} } }) as typeof ${value} & { default: typeof ${value} })`;
}
