import type { Catalog } from "../../catalog/catalog.ts";
import { KeyholeError, ToolError, toKeyholeError } from "../../errors.ts";
import type { CallOptions } from "../../mcp/connection.ts";
import { isRecord } from "../../text/is-record.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CallRecord, Run } from "../run/run-record.ts";
import { toCallee } from "./callee.ts";
import type { ToolFinder } from "./find-tool.ts";
import { learn } from "./learn.ts";

const LONGER_MS = 1000;
/** Lines of evidence, such as a dead server's stderr, that a program is told. */
const LAST_WORDS = 5;

/** One tool call of a running program. The stages stand in the order in which a call passes them. */
export async function callTool(
  run: Run,
  { catalog, find }: { catalog: Catalog; find: ToolFinder },
  call: { server: string; tool: string; args: unknown; timeoutMs?: number },
  signal: AbortSignal,
): Promise<unknown> {
  let record: CallRecord | undefined;
  try {
    const found = find(call.server, call.tool);
    const { entry, tool } = found;
    const args = toArguments(call.args, entry.name, tool.name);
    const callee = toCallee(found);
    record = run.startCall(entry.name, tool.name, args, callee);
    const connection = catalog.connection(entry.name);
    const result = await withDeadline(call, signal, (options) => connection.callTool(tool, args, options));
    record.end(result);
    if (result.notANumber !== undefined) {
      const text = `(${callee.name} sent ${result.notANumber}, read as null)`;
      run.logOnce("not a number", { level: "warn", text, isNotice: true });
    }
    learn(catalog, found, result.large === undefined ? result.value : result.large.sample);
    return result.value;
  } catch (error) {
    record?.fail(toKeyholeError(error));
    throw toProgramError(error, call.server, call.tool);
  }
}

/**
 * A program's own limit is for all of its call, the server's start and its progress included; a server's `timeoutMs` is
 * for the time without a sign of life.
 */
async function withDeadline<T>(
  { server, tool, timeoutMs }: { server: string; tool: string; timeoutMs?: number },
  signal: AbortSignal,
  act: (options: CallOptions) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return act({ signal });
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = `Call of "${tool}" on server "${server}" failed: no answer within its own limit of ${timeoutMs} ms`;
      reject(new KeyholeError("timeout", message, { server, tool }));
      deadline.abort();
    }, timeoutMs);
  });
  try {
    const options = {
      signal: AbortSignal.any([signal, deadline.signal]),
      // Longer, so that the one above is what the program hears of.
      timeoutMs: timeoutMs + LONGER_MS,
    };
    return await Promise.race([passed, act(options)]);
  } finally {
    clearTimeout(timer);
  }
}

/** The program catches one error, whatever went wrong: with the server's words, or with ours and the way out. */
function toProgramError(error: unknown, server: string, tool: string): KeyholeError {
  if (error instanceof ToolError) return error;
  const { code, message, hint, details } = toKeyholeError(error);
  const words = details.slice(-LAST_WORDS).map((line) => `\n  ${toExcerpt(line)}`);
  const text = `${hint === undefined ? message : `${message}. ${hint}`}${words.join("")}`;
  return new KeyholeError(code, text, { server, tool });
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
