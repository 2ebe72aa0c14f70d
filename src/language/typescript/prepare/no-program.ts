import { hasPythonLine } from "../../python/looks-like-python.ts";

/** What a text that does not parse was meant to be, where that is plain: then a place in it says little. */
export function insteadOfProgram(text: string): string | undefined {
  if (isJson(text)) return "This is JSON, no program: give the program's own text, nothing around it";
  if (hasPythonLine(text))
    return 'This looks like Python: send it with language: "python", or write it in TypeScript';
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
