import type { Catalog } from "../catalog/catalog.ts";
import { KeyholeError, ToolError, toKeyholeError } from "../errors.ts";
import { isRecord } from "../is-record.ts";
import { toExcerpt } from "../plain-text.ts";
import { findTool } from "./find-tool.ts";
import { learn } from "./learn.ts";
import type { CallRecord, Run } from "./run-record.ts";

/** Lines of evidence, such as a dead server's stderr, that a program is told. */
const LAST_WORDS = 5;

/** One tool call of a running program. The stages stand in the order in which a call passes them. */
export async function callTool(
  run: Run,
  catalog: Catalog,
  call: { server: string; tool: string; args: unknown },
  signal: AbortSignal,
): Promise<unknown> {
  let record: CallRecord | undefined;
  try {
    const found = findTool(catalog.entries(), call.server, call.tool);
    const { entry, tool } = found;
    const args = toArguments(call.args, entry.name, tool.name);
    record = run.startCall(entry.name, tool.name, args);
    const result = await catalog.connection(entry.name).callTool(tool, args, { signal });
    record.end(result);
    learn(catalog, found, result.value);
    return result.value;
  } catch (error) {
    record?.fail(toKeyholeError(error));
    throw toProgramError(error, call.server, call.tool);
  }
}

/** The program catches a `ToolError`, whatever went wrong: with the server's words, or with ours and the way out. */
function toProgramError(error: unknown, server: string, tool: string): ToolError {
  if (error instanceof ToolError) return error;
  const { message, hint, details } = toKeyholeError(error);
  const words = details.slice(-LAST_WORDS).map((line) => `\n  ${toExcerpt(line)}`);
  return new ToolError(
    server,
    tool,
    `${hint === undefined ? message : `${message}. ${hint}`}${words.join("")}`,
    [],
  );
}

function toArguments(args: unknown, server: string, tool: string): Record<string, unknown> {
  if (args === undefined || args === null) return {};
  if (isRecord(args)) return args;
  const got = Array.isArray(args) ? "an array" : `a ${typeof args}`;
  throw new KeyholeError("usage", `"${tool}" takes one object with its arguments, not ${got}`, {
    server,
    tool,
  });
}
