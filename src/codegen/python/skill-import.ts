import { isIdentifier } from "../print/identifiers.ts";
import type { TakenExport, WrittenImport } from "../skill-import.ts";
import { PYTHON_KEYWORDS } from "./python.ts";

export function toPythonImport(skill: string, exports: readonly TakenExport[]): WrittenImport {
  const module = `skills.${toPythonModuleName(skill)}`;
  const names = exports
    .map(({ name }) => name)
    .filter((name) => isIdentifier(name) && !PYTHON_KEYWORDS.has(name));
  return {
    line: names.length === 0 ? `import ${module}` : `from ${module} import ${names.join(", ")}`,
    names: new Map(names.map((name) => [name, name])),
  };
}

/** What a skill is called in Python: `a-b` is `a_b`, `class` is `class_`, `3d` is `_3d`. As `_module_name` of the guest has it. */
export function toPythonModuleName(skill: string): string {
  const name = skill.replaceAll("-", "_");
  if (/^\d/.test(name)) return `_${name}`;
  return PYTHON_KEYWORDS.has(name) ? `${name}_` : name;
}
