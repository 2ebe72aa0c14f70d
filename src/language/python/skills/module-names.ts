import { PYTHON_KEYWORDS } from "../../../codegen/python/python.ts";

/** The package that has the skills. */
export const SKILLS_PACKAGE = "skills";

/** What a skill is called in Python: `a-b` is `a_b`, `class` is `class_`, `3d` is `_3d`. As `_module_name` of the guest has it. */
export function toPythonModuleName(skill: string): string {
  const name = skill.replaceAll("-", "_");
  if (/^\d/.test(name)) return `_${name}`;
  return PYTHON_KEYWORDS.has(name) ? `${name}_` : name;
}

/** The name of the skill that Python's own spelling means; of another spelling what it most likely is. */
export function fromPythonName(module: string): string {
  return module
    .normalize("NFKC")
    .replace(/^_(?=\d)|_$/g, "")
    .replaceAll("_", "-");
}
