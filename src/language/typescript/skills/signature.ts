/**
 * How a function is written that has a type: `(rows: Row[]) => Row[]` of `tidy` is `tidy(rows: Row[]): Row[]`. What is no
 * function stands with its type.
 */
export function toSignature(name: string, type: string): string {
  const start = type.startsWith("<") ? closing(type, 0, "<", ">") + 1 : 0;
  const end = type[start] === "(" ? closing(type, start, "(", ")") : -1;
  if (end !== -1 && type.startsWith(" => ", end + 1))
    return `${name}${type.slice(0, end + 1)}: ${type.slice(end + " => ".length + 1)}`;
  return type === `typeof ${name}` ? `class ${name}` : `${name}: ${type}`;
}

/** Whether it is the type of a function, maybe with several signatures. */
export function isSignature(type: string): boolean {
  return toSignature("f", type) !== `f: ${type}` || /^\{ (?:<[^(]*>)?\(/.test(type);
}

/** Where what is opened there is closed again; quotes are not looked at, since what is in them is closed as well, most often. */
function closing(text: string, start: number, opens: string, closes: string): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    // The arrow of a function is no bracket.
    if (text[at] === opens) depth++;
    else if (text[at] === closes && text[at - 1] !== "=") depth--;
    if (depth === 0) return at;
  }
  return -1;
}
