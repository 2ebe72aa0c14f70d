import { KeyholeError, ToolError, toKeyholeError } from "../../errors.ts";
import type { Host } from "../../sandbox/sandbox.ts";
import type { Session } from "../../session.ts";
import { isRecord } from "../../text/is-record.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { randomId } from "../../text/random-id.ts";
import type { CallingRun } from "./call.ts";
import type { Calls } from "./create-calls.ts";
import { createToolFinder, lookUpTool, type ToolMatch } from "./find-tool.ts";
import { recordRefused } from "./record.ts";

/** Lines of evidence, such as a dead server's stderr, that a program is told. */
const LAST_WORDS = 5;

/** The calls of one program: what it wrote becomes a call, and what went wrong an error that it can catch. */
export function createProgramCalls(
  { catalog, recorder, queueOf, make }: Calls,
  run: CallingRun,
  session: Session,
): Required<Pick<Host, "callTool" | "queueOf">> {
  const find = createToolFinder(catalog);

  function readCall(id: string, server: string, tool: string, args: unknown) {
    let match: ToolMatch | undefined;
    try {
      match = find(server, tool);
      return { match, args: toArguments(args, match) };
    } catch (error) {
      const failure = toKeyholeError(error);
      const names = { server: match?.server.name ?? server, tool: match?.tool.name ?? tool };
      recordRefused(recorder, { id, run, args, ...names }, failure);
      throw failure;
    }
  }

  return {
    async callTool(server, tool, args, signal, { timeoutMs, number, hold }) {
      const id = randomId("c");
      try {
        const { match, args: read } = readCall(id, server, tool, args);
        const call = {
          id,
          run,
          session,
          server: match.server,
          tool: match.tool,
          args: read,
          timeoutMs,
          signal,
          number,
          hold,
        };
        return (await make(call)).value;
      } catch (error) {
        throw toProgramError(error, server, tool);
      }
    },
    queueOf(server, tool) {
      const found = lookUpTool(server, tool, catalog);
      return found && queueOf(found.server);
    },
  };
}

/** The program catches one error, whatever went wrong: with the server's words, or with ours and the way out. */
function toProgramError(error: unknown, server: string, tool: string): KeyholeError {
  if (error instanceof ToolError) return error;
  const { code, message, hint, details } = toKeyholeError(error);
  const words = details.slice(-LAST_WORDS).map((line) => `\n  ${toExcerpt(line)}`);
  const text = `${hint === undefined ? message : `${message}. ${hint}`}${words.join("")}`;
  return new KeyholeError(code, text, { server, tool });
}

function toArguments(args: unknown, { server, tool }: ToolMatch): Record<string, unknown> {
  if (args === undefined || args === null) return {};
  if (isRecord(args)) return args;
  const got = Array.isArray(args) ? "an array" : `a ${typeof args}`;
  throw new KeyholeError("usage", `"${tool.name}" takes one object with its arguments, not ${got}`, {
    server: server.name,
    tool: tool.name,
  });
}
