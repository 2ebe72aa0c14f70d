/** A line that only Python has. */
const PYTHON =
  /^[^\S\n]*(?:from [\w.]{1,80} import [\w*(]|import \w+(?:\.\w+){0,5}(?: as \w+)?[^\S\n]*$|(?:async )?def \w+\([^\n{]{0,200}:[^\S\n]*$|(?:for|if|while|with|elif|try|except|else)\b[^{;?\n]{0,200}:[^\S\n]*$)/m;
const MAX_READ = 20_000;

/** What a text that does not parse was meant to be, where that is plain: then a place in it says little. */
export function insteadOfProgram(text: string): string | undefined {
  if (isJson(text)) return "This is JSON, no program: give the program's own text, nothing around it";
  if (PYTHON.test(text.slice(0, MAX_READ)))
    return "This looks like Python: write the program in TypeScript; the same functions are there";
  return undefined;
}

function isJson(text: string): boolean {
  if (!/^\s*\{\s*"/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
