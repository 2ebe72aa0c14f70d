import { setMaxListeners } from "node:events";
import { KeyholeError } from "../../errors.ts";
import { UnparsedJson } from "../../text/unparsed-json.ts";
import { WithFacts } from "../../text/with-facts.ts";
import { depthFailure, type Failure, type Limits, limitError, memoryFailure } from "../limits.ts";
import type { Host, Program } from "../sandbox.ts";
import { toCallFailure } from "./call-failure.ts";
import { type CallRoom, type CallStart, createCallQueue } from "./call-queue.ts";
import { toFactLists } from "./fact-lists.ts";
import {
  broken,
  failed,
  type GuestCall,
  readCall,
  readOwnCall,
  type ToolNames,
  type Verdict,
} from "./guest-words.ts";
import { type JsonWeight, weighJson } from "./json-weight.ts";
import type { Account } from "./ledger.ts";
import { FRAME } from "./protocol.ts";
import { createQueueFinder } from "./queue-finder.ts";
import type { Turn } from "./turns.ts";

const MIB = 1024 * 1024;
/** What waits of one program's calls before no more is read of it. */
const WAITING_BYTES = 16 * MIB;
/** What keeping one that waits costs beside its bytes. */
const WAITING_COST = 512;
/** So much is parsed though all other programs together hold too much: who has nothing under way must get on. */
const ALWAYS_BYTES = 8 * MIB;

export type GuestCalls = {
  readonly count: number;
  /** @param type `FRAME.call`, or `FRAME.ownCall` for one of Keyhole's own tools */
  receive(type: number, id: number, payload: Buffer): Verdict | undefined;
  cancel(id: number): Verdict | undefined;
  /** Starts one of the calls that wait, and says whether it did. */
  startNext(): boolean;
  /** So much waits that no more should be read until some of it was started. */
  isFull(): boolean;
  end(): void;
};

export type GuestCallsOptions = {
  readonly host: Host;
  readonly limits: Limits;
  readonly account: Account;
  readonly turn: Turn;
  /** What the program was started with. */
  readonly facts?: Program["facts"];
  /** Whether the program has read enough of what it was answered. */
  canAnswer(): boolean;
  send(type: number, id: number, payload: string | Uint8Array): void;
  /** Told when the first call opens, and when none is open any more. */
  onWaiting(isWaiting: boolean): void;
  onBroken(verdict: Verdict): void;
};

type WaitingCall = {
  readonly type: number;
  readonly id: number;
  readonly payload: Buffer;
  /** Of one that waits in a server's queue: by which that was found. */
  readonly names: ToolNames | undefined;
  readonly costBytes: number;
  weight: JsonWeight | undefined;
};
type Open = AbortController | "waiting" | undefined;

/** The calls of one program. What waits for its turn waits as bytes: parsed, it takes up to twenty times as much. */
export function createGuestCalls(options: GuestCallsOptions): GuestCalls {
  const { host, limits, account, turn, send, onWaiting } = options;
  const run = new AbortController();
  const runSignal = run.signal;
  // Each call under way listens to it.
  setMaxListeners(0, runSignal);
  /** With a controller of its own for a call that can be cancelled: they cost as much as all the rest of a call. */
  const open = new Map<number, Open>();
  /** What a person approves once is one call, by its number: none has the number of an earlier one. */
  const used = new Set<number>();
  const queues = createQueueFinder(host, limits.callsInFlightPerServer);
  const queue = createCallQueue(start, startSoon);
  let count = 0;
  let cancelled = 0;
  let waitingBytes = 0;
  let running = 0;
  let hasEnded = false;
  let isStarting = false;

  /** Calls that end together make room together. */
  function startSoon(): void {
    if (isStarting) return;
    isStarting = true;
    queueMicrotask(() => {
      isStarting = false;
      turn.request();
    });
  }

  /** Whether it was open. */
  function close(id: number): boolean {
    if (!open.delete(id)) return false;
    if (open.size === 0) onWaiting(false);
    return true;
  }

  function start(call: WaitingCall, room: CallRoom): CallStart {
    const { id, payload, costBytes } = call;
    // As bytes it is held until it is held as values.
    account.give(costBytes);
    waitingBytes -= costBytes;
    if (hasEnded || !open.has(id)) return "skipped";
    call.weight ??= weighJson(payload);
    const { heldBytes, isTooDeep } = call.weight;
    const refusal = isTooDeep ? depthFailure("The arguments of a call") : toRefusal(heldBytes);
    if (refusal === undefined) return begin(call, heldBytes, room);
    if (refusal === "blocked") {
      account.force(costBytes);
      waitingBytes += costBytes;
      return refusal;
    }
    const { message, hint } = refusal;
    if (close(id)) send(FRAME.failure, id, JSON.stringify({ message: `${message}. ${hint}`, code: "limit" }));
    return "skipped";
  }

  /** Takes what the arguments need. Calls under way give theirs back in time; what others hold is not waited for. */
  function toRefusal(heldBytes: number): Failure | "blocked" | undefined {
    if (!options.canAnswer()) return "blocked";
    if (account.isOver(heldBytes))
      return memoryFailure("The arguments of a call", heldBytes, limits.heldBytes);
    if (account.take(heldBytes)) return undefined;
    if (running > 0) return "blocked";
    if (heldBytes > ALWAYS_BYTES) return memoryFailure("The arguments of a call", heldBytes, undefined);
    account.force(heldBytes);
    return undefined;
  }

  function begin(
    { type, id, payload, names }: WaitingCall,
    heldBytes: number,
    room: CallRoom,
  ): Promise<void> | "skipped" {
    const call = type === FRAME.call ? readCall(payload) : readOwnCall(payload);
    // One that is written otherwise than the finder expects would have waited in another queue than its server's.
    if (!call || call.server !== names?.server || (names && call.tool !== names.tool)) {
      options.onBroken(broken("a call that cannot be read"));
      return "skipped";
    }
    const own = call.isCancellable ? new AbortController() : undefined;
    open.set(id, own);
    running++;
    return answer(id, call, own?.signal ?? runSignal, heldBytes, room);
  }

  async function answer(
    id: number,
    call: GuestCall,
    signal: AbortSignal,
    heldBytes: number,
    room: CallRoom,
  ): Promise<void> {
    let startedAt: number | undefined;
    try {
      const made = await make(id, call, signal, room);
      startedAt = performance.now();
      const { value: result, facts } = made instanceof WithFacts ? made : { value: made, facts: [] };
      const isBytes = result instanceof Uint8Array;
      const payload = isBytes
        ? result
        : result instanceof UnparsedJson
          ? result.bytes
          : (JSON.stringify(result) ?? "");
      const lists = toFactLists(facts, options.facts);
      if (close(id)) {
        for (const list of lists) send(FRAME.facts, id, list);
        send(isBytes ? FRAME.resultBytes : FRAME.result, id, payload);
      }
    } catch (error) {
      startedAt ??= performance.now();
      if (close(id)) send(FRAME.failure, id, JSON.stringify(toCallFailure(error)));
    }
    running--;
    account.give(heldBytes);
    turn.charge(performance.now() - startedAt);
  }

  function make(
    number: number,
    { server, tool, args, timeoutMs }: GuestCall,
    signal: AbortSignal,
    { hold }: CallRoom,
  ): Promise<unknown> {
    const own =
      timeoutMs === undefined
        ? { number, hold }
        : { number, hold, timeoutMs: Math.min(timeoutMs, limits.runMs) };
    if (server !== undefined) return host.callTool(server, tool, args, signal, own);
    if (host.callOwn) return host.callOwn(tool, args, signal, own);
    throw new KeyholeError("tool_unknown", `There is no "${tool}" here`);
  }

  return {
    get count() {
      return count;
    },
    receive(type, id, payload) {
      if (id === 0 || used.has(id)) return broken("a call with a wrong id");
      used.add(id);
      if (++count > limits.calls) return failed(limitError("calls", limits.calls, count));
      const { queue: server, names } = type === FRAME.call ? queues.ofCall(payload) : queues.own;
      const mustWait = queue.isBusy(server);
      const costBytes = payload.length + WAITING_COST;
      open.set(id, "waiting");
      if (open.size === 1) onWaiting(true);
      waitingBytes += costBytes;
      account.force(costBytes);
      queue.add(server, {
        type,
        id,
        names,
        payload: mustWait ? detached(payload) : payload,
        costBytes,
        weight: undefined,
      });
      return undefined;
    },
    /** The program has its error already. A call it cancels may have been answered meanwhile. */
    cancel(id) {
      if (++cancelled > count) return broken("more calls cancelled than made");
      const own = open.get(id);
      if (own === undefined) return undefined;
      close(id);
      if (own !== "waiting") own.abort();
      return undefined;
    },
    startNext: queue.startNext,
    isFull: () => waitingBytes > WAITING_BYTES || (waitingBytes > 0 && !account.take(0)),
    end() {
      hasEnded = true;
      queue.end();
      run.abort();
      for (const own of open.values()) if (own instanceof AbortController) own.abort();
    },
  };
}

/** A copy, where the bytes would keep a much larger chunk from being freed. */
function detached(payload: Buffer): Buffer {
  return payload.length * 2 > payload.buffer.byteLength ? payload : Buffer.from(payload);
}
