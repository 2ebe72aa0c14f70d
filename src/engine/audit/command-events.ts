import type { Leave } from "../../audit/event.ts";
import { KeyholeError, toKeyholeError } from "../../errors.ts";
import type { CommandEnd } from "../../sandbox/sandbox.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { Call } from "../call/call.ts";
import type { CommandRequest } from "../own-tools/commands/command-request.ts";
import { noteCommand } from "./privacy-events.ts";
import { toMasked, toMs } from "./run-trail.ts";
import { toToldError } from "./told-failure.ts";
import { commitSoon } from "./trail.ts";

type Told = void | Promise<void>;
type Asked = Pick<CommandRequest, "command" | "args" | "cwd" | "input">;

/** Under which it is found beside the calls of servers. */
const OWN = { server: "keyhole", tool: "runCommand" } as const;
const LISTED: Leave = { decision: "allow", by: '"commands.allow"', approved: "auto" };
const OFF_LIST = "The command, with these arguments, is not on the list of those that may be run";
const NOT_LISTED: Leave = { decision: "deny", by: '"commands.allow"' };

/** On the disk before it is started; what it is made with is hashed. */
export function tellCommandStarted(run: Call["run"], request: Asked, id: string, leave = LISTED): Told {
  const { trail } = run;
  if (trail === undefined) return undefined;
  const details = { command: nameOf(request, run), input: trail.hashed(textOf(request)), leave };
  noteCommand(run, trail, details.command, toNoted(request));
  trail.add("command.started", details, { ...OWN, call: id, risk: "medium", outcome: "ok" });
  return trail.commit();
}

/** On the disk before its program hears of it; where that can't be, the run ends. */
export function tellCommandEnded(
  run: Call["run"],
  request: Asked,
  id: string,
  end: CommandEnd,
  ms: number,
): Told {
  const { trail } = run;
  if (trail === undefined) return undefined;
  const broken = (error: unknown): never => {
    const { message, hint } = toKeyholeError(error);
    const text = `"${nameOf(request, run)}" was run, but that can't be written down: ${message}`;
    const failure = new KeyholeError("store_unusable", text, hint === undefined ? {} : { hint });
    run.gate?.breakOff(failure);
    throw failure;
  };
  try {
    const { code, stdout, stderr, stoppedBy } = end;
    const output = trail.hashed(Buffer.concat([stdout.bytes, stderr.bytes]));
    const head = { ...OWN, call: id, risk: "medium", durationMs: toMs(ms) } as const;
    if (stoppedBy !== undefined)
      trail.add(
        "limit.hit",
        { limit: `command ${stoppedBy}`, message: "A command was stopped" },
        { ...head, outcome: "denied" },
      );
    const outcome = code === 0 ? "ok" : "failed";
    trail.add(
      "command.ended",
      { command: nameOf(request, run), exitCode: code, output },
      { ...head, outcome },
    );
    return trail.commit()?.catch(broken);
  } catch (error) {
    return broken(error);
  }
}

/** It could not be started, or was ended with its run: what it did until then is unknown. */
export function tellCommandFailed(
  run: Call["run"],
  request: Asked,
  id: string,
  thrown: unknown,
  ms: number,
): void {
  const { trail, privacy } = run;
  if (trail === undefined) return;
  const failure = toKeyholeError(thrown);
  try {
    trail.add(
      "command.ended",
      { command: nameOf(request, run), exitCode: null, output: trail.hashed("") },
      {
        ...OWN,
        call: id,
        risk: "medium",
        durationMs: toMs(ms),
        outcome: failure.code === "cancelled" ? "cancelled" : "failed",
        error: toToldError(failure, trail.contents, privacy),
      },
    );
    commitSoon(trail);
  } catch {
    // Whoever asked for it hears of the failure before it.
  }
}

/** One that was not started: by the list, by a rule, by a person. */
export function tellCommandDenied(
  run: Call["run"],
  request: Asked,
  error: unknown,
  leave = NOT_LISTED,
): void {
  const { trail, privacy } = run;
  const failure = toKeyholeError(error);
  if (trail === undefined || failure.code !== "denied") return;
  // What is not on the list is told with its arguments.
  const isKept = leave !== NOT_LISTED || trail.contents === "all";
  const reason = isKept ? toMasked(failure.message, privacy) : OFF_LIST;
  trail.add(
    "command.denied",
    { command: nameOf(request, run), input: trail.hashed(textOf(request)), leave },
    { ...OWN, risk: "medium", outcome: "denied", ...(reason !== undefined && { error: reason }) },
  );
  commitSoon(trail);
}

/** A program can name anything: what is there is on a list, and what is not may be data. */
function nameOf({ command }: Asked, { privacy }: Call["run"]): string {
  const name = toExcerpt(command, 100);
  return toMasked(name, privacy) ?? name;
}

function textOf({ command, args, cwd, input }: Asked): string {
  return JSON.stringify([command, args, cwd, Buffer.from(input).toString("base64")]);
}

/** What it is given, as text: what it reads may be none. */
function toNoted({ args, input }: Asked): string {
  return JSON.stringify([args, Buffer.from(input).toString()]);
}
