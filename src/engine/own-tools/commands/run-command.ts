import type { Leave } from "../../../audit/event.ts";
import { DEFAULT_COMMAND_MS } from "../../../config/commands/limits.ts";
import { KeyholeError, toKeyholeError } from "../../../errors.ts";
import type { CommandRules } from "../../../policy/commands/command-rules.ts";
import type { FoundValues } from "../../../privacy/conceal/shown-values.ts";
import { toArgumentsLine } from "../../../result/arguments-text.ts";
import type { Folder, SandboxCommandOptions, SandboxCommands } from "../../../sandbox/sandbox.ts";
import { isRecord } from "../../../text/is-record.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import { randomId } from "../../../text/random-id.ts";
import {
  tellCommandDenied,
  tellCommandEnded,
  tellCommandFailed,
  tellCommandStarted,
} from "../../audit/command-events.ts";
import type { Call } from "../../call/call.ts";
import { type CallRecorder, OWN_SERVER, recordOwn } from "../../call/record.ts";
import type { OwnCall } from "../../call/replay.ts";
import { toCommandAnswer } from "./command-answer.ts";
import { type CommandPermission, toShownCommand } from "./command-permission.ts";
import { type CommandRequest, toCommandRequest } from "./command-request.ts";

const MAX_COMMANDS = 500;

export type RunCommandContext = Pick<Call, "run" | "session"> & {
  readonly rules: CommandRules;
  readonly permission: CommandPermission;
  readonly recorder: CallRecorder | undefined;
  readonly sandbox: SandboxCommands;
  countedDirs(): readonly string[];
  folder(): Promise<Folder>;
  readonly onMeasured?: SandboxCommandOptions["onMeasured"];
};

/** `runCommand` of one program: one at a time, so many in all. */
export function createRunCommand(context: RunCommandContext) {
  const { rules, permission, recorder, sandbox, countedDirs, run, session } = context;
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;

  function check({ command, args }: CommandRequest) {
    const verdict = rules.check(command, args);
    if (!verdict.ok) throw refusal(verdict.reason, verdict.hint);
    return verdict;
  }

  function checkFirst(request: CommandRequest) {
    try {
      return check(request);
    } catch (error) {
      tellCommandDenied(run, request, error);
      throw error;
    }
  }

  /** In a pass that only plans, what can write is not run. */
  function isOnlyPlanned({ command, args }: CommandRequest): boolean {
    const verdict = rules.check(command, args);
    return run.gate?.plan !== undefined && verdict.ok && !verdict.readOnly;
  }

  async function start(request: CommandRequest, signal: AbortSignal, own: OwnCall): Promise<unknown> {
    const { readOnly } = checkFirst(request);
    const missing = sandbox.missing();
    if (missing !== undefined)
      throw new KeyholeError("denied", `"${request.command}" is not run: ${missing}`);
    const { timeoutMs, encoding } = request;
    const { number, hold, repeat } = own;
    let leave: Leave | undefined;
    const onDecided = (decided: Leave) => {
      leave = decided;
    };
    const call = { run, session, signal, number, hold, request, readOnly, repeat, onDecided };
    if (!readOnly) own.effect = repeat === undefined ? "failed" : "unknown";
    const value = await permission(call, (args) => {
      // A person may have changed them, and is held to the list like everybody.
      const approved = { ...toCommandRequest(args), timeoutMs, encoding };
      const answer = last.then(() => runChecked(approved, readOnly, signal, own, leave));
      last = answer.catch(() => {});
      return answer;
    }).catch((error: unknown) => {
      tellCommandDenied(run, request, error, leave);
      throw error;
    });
    return isOnlyPlanned(request) ? inEncoding(value, encoding) : value;
  }

  async function runChecked(
    request: CommandRequest,
    wasReadOnly: boolean,
    signal: AbortSignal,
    own: OwnCall,
    leave: Leave | undefined,
  ): Promise<unknown> {
    const { command, args, input, cwd, timeoutMs } = request;
    const { readOnly, needs } = check(request);
    if (wasReadOnly && !readOnly)
      throw refusal(`"${command}" can write with these arguments`, "It was asked for as one that only reads");
    if (signal.aborted) throw new KeyholeError("cancelled", `"${command}" was cancelled`);
    if (!readOnly) {
      await run.gate?.mayLeave(signal);
      await markWriting(own, request);
    }
    const folder = await context.folder();
    const most = rules.timeoutMs ?? DEFAULT_COMMAND_MS;
    const id = randomId("c");
    const started = tellCommandStarted(run, request, id, leave);
    if (started !== undefined) await started;
    const startMs = performance.now();
    const end = await sandbox
      .run(
        { command, args, needs, input, cwd },
        {
          folder: readOnly ? { ...folder, access: "read" } : folder,
          countedDirs: countedDirs(),
          onMeasured: context.onMeasured,
          timeMs: Math.min(timeoutMs ?? most, most),
          signal,
        },
      )
      .catch((error: unknown) => {
        tellCommandFailed(run, request, id, error, performance.now() - startMs);
        throw error;
      });
    // One that was stopped has done some part of it.
    if (!readOnly && end.stoppedBy === undefined) own.effect = "landed";
    const ended = tellCommandEnded(run, request, id, end, performance.now() - startMs);
    if (ended !== undefined) await ended;
    return takeAnswer(toCommandAnswer(end, request), own);
  }

  /** What a command prints comes from outside the program's world, as what a tool answers does. */
  async function takeAnswer(answer: object, { number }: OwnCall): Promise<unknown> {
    if (run.privacy === undefined) return answer;
    const found: FoundValues = new Map();
    const from = { session: session.id, server: OWN_SERVER, callId: `${run.id} ${number ?? ""}`, found };
    const taken = await run.privacy.takeResult(answer, from);
    run.trail?.found(found, "result", { server: OWN_SERVER, tool: "runCommand" });
    await run.privacy.commit();
    return taken;
  }

  /** From here on it may have changed files, whatever happens to us. An answer from the record would not change them again. */
  async function markWriting(own: OwnCall, request: CommandRequest): Promise<void> {
    const { durable } = run.gate ?? {};
    await durable?.obstacle("it ran a command that can write in ./workspace");
    own.effect = "unknown";
    const shown = toShownCommand(request);
    own.arguments = toArgumentsLine(run.toTold?.(shown) ?? shown);
    if (own.recorded !== undefined) await durable?.sent({ ...own.recorded, arguments: own.arguments });
  }

  return async (asked: unknown, signal: AbortSignal, own: OwnCall): Promise<unknown> => {
    const make = async () => {
      const request = toCommandRequest(asked);
      if (++count > MAX_COMMANDS)
        throw new KeyholeError(
          "too_large",
          `One program can run ${MAX_COMMANDS} commands: do more with each`,
        );
      return start(request, signal, own).catch((error: unknown) => {
        throw withHint(error);
      });
    };
    const isRecorded = recorder !== undefined && !isPlannedWrite(asked);
    return isRecorded
      ? recordOwn(recorder, { runId: run.id, tool: "runCommand", args: asked }, make)
      : make();
  };

  function isPlannedWrite(asked: unknown): boolean {
    try {
      return isOnlyPlanned(toCommandRequest(asked));
    } catch {
      return false;
    }
  }
}

/** What stands in for an answer is a text; where bytes are wanted, they are its bytes. */
function inEncoding(value: unknown, encoding: CommandRequest["encoding"]): unknown {
  if (encoding !== "buffer" || !isRecord(value)) return value;
  const { stdout, ...rest } = value;
  return { ...rest, stdoutBase64: Buffer.from(String(stdout)).toString("base64") };
}

function refusal(reason: string, hint: string): KeyholeError {
  return new KeyholeError("denied", toExcerpt(reason, 1_000), { hint: toExcerpt(hint, 1_000) });
}

/** A program is told one text. */
function withHint(error: unknown): KeyholeError {
  const { code, message, hint } = toKeyholeError(error);
  return new KeyholeError(code, hint === undefined ? message : `${message}. ${hint}`, {
    server: "keyhole",
    tool: "runCommand",
    cause: error,
  });
}
