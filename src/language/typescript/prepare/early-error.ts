import { Script } from "node:vm";
import type { Position } from "../../../text/position.ts";

/**
 * What V8 itself finds wrong with code before it runs it, which our parser does not look at: regular expressions above all.
 * The code is only compiled, and V8 minds its own stack.
 */
export function findEarlyError(
  code: string,
): { readonly message: string; readonly at: Position } | undefined {
  try {
    new Script(`"use strict";(async () => {${code}})`, { filename: "program.js" });
    return undefined;
  } catch (error) {
    // There is not stack enough to compile it, and the sandbox has no more.
    if (error instanceof RangeError) throw error;
    if (!(error instanceof Error) || error.name !== "SyntaxError") return undefined;
    const [, line, caret = ""] = /^program\.js:(\d+)\n.*\n(\s*)\^/.exec(error.stack ?? "") ?? [];
    return { message: error.message, at: { line: Number(line ?? 1), column: caret.length + 1 } };
  }
}
