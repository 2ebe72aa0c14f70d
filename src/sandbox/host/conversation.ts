import { depthFailure, type Limits, limitError, memoryFailure } from "../limits.ts";
import type { MachineProcess } from "../machine/machine.ts";
import type { Folder, Host, Program } from "../sandbox.ts";
import { createGuestCalls } from "./guest-calls.ts";
import { createGuestStreams } from "./guest-streams.ts";
import {
  broken,
  failed,
  readBlock,
  readDone,
  readHappenings,
  readLogLevel,
  type Verdict,
} from "./guest-words.ts";
import { weighJson } from "./json-weight.ts";
import type { Account } from "./ledger.ts";
import { createOutgoingFrames } from "./outgoing.ts";
import { FRAME, type Frame } from "./protocol.ts";
import { createPulse, type Pulse } from "./pulse.ts";
import { toStartFrame } from "./start-frame.ts";
import type { Turn } from "./turns.ts";

/** So much waits for the program to read it before no more of its calls are made. */
const UNREAD_BYTES = 16 * 1024 * 1024;
/** Below this, a frame that is not yet whole is not worth counting. */
const SMALL_BYTES = 64 * 1024;

export type Conversation = {
  /** Has the program run. */
  start(program: Program, folders: readonly Folder[]): void;
  /** Acts on a frame of the program. What it returns ends the run: the frame was the last one, or a wrong one. */
  receive(frame: Frame): Verdict | undefined;
  /** So much of the program's has arrived and is no whole frame yet. What it returns ends the run. */
  noteUnread(bytes: number): Verdict | undefined;
  /** Starts one of the calls that wait, and says whether it did. */
  startNextCall(): boolean;
  /** No more should be read of the program until some of its calls were started. */
  isFull(): boolean;
  readonly counts: { readonly calls: number; readonly outputBytes: number };
  readonly pulse: Pulse;
  /** Nothing is sent any more, and the calls under way are told so. */
  end(): void;
};

export type ConversationOptions = {
  readonly guest: MachineProcess;
  readonly host: Host;
  readonly limits: Limits;
  readonly account: Account;
  readonly turn: Turn;
  readonly facts?: Program["facts"];
  /** Told when the first call opens, and when none is open any more. */
  onWaiting(isWaiting: boolean): void;
  onBroken(verdict: Verdict): void;
};

export function createConversation(options: ConversationOptions): Conversation {
  const { guest, host, limits, account, turn } = options;
  const outgoing = createOutgoingFrames(guest.input);
  const { send } = outgoing;
  const pulse = createPulse(() => send(FRAME.ping, 0, ""));
  const calls = createGuestCalls({
    ...options,
    send,
    canAnswer: () => outgoing.waitingBytes < UNREAD_BYTES,
  });
  const streams = createGuestStreams(host.connect, send);
  let outputBytes = 0;
  let unreadBytes = 0;
  guest.input.on("drain", turn.request);

  function onLog(level: number, payload: Buffer): Verdict | undefined {
    const name = readLogLevel(level);
    if (name === undefined) return broken(`a log of level ${level}`);
    if (!account.take(payload.length)) return overMemory("What the program printed", payload.length);
    host.onLog?.(name, payload.toString("utf8"));
    return undefined;
  }

  function onEmit(payload: Buffer): Verdict | undefined {
    const refusal = refuseValues(payload, "An emitted block");
    if (refusal) return refusal;
    const block = readBlock(payload);
    if (!block) return broken("a block that cannot be read");
    host.onEmit?.(block.value);
    return undefined;
  }

  function onHappened(payload: Buffer): Verdict | undefined {
    const refusal = refuseValues(payload, "What happened to the program");
    if (refusal) return refusal;
    const happenings = readHappenings(payload);
    if (!happenings) return broken("happenings that cannot be read");
    host.onHappened?.(happenings);
    return undefined;
  }

  function onDone(payload: Buffer): Verdict {
    const refusal = refuseValues(payload, "The result");
    return refusal ?? readDone(payload) ?? broken("a result that cannot be read");
  }

  /** What is kept until the run's end must have its place beside what is kept of all other runs. */
  function refuseValues(payload: Buffer, what: string): Verdict | undefined {
    const { heldBytes, isTooDeep } = weighJson(payload);
    if (isTooDeep) return failed({ kind: "output", ...depthFailure(what) });
    return account.take(heldBytes) ? undefined : overMemory(what, heldBytes);
  }

  function overMemory(what: string, bytes: number): Verdict {
    const allowed = account.isOver(bytes) ? limits.heldBytes : undefined;
    return failed({ kind: "output", ...memoryFailure(what, bytes, allowed) });
  }

  function noteUnread(bytes: number): Verdict | undefined {
    const counted = bytes > SMALL_BYTES ? bytes : 0;
    const more = counted - unreadBytes;
    if (more === 0) return undefined;
    unreadBytes = counted;
    if (more < 0) account.give(-more);
    else if (!account.take(more)) {
      account.force(more);
      return failed({ kind: "frame", ...memoryFailure("One message", bytes, undefined) });
    }
    return undefined;
  }

  return {
    get counts() {
      return { calls: calls.count, outputBytes };
    },
    pulse,
    start(program, folders) {
      send(FRAME.start, 0, toStartFrame(program, folders));
    },
    receive({ type, id, payload }) {
      if (type === FRAME.call || type === FRAME.ownCall) return calls.receive(type, id, payload);
      if (type === FRAME.cancel) return calls.cancel(id);
      if (streams.isOf(type)) return streams.receive(type, id, payload);
      if (type === FRAME.pong) return pulse.answered() ? undefined : broken("an answer to nothing");
      outputBytes += payload.length + (FRAME_COST[type] ?? 0);
      if (outputBytes > limits.outputBytes) {
        return failed(limitError("output", limits.outputBytes, outputBytes));
      }
      if (type === FRAME.log) return onLog(id, payload);
      if (type === FRAME.emit) return onEmit(payload);
      if (type === FRAME.happened) return onHappened(payload);
      if (type === FRAME.done) return onDone(payload);
      return broken(`an unknown frame of type ${type}`);
    },
    noteUnread,
    startNextCall: calls.startNext,
    isFull: calls.isFull,
    end() {
      outgoing.end();
      calls.end();
      streams.end();
    },
  };
}

/** What keeping one costs beside its text: an endless stream of empty ones must come to an end as well. */
const FRAME_COST: { readonly [type: number]: number } = { [FRAME.log]: 256, [FRAME.emit]: 16 * 1024 };
