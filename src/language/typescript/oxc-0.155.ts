import type { Problem } from "./prepare/oxc.ts";

/**
 * What is read off the text of messages of oxc 0.155.0. With another version this is looked at again: compiler-versions.test.ts
 * fails until that is done.
 */

/** The parser names this error by TypeScript's number. A program may end with `return`: it becomes a function's body. */
export function isReturnAtTop(problem: Problem): boolean {
  return /^\s*x TS\(1108\):/.test(problem.codeframe ?? "");
}
