import { ToolError } from "./failures.js";
import { FRAME } from "./frames.js";
import { explainDepth } from "./nesting.js";

const {
  call: CALL,
  ownCall: OWN_CALL,
  cancel: CANCEL,
  result: RESULT,
  resultBytes: RESULT_BYTES,
  failure: FAILURE,
} = FRAME;

/** In a burst a place for each would double the cost of a call: only the first ones have one. */
const MAX_PLACED_CALLS = 64;
/** Who fails, where it is no server. */
const KEYHOLE = "keyhole";
/** Of names; the host takes no more. */
const MAX_NAME = 512;

/** @typedef {{ server: string, tool: string, site: Error | undefined, release(): void, resolve(value: unknown): void, reject(error: unknown): void }} OpenCall */
/** @typedef {{ timeoutMs: number | undefined, signal: AbortSignal | undefined }} CallOptions */

/**
 * The calls under way. Each leaves as a frame and is settled by the frame that answers it.
 * @param {{ send(type: number, id: number, text: string): void }} frames
 * @param {{ placeAt(error: Error, site: Error | undefined): Error }} failures
 * @param {object} told
 * @param {(hasOpen: boolean) => void} told.onChange called when the first one opens, and when the last one is closed
 * @param {() => void} told.beforeCall
 */
export function createCalls(frames, failures, { onChange, beforeCall }) {
  const { parse, stringify } = JSON;
  const decoder = new TextDecoder();
  /** @type {Map<number, OpenCall>} */
  const open = new Map();
  const soon = queueMicrotask;
  /** @type {number[]} */
  let cancelledIds = [];
  let lastId = 0;

  /**
   * @param {string} server
   * @param {string} tool
   * @param {unknown} [args]
   * @param {unknown} [options]
   */
  function callTool(server, tool, args = {}, options) {
    return make(CALL, server, tool, args, options);
  }

  /**
   * What Keyhole does itself, no server.
   * @param {string} tool
   * @param {unknown} args
   * @param {unknown} [options]
   */
  function callOwn(tool, args, options) {
    return make(OWN_CALL, KEYHOLE, tool, args, options);
  }

  /**
   * @param {number} type
   * @param {string} server
   * @param {string} tool
   * @param {unknown} args
   * @param {unknown} options
   * @returns {Promise<unknown>}
   */
  function make(type, server, tool, args, options) {
    return new Promise((resolve, reject) => {
      const text = toText(args);
      if (text === undefined) throw new TypeError(`Cannot pass a ${typeof args} to "${tool}" of "${server}"`);
      const { timeoutMs, signal } = readOptions(options, tool);
      // The answer comes on a stack of its own: where the call stands is known only now.
      const site = open.size < MAX_PLACED_CALLS ? new Error() : undefined;
      const call = { server, tool, site, release: nothing, resolve, reject };
      if (signal?.aborted) return reject(cancelled(call, signal));
      if (!isName(server) || !isName(tool)) return reject(noSuchName(call));
      const id = ++lastId;
      open.set(id, call);
      if (open.size === 1) onChange(true);
      if (signal) call.release = onAbort(signal, () => cancel(id, signal));
      const limit = timeoutMs !== undefined ? `,${timeoutMs}` : signal ? ",null" : "";
      const names = type === CALL ? `${stringify(server)},${stringify(tool)}` : stringify(tool);
      beforeCall();
      frames.send(type, id, `[${names},${text}${limit}]`);
    });
  }

  /** @param {unknown} args */
  function toText(args) {
    try {
      return stringify(args);
    } catch (error) {
      throw explainDepth(error, args, "The arguments of a call");
    }
  }

  /**
   * The program knows at once; the host, and through it the server, a moment later.
   * @param {number} id
   * @param {AbortSignal} signal
   */
  function cancel(id, signal) {
    const call = close(id);
    if (!call) return;
    if (cancelledIds.push(id) === 1) soon(sendCancelled);
    call.reject(cancelled(call, signal));
  }

  /** The last first: a call that waits for its turn must not start because one before it has ended. */
  function sendCancelled() {
    for (const id of cancelledIds.reverse()) frames.send(CANCEL, id, "");
    cancelledIds = [];
  }

  /**
   * @param {OpenCall} call
   * @param {AbortSignal} signal
   */
  function cancelled(call, signal) {
    const message = `The program cancelled its call of "${call.tool}" of "${call.server}"`;
    const error = new ToolError(call.server, call.tool, message, "cancelled");
    error.cause = signal.reason;
    return failures.placeAt(error, call.site);
  }

  /** @param {OpenCall} call */
  function noSuchName({ server, tool, site }) {
    const { length } = isName(server) ? tool : server;
    const message = `There is no server and no tool with a name of ${length} characters: 1 to ${MAX_NAME} are allowed`;
    const error = new ToolError(server.slice(0, 100), tool.slice(0, 100), message, "tool_unknown");
    return failures.placeAt(error, site);
  }

  /** @param {number} id */
  function close(id) {
    const call = open.get(id);
    if (!call) return undefined;
    open.delete(id);
    call.release();
    if (open.size === 0) onChange(false);
    return call;
  }

  /**
   * @param {number} type
   * @param {number} id
   * @param {Uint8Array} payload
   */
  function receive(type, id, payload) {
    const call = close(id);
    // Cancelled meanwhile.
    if (!call) return;
    if (type === RESULT_BYTES) return call.resolve(payload.slice());
    const text = decoder.decode(payload);
    if (type === RESULT) return call.resolve(text === "" ? undefined : parse(text));
    if (type !== FAILURE) return;
    const { message, code } = parse(text);
    call.reject(failures.placeAt(new ToolError(call.server, call.tool, message, code), call.site));
  }

  return { callTool, callOwn, receive };
}

/**
 * Anything else than an object is no options: `ids.map(github.getIssue)` hands on an index.
 * @param {unknown} options
 * @param {string} tool
 * @returns {CallOptions}
 */
function readOptions(options, tool) {
  if (typeof options !== "object" || options === null || Array.isArray(options)) return NO_OPTIONS;
  const { timeoutMs, signal } = /** @type {{ timeoutMs?: unknown, signal?: unknown }} */ (options);
  if (timeoutMs !== undefined && (typeof timeoutMs !== "number" || !(timeoutMs > 0)))
    throw new TypeError(
      `Cannot call "${tool}" with timeoutMs ${String(timeoutMs)}: expected milliseconds, more than 0`,
    );
  if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal))
    throw new TypeError(
      `Cannot call "${tool}" with a signal that is no AbortSignal: use new AbortController().signal`,
    );
  // The host bounds it; JSON has no word for Infinity.
  const limit = timeoutMs === undefined ? undefined : Math.ceil(Math.min(timeoutMs, 2 ** 31 - 1));
  return { timeoutMs: limit, signal: signal ?? undefined };
}

/** @param {string} name */
function isName(name) {
  return name.length > 0 && name.length <= MAX_NAME;
}

const nothing = () => {};

/** @type {CallOptions} */
const NO_OPTIONS = { timeoutMs: undefined, signal: undefined };

/**
 * A listener that is taken away again: one that stays would keep the timer of `AbortSignal.timeout` going.
 * @param {AbortSignal} signal
 * @param {() => void} act
 */
function onAbort(signal, act) {
  signal.addEventListener("abort", act);
  return () => signal.removeEventListener("abort", act);
}
