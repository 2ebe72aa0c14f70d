import type { Problem } from "./prepare/oxc.ts";

/**
 * What is read off the text of the parser's messages. With another version of it this is looked at again: the test beside
 * this file fails until that is done.
 */
export const OXC_VERSION = "0.155.0";

/** The parser names this error by TypeScript's number. A program may end with `return`: it becomes a function's body. */
export function isReturnAtTop(problem: Problem): boolean {
  return /^\s*x TS\(1108\):/.test(problem.codeframe ?? "");
}
