import { DEFAULT_COMMAND_MS } from "../../../config/commands/limits.ts";
import { KeyholeError, toKeyholeError } from "../../../errors.ts";
import type { CommandRules } from "../../../policy/commands/command-rules.ts";
import type { Folder, SandboxCommands } from "../../../sandbox/sandbox.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import type { Call } from "../../call/call.ts";
import { toCommandAnswer } from "./command-answer.ts";
import type { CommandPermission } from "./command-permission.ts";
import { type CommandRequest, toCommandRequest } from "./command-request.ts";

const MAX_COMMANDS = 500;

export type RunCommandContext = Pick<Call, "run" | "session"> & {
  readonly rules: CommandRules;
  readonly permission: CommandPermission;
  readonly sandbox: SandboxCommands;
  readonly countedDirs: readonly string[];
  folder(): Promise<Folder>;
};

/** `runCommand` of one program: one at a time, so many in all. */
export function createRunCommand(context: RunCommandContext) {
  const { rules, permission, sandbox, countedDirs, run, session } = context;
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;

  function check({ command, args }: CommandRequest) {
    const verdict = rules.check(command, args);
    if (!verdict.ok) throw refusal(verdict.reason, verdict.hint);
    return verdict;
  }

  async function start(request: CommandRequest, signal: AbortSignal): Promise<unknown> {
    const { readOnly } = check(request);
    const missing = sandbox.missing();
    if (missing !== undefined)
      throw new KeyholeError("denied", `"${request.command}" is not run: ${missing}`);
    const { timeoutMs, encoding } = request;
    return permission({ run, session, signal, request, readOnly }, (args) => {
      // A person may have changed them, and is held to the list like everybody.
      const approved = { ...toCommandRequest(args), timeoutMs, encoding };
      const answer = last.then(() => runChecked(approved, signal));
      last = answer.catch(() => {});
      return answer;
    });
  }

  async function runChecked(request: CommandRequest, signal: AbortSignal): Promise<unknown> {
    const { command, args, input, cwd, timeoutMs } = request;
    const { readOnly, needs } = check(request);
    if (signal.aborted) throw new KeyholeError("cancelled", `"${command}" was cancelled`);
    // What it changes in the workspace is not changed again by an answer from the record.
    if (!readOnly) await run.gate?.durable?.obstacle("it ran a command that can write in ./workspace");
    const folder = await context.folder();
    const most = rules.timeoutMs ?? DEFAULT_COMMAND_MS;
    const end = await sandbox.run(
      { command, args, needs, input, cwd },
      {
        folder: readOnly ? { ...folder, access: "read" } : folder,
        countedDirs,
        timeMs: Math.min(timeoutMs ?? most, most),
        signal,
      },
    );
    return toCommandAnswer(end, request);
  }

  return (asked: unknown, signal: AbortSignal): Promise<unknown> => {
    const request = toCommandRequest(asked);
    if (++count > MAX_COMMANDS)
      throw new KeyholeError("too_large", `One program can run ${MAX_COMMANDS} commands: do more with each`);
    return start(request, signal).catch((error: unknown) => {
      throw withHint(error);
    });
  };
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
