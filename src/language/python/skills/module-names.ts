/** The package that has the skills. */
export const SKILLS_PACKAGE = "skills";

/** The name of the skill that Python's own spelling means; of another spelling what it most likely is. */
export function fromPythonName(module: string): string {
  return module
    .normalize("NFKC")
    .replace(/^_(?=\d)|_$/g, "")
    .replaceAll("_", "-");
}
