import { errorMessage, KeyholeError } from "../errors.ts";
import { createCallQueue } from "./call-queue.ts";
import { toGuestModules } from "./guest-code.ts";
import type { GuestProcess } from "./guest-process.ts";
import { readCall, readDone, readLogLevel, type Verdict } from "./guest-words.ts";
import { parseHostileJson } from "./hostile-json.ts";
import { type Limits, limitError } from "./limits.ts";
import { encodeFrame, FRAME, type Frame } from "./protocol.ts";
import type { Folder, Host, Program, RunError } from "./sandbox.ts";

/** So much waits for one side to read it before the other side is slowed down. */
const BACKLOG_BYTES = 64 * 1024 * 1024;

export type Conversation = {
  /** Has the program run. */
  start(program: Program, folders: readonly Folder[]): void;
  /** Acts on a frame of the program. What it returns ends the run: the frame was the last one, or a wrong one. */
  receive(frame: Frame): Verdict | undefined;
  readonly counts: { readonly calls: number; readonly outputBytes: number };
  /** Nothing is sent any more, and the calls under way are told so. */
  end(): void;
};

export function createConversation(guest: GuestProcess, host: Host, limits: Limits): Conversation {
  const cancel = new AbortController();
  const openIds = new Set<number>();
  const queue = createCallQueue(
    limits.callsInFlightPerServer,
    () => guest.input.writableLength + outgoingBytes < BACKLOG_BYTES,
  );
  const counts = { calls: 0, outputBytes: 0 };
  let outgoing: Buffer[] = [];
  let outgoingBytes = 0;
  let waitingBytes = 0;
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
    if (id === 0 || openIds.has(id)) return broken("a call with a wrong id");
    if (++counts.calls > limits.calls) return failed(limitError("calls", limits.calls, counts.calls));
    const call = readCall(payload);
    if (!call) return broken("a call that cannot be read");
    openIds.add(id);
    waitingBytes += payload.length;
    if (waitingBytes > BACKLOG_BYTES) guest.output.pause();
    queue.add(call.server, async () => {
      waitingBytes -= payload.length;
      if (waitingBytes <= BACKLOG_BYTES && guest.output.isPaused()) guest.output.resume();
      if (!hasEnded) await answer(id, call);
      openIds.delete(id);
    });
    return undefined;
  }

  async function answer(id: number, { server, tool, args }: { server: string; tool: string; args: unknown }) {
    try {
      const result = await host.callTool(server, tool, args, cancel.signal);
      if (result instanceof Uint8Array) send(FRAME.resultBytes, id, result);
      else send(FRAME.result, id, JSON.stringify(result) ?? "");
    } catch (error) {
      const code = error instanceof KeyholeError ? error.code : undefined;
      send(FRAME.failure, id, JSON.stringify({ message: errorMessage(error), code }));
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
    start({ servers, hostFolders = [], modules = [], code }, folders) {
      const wanted = modules.length === 0 ? {} : { wanted: toGuestModules(modules) };
      send(FRAME.start, 0, JSON.stringify({ servers, folders, hostFolders, ...wanted, code }));
    },
    receive({ type, id, payload }) {
      if (type === FRAME.call) return onCall(id, payload);
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
      cancel.abort();
    },
  };
}

/** What keeping one costs beside its text: an endless stream of empty ones must come to an end as well. */
const FRAME_COST: { readonly [type: number]: number } = { [FRAME.log]: 256, [FRAME.emit]: 16 * 1024 };

export function failed(error: RunError): Verdict {
  return { ok: false, error };
}

export function broken(what: string): Verdict {
  return failed({ kind: "protocol", message: `The program's process broke the protocol: ${what}` });
}
