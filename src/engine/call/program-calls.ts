import { withoutNones } from "../../catalog/absent-arguments.ts";
import { withOwnNames } from "../../catalog/argument-names.ts";
import type { LanguageNaming } from "../../catalog/names.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import { KeyholeError, toKeyholeError } from "../../errors.ts";
import { mentionsPii } from "../../privacy/mentions-pii.ts";
import type { Host } from "../../sandbox/sandbox.ts";
import type { Session } from "../../session.ts";
import { isRecord } from "../../text/is-record.ts";
import { randomId } from "../../text/random-id.ts";
import { WithFacts } from "../../text/with-facts.ts";
import type { CallingRun } from "./call.ts";
import type { Calls } from "./create-calls.ts";
import { createToolFinder, lookUpTool, type ToolMatch } from "./find-tool.ts";
import { toProgramError } from "./program-error.ts";
import { recordRefused } from "./record.ts";

/** The calls of one program: what it wrote becomes a call, and what went wrong an error that it can catch. */
export function createProgramCalls(
  { catalog, recorder, queueOf, make }: Calls,
  run: CallingRun,
  session: Session,
  naming: LanguageNaming = "typescript",
): Required<Pick<Host, "callTool" | "queueOf">> {
  const find = createToolFinder(catalog, naming);

  function readCall(id: string, server: string, tool: string, args: unknown) {
    let match: ToolMatch | undefined;
    try {
      match = find(server, tool);
      const read = toArguments(args, match);
      return { match, args: naming === "python" ? fromPython(read, match.tool) : read };
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
        const { value } = await make(call);
        return withFacts(value, run);
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

/** What `pii` may tell of the values in it, by whatever way it came. A result that nobody has read here is not read for that. */
export function withFacts(value: unknown, { privacy, request }: CallingRun): unknown {
  if (privacy === undefined || request === undefined || !mentionsPii(request.code)) return value;
  const facts = privacy.factsIn(value);
  return facts.length === 0 ? value : new WithFacts(value, facts);
}

function fromPython(args: Readonly<Record<string, unknown>>, tool: ToolRecord) {
  return withoutNones(withOwnNames(args, tool), tool);
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
