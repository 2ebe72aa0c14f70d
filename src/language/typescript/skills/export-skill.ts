import { toTypeScriptString } from "../../../text/doc-text.ts";
import { type ProgramFailure, toFailure } from "../../failure.ts";
import { type ExportEntry, exportStatements, isFrom } from "../prepare/export-statements.ts";
import {
  type Declaration,
  type Edit,
  findTarget,
  type Imports,
  type ImportTarget,
  type ImportWorld,
  notThere,
  toProperty,
  toValue,
  toWhole,
} from "../prepare/imports.ts";
import type { Parsed } from "../prepare/oxc.ts";
import { noSuchExport, toExportName } from "./import-skill.ts";
import { type ModuleExport, toCheckedModule, toRunningModule } from "./skill-module.ts";
import { findTypeNames } from "./type-names.ts";

/** What a skill offers; what stands for its exports of others is put before it, as imports are. */
export type SkillExports = Omit<Imports, "globals"> & {
  readonly exports: readonly ModuleExport[];
  /** What it ends with: the module, as its guest takes it. */
  readonly ending: string;
};

/** `value` is an expression. */
type Found = ModuleExport & { readonly value: string; readonly isOfAll?: true };
type Passed = {
  readonly found: readonly Found[];
  readonly checked: string;
};

export function exportSkill(
  source: string,
  parsed: Parsed,
  world: ImportWorld,
  /** The name that its default export has. */
  defaultName: string,
): SkillExports | ProgramFailure {
  const found = new Map<string, Found>();
  const [declarations, running, checked]: [Declaration[], Declaration[], Declaration[]] = [[], [], []];
  const edits: Edit[] = [];
  const modules: string[] = [];
  const typeNames = findTypeNames(source, parsed);
  const add = (one: Found, at: number): ProgramFailure | undefined => {
    const known = found.get(one.name);
    if (one.name === "then") return toFailure("syntax", NO_THEN, source, at, THEN_HINT);
    if (known?.isOfAll && one.isOfAll)
      return toFailure("syntax", `Two others that it exports have "${one.name}"`, source, at);
    if (known === undefined || known.isOfAll || known.isType) found.set(one.name, one);
    return undefined;
  };
  for (const statement of exportStatements(parsed)) {
    const { start, end, entries } = statement;
    const from = entries.find((entry) => isFrom(statement, entry))?.moduleRequest;
    if (from == null) {
      for (const entry of entries) {
        const wrong = add(ownExport(entry, { parsed, world, typeNames, defaultName }), entry.start);
        if (wrong) return wrong;
      }
      continue;
    }
    edits.push({ start, end, text: ";" });
    const target = findTarget(from.value, world);
    if (target.kind === "unknown") return notThere(target, source, from.start);
    if (target.kind === "module") modules.push(target.name);
    const holder = `${world.fresh}e${running.length + declarations.length}`;
    if (target.kind === "skill")
      running.push({ text: `const ${holder} = ${toRunningModule(target.skill.name)};`, at: start });
    else declarations.push({ text: `const ${holder} = ${toValue(target)};`, at: start });
    for (const [index, entry] of entries.entries()) {
      const passed = passOn(entry, target, { holder, local: `${holder}_${index}`, source });
      if ("kind" in passed) return passed;
      checked.push({ text: passed.checked, at: entry.start });
      for (const one of passed.found) {
        const wrong = add(one, entry.start);
        if (wrong) return wrong;
      }
    }
  }
  const values = [...found.values()].filter(({ isType }) => !isType);
  const getters = values.map(({ name, value }) => `[${toTypeScriptString(name)},()=>${value}]`);
  return {
    exports: [...found.values()].map(({ name, isType }) => ({ name, isType })),
    declarations,
    running,
    checked,
    edits,
    modules,
    ending: `return [${getters.join(",")}];`,
  };
}

const NO_THEN = 'A skill can\'t export "then"';
const THEN_HINT = "What has it is taken for a promise: give it another name";

type Own = {
  readonly parsed: Parsed;
  readonly world: ImportWorld;
  readonly typeNames: ReadonlySet<string>;
  readonly defaultName: string;
};

function ownExport(entry: ExportEntry, { parsed, world, typeNames, defaultName }: Own): Found {
  const { exportName, localName, isType } = entry;
  const name = exportName.kind === "Default" ? "default" : (exportName.name ?? "");
  const passed = entry.moduleRequest === null ? undefined : findImport(entry, parsed, world);
  if (passed !== undefined) return { ...passed, name, isType: isType || passed.isType };
  const value = localName.kind === "Name" && localName.name !== null ? localName.name : defaultName;
  return { name, isType: isType || typeNames.has(value), value };
}

/** The import of what is exported. */
function findImport({ importName }: ExportEntry, parsed: Parsed, world: ImportWorld): Omit<Found, "name"> {
  for (const { entries, moduleRequest } of parsed.module.staticImports) {
    const found = entries.find((one) => importName.start === (one.importName.start ?? one.localName.start));
    if (found === undefined) continue;
    const target = findTarget(moduleRequest.value, world);
    const exports = target.kind === "skill" ? target.skill.exports : [];
    const isType = found.isType || exports.some((one) => one.isType && one.name === found.importName.name);
    return { isType, value: found.localName.value };
  }
  return { isType: false, value: "undefined" };
}

type Place = { readonly holder: string; readonly local: string; readonly source: string };

/** `export { a as b } from "../other"`, `export * as other from`, `export * from`. */
function passOn(
  { importName, exportName, isType, start }: ExportEntry,
  target: ImportTarget,
  { holder, local, source }: Place,
): Passed | ProgramFailure {
  const type = isType ? "type " : "";
  const name = exportName.name ?? "";
  if (target.kind === "skill") {
    const { skill } = target;
    const from = `from "${toCheckedModule(skill.name)}";`;
    if (importName.kind === "AllButDefault") {
      const others = skill.exports.filter((one) => one.name !== "default");
      const found = others.map((one) => toPassed(one.name, one.name, isType || one.isType));
      // Named one by one: so each has a place at which it can be asked for.
      const names = others.map((one) => toExportName(one.name)).map((one) => `${one} as ${one} }`);
      const checked = names.map((one) => `export ${type}{ ${one} ${from}`).join("");
      return { found: found.map((one) => ({ ...one, isOfAll: true })), checked };
    }
    if (importName.kind === "All")
      return {
        found: [{ name, isType, value: holder }],
        checked: `export ${type}* as ${toExportName(name)} ${from}`,
      };
    const known = skill.exports.find((one) => one.name === importName.name);
    if (known === undefined)
      return noSuchExport(importName.name ?? "", importName.start ?? start, skill, source);
    return {
      found: [toPassed(name, known.name, isType || known.isType)],
      checked: `export ${type}{ ${toExportName(known.name)} as ${toExportName(name)} } ${from}`,
    };
  }
  if (importName.kind === "AllButDefault")
    return toFailure("import", NOT_ALL, source, start, "Name what it exports: export { a, b } from …");
  if (isType) return { found: [{ name, isType, value: "" }], checked: `export type ${name} = any;` };
  const imported = importName.name ?? "";
  const value =
    importName.kind === "All"
      ? holder
      : imported === "default"
        ? toWhole(target)
        : memberOf(holder, toProperty(target, imported));
  if (value === undefined)
    return toFailure("import", `There is no "${imported.slice(0, 80)}" in what it exports`, source, start);
  return {
    found: [{ name, isType, value }],
    checked: `const ${local} = ${value}; export { ${local} as ${toExportName(name)} };`,
  };

  function toPassed(own: string, theirs: string, isOfType: boolean): Found {
    return { name: own, isType: isOfType, value: `${holder}[${toTypeScriptString(theirs)}]` };
  }
}

const NOT_ALL = "A skill can export all of another skill, not of servers and modules";

function memberOf(holder: string, property: string | undefined): string | undefined {
  return property === undefined ? undefined : `${holder}[${toTypeScriptString(property)}]`;
}
