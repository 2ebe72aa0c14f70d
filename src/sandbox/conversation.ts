import { UnparsedJson } from "../unparsed-json.ts";
import { toCallFailure } from "./call-failure.ts";
import { createCallQueue } from "./call-queue.ts";
import { toGuestModules } from "./guest-code.ts";
import type { GuestProcess } from "./guest-process.ts";
import { type GuestCall, readCall, readDone, readLogLevel, type Verdict } from "./guest-words.ts";
import { parseHostileJson } from "./hostile-json.ts";
import { type Limits, limitError } from "./limits.ts";
import { encodeFrame, FRAME, type Frame } from "./protocol.ts";
import { createPulse, type Pulse } from "./pulse.ts";
import type { Folder, Host, Program, RunError } from "./sandbox.ts";

/** So much waits for one side to read it before the other side is slowed down. */
const BACKLOG_BYTES = 64 * 1024 * 1024;

export type Conversation = {
  /** Has the program run. */
  start(program: Program, folders: readonly Folder[]): void;
  /** Acts on a frame of the program. What it returns ends the run: the frame was the last one, or a wrong one. */
  receive(frame: Frame): Verdict | undefined;
  readonly counts: { readonly calls: number; readonly outputBytes: number };
  readonly pulse: Pulse;
  /** Nothing is sent any more, and the calls under way are told so. */
  end(): void;
};

/** @param onWaiting told when the first call opens, and when none is open any more */
export function createConversation(
  guest: GuestProcess,
  host: Host,
  limits: Limits,
  onWaiting: (isWaiting: boolean) => void,
): Conversation {
  const run = new AbortController();
  const runSignal = run.signal;
  /** With a controller of its own for a call that can be cancelled: they cost as much as all the rest of a call. */
  const open = new Map<number, AbortController | undefined>();
  const pulse = createPulse(() => send(FRAME.ping, 0, ""));
  const queue = createCallQueue(
    limits.callsInFlightPerServer,
    () => guest.input.writableLength + outgoingBytes < BACKLOG_BYTES,
  );
  const counts = { calls: 0, outputBytes: 0 };
  let outgoing: Buffer[] = [];
  let outgoingBytes = 0;
  let waitingBytes = 0;
  let cancelled = 0;
  let hasEnded = false;
  guest.input.on("drain", () => queue.wake());

  function send(type: number, id: number, payload: string | Uint8Array): void {
    if (hasEnded) return;
    const frame = encodeFrame(type, id, payload);
    outgoingBytes += frame.length;
    // Answers of one turn leave in one write.
    if (outgoing.push(frame) === 1) process.nextTick(flush);
  }

  function flush(): void {
    const [only] = outgoing;
    const bytes = outgoing.length === 1 && only ? only : Buffer.concat(outgoing, outgoingBytes);
    outgoing = [];
    outgoingBytes = 0;
    if (!hasEnded) guest.input.write(bytes);
  }

  function onCall(id: number, payload: Buffer): Verdict | undefined {
    if (id === 0 || open.has(id)) return broken("a call with a wrong id");
    if (++counts.calls > limits.calls) return failed(limitError("calls", limits.calls, counts.calls));
    const call = readCall(payload);
    if (!call) return broken("a call that cannot be read");
    const own = call.isCancellable ? new AbortController() : undefined;
    open.set(id, own);
    if (open.size === 1) onWaiting(true);
    waitingBytes += payload.length;
    if (waitingBytes > BACKLOG_BYTES) guest.output.pause();
    queue.add(call.server, async () => {
      waitingBytes -= payload.length;
      if (waitingBytes <= BACKLOG_BYTES && guest.output.isPaused()) guest.output.resume();
      if (!hasEnded && open.has(id)) await answer(id, call, own?.signal ?? runSignal);
    });
    return undefined;
  }

  /** The program has its error already. A call it cancels may have been answered meanwhile. */
  function onCancel(id: number): Verdict | undefined {
    if (++cancelled > counts.calls) return broken("more calls cancelled than made");
    const own = open.get(id);
    if (own) close(id);
    own?.abort();
    return undefined;
  }

  /** Whether it was open. */
  function close(id: number): boolean {
    if (!open.delete(id)) return false;
    if (open.size === 0) onWaiting(false);
    return true;
  }

  async function answer(id: number, { server, tool, args, timeoutMs }: GuestCall, signal: AbortSignal) {
    try {
      const options = timeoutMs === undefined ? NO_OPTIONS : { timeoutMs: Math.min(timeoutMs, limits.runMs) };
      const result = await host.callTool(server, tool, args, signal, options);
      const isBytes = result instanceof Uint8Array;
      const payload = isBytes
        ? result
        : result instanceof UnparsedJson
          ? result.bytes
          : (JSON.stringify(result) ?? "");
      if (close(id)) send(isBytes ? FRAME.resultBytes : FRAME.result, id, payload);
    } catch (error) {
      if (close(id)) send(FRAME.failure, id, JSON.stringify(toCallFailure(error)));
    }
  }

  function onLog(level: number, payload: Buffer): Verdict | undefined {
    const name = readLogLevel(level);
    if (name === undefined) return broken(`a log of level ${level}`);
    host.onLog?.(name, payload.toString("utf8"));
    return undefined;
  }

  function onEmit(payload: Buffer): Verdict | undefined {
    const block = parseHostileJson(payload);
    if (!block) return broken("a block that cannot be read");
    host.onEmit?.(block.value);
    return undefined;
  }

  return {
    counts,
    pulse,
    start({ servers, aliases = [], functions = [], hostFolders = [], modules = [], code }, folders) {
      const wanted = modules.length === 0 ? {} : { wanted: toGuestModules(modules) };
      send(
        FRAME.start,
        0,
        JSON.stringify({ servers, aliases, functions, folders, hostFolders, ...wanted, code }),
      );
    },
    receive({ type, id, payload }) {
      if (type === FRAME.call) return onCall(id, payload);
      if (type === FRAME.cancel) return onCancel(id);
      if (type === FRAME.pong) return pulse.answered() ? undefined : broken("an answer to nothing");
      counts.outputBytes += payload.length + (FRAME_COST[type] ?? 0);
      if (counts.outputBytes > limits.outputBytes) {
        return failed(limitError("output", limits.outputBytes, counts.outputBytes));
      }
      if (type === FRAME.log) return onLog(id, payload);
      if (type === FRAME.emit) return onEmit(payload);
      if (type === FRAME.done) return readDone(payload) ?? broken("a result that cannot be read");
      return broken(`an unknown frame of type ${type}`);
    },
    end() {
      hasEnded = true;
      run.abort();
      for (const own of open.values()) own?.abort();
    },
  };
}

const NO_OPTIONS = {};

/** What keeping one costs beside its text: an endless stream of empty ones must come to an end as well. */
const FRAME_COST: { readonly [type: number]: number } = { [FRAME.log]: 256, [FRAME.emit]: 16 * 1024 };

export function failed(error: RunError): Verdict {
  return { ok: false, error };
}

export function broken(what: string): Verdict {
  return failed({ kind: "protocol", message: `The program's process broke the protocol: ${what}` });
}
