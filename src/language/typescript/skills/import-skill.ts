import { didYouMean } from "../../../text/did-you-mean.ts";
import { toTypeScriptString } from "../../../text/doc-text.ts";
import { type ProgramFailure, toFailure } from "../../failure.ts";
import type { Declaration } from "../prepare/imports.ts";
import type { ModuleRecord } from "../prepare/oxc.ts";
import { type SkillModule, toCheckedModule, toRunningModule } from "./skill-module.ts";

type StaticImport = ModuleRecord["staticImports"][number];
type Entry = StaticImport["entries"][number];

/** What stands for an import of a skill: where it runs, and where it is checked, which knows its types. */
export type StoodIn = {
  readonly running: readonly Declaration[];
  readonly checked: readonly Declaration[];
};

export function importSkill(
  statement: StaticImport,
  skill: SkillModule,
  source: string,
): StoodIn | ProgramFailure {
  const module = toRunningModule(skill.name);
  const at = statement.moduleRequest.start;
  const running: Declaration[] = [];
  const checked: Declaration[] = [];
  for (const entry of statement.entries) {
    const known = findExport(entry, skill);
    if (known === undefined)
      return noSuchExport(importedName(entry), entry.importName.start ?? at, skill, source);
    const place = entry.importName.start ?? entry.localName.start;
    checked.push({ text: toCheckedImport(entry, skill), at: place });
    if (entry.isType || known.isType) continue;
    running.push({ text: toRunningImport(entry, module), at: place });
  }
  if (statement.entries.length === 0) running.push({ text: `${module};`, at });
  return { running, checked };
}

/** All of it is a value. */
const WHOLE = { isType: false };

function findExport(entry: Entry, { exports }: SkillModule): { readonly isType: boolean } | undefined {
  if (entry.importName.kind === "NamespaceObject") return WHOLE;
  const wanted = importedName(entry);
  return exports.find((one) => one.name === wanted);
}

function importedName({ importName: { kind, name } }: Entry): string {
  return kind === "Default" ? "default" : (name ?? "");
}

function toRunningImport(entry: Entry, module: string): string {
  const local = entry.localName.value;
  if (entry.importName.kind === "NamespaceObject") return `const ${local} = ${module};`;
  return `const { ${toTypeScriptString(importedName(entry))}: ${local} } = ${module};`;
}

function toCheckedImport(entry: Entry, skill: SkillModule): string {
  const local = entry.localName.value;
  const type = entry.isType ? "type " : "";
  const from = `from "${toCheckedModule(skill.name)}";`;
  if (entry.importName.kind === "NamespaceObject") return `import ${type}* as ${local} ${from}`;
  return `import ${type}{ ${toExportName(importedName(entry))} as ${local} } ${from}`;
}

/** A name as an import or an export has it. */
export function toExportName(name: string): string {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) ? name : toTypeScriptString(name);
}

export function noSuchExport(name: string, at: number, skill: SkillModule, source: string): ProgramFailure {
  const names = skill.exports.map((one) => one.name).filter((one) => one !== "default");
  const shown = names.slice(0, MAX_SHOWN).join(", ");
  if (name === "default")
    return toFailure(
      "import",
      `Skill "${skill.name}" has no default export`,
      source,
      at,
      `Write import { ${shown} } from "./skills/${skill.name}"`,
    );
  const hint = didYouMean(name, names) ?? (names.length === 0 ? "It exports nothing" : `It exports ${shown}`);
  return toFailure("import", `Skill "${skill.name}" exports no "${name}"`, source, at, hint);
}

const MAX_SHOWN = 20;
