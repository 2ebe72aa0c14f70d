const MAX_NAME = 60;

/** `list_item` → `ListItem`; letters and digits of ASCII only, empty when there are none, and never a digit first. */
export function toPascalCase(text: string): string {
  const words = text
    .slice(0, 200)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const name = /^[0-9]/.test(joined) ? `T${joined}` : joined;
  return name.slice(0, MAX_NAME);
}

/** The names in generated files come from the catalogue; this is the last gate before they become code and paths. */
export function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) && name.length <= 200;
}

export function isFolderName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u.test(name) && !name.endsWith(".") && name.length <= 200;
}

export function isAsciiIdentifier(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name);
}
