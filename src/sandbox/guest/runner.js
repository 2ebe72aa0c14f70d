// Runs inside the sandbox, before and around the program. It takes what it needs from Deno, removes the rest, and talks
// to the host in frames over stdin and stdout. Whatever a program manages to do to it hurts that program alone: the
// process serves one run, and the host takes every frame for hostile.

import { takeLoaders } from "./built-in-loaders.js";
import { createConsole } from "./console.js";
import { createFailures, ToolError } from "./failures.js";
import { createFrameWriter, readFrames } from "./frames.js";
import { defineGlobals, removeGlobals, teachJson } from "./globals.js";
import { createModuleLoader, exitError, toNodeGlobals } from "./load-modules.js";
import { guardStacks } from "./stacks.js";

const READY = 1;
const CALL = 2;
const LOG = 3;
const EMIT = 4;
const DONE = 5;
const START = 16;
const RESULT = 17;
const RESULT_BYTES = 18;
const FAILURE = 19;

/** `KEYHOLE` of ../sandbox.ts: who is asked for what no server of the user's has. */
const KEYHOLE = "";

const LEVELS = ["debug", "info", "warn", "error"];
const SOURCE_URL = "keyhole:program";
/** What `AsyncFunction` writes before a body: `async function anonymous(` and `) {`. */
const LINES_BEFORE = 2;

const MAX_PLACED_CALLS = 64;

/** Left alone once on purpose: the first report of a rejection is slow. */
const WARMING = Symbol("warming");

const deno = Deno;
const { stdin, stdout, exit, inspect } = deno;
const { parse, stringify } = JSON;
const hasTime = deno.args.includes("wait");
const turns = new MessageChannel();
const AsyncFunction = /** @type {new (body: string) => () => Promise<unknown>} */ (
  (async () => {}).constructor
);
const decoder = new TextDecoder();
const frames = createFrameWriter((bytes) => stdout.writeSync(bytes));
const failures = createFailures(inspect, SOURCE_URL, LINES_BEFORE);
const loader = createModuleLoader(takeLoaders());

/** @type {Map<number, { server: string, tool: string, site: Error | undefined, resolve(value: unknown): void, reject(error: unknown): void }>} */
const openCalls = new Map();
let lastId = 0;
/** Called when the last open call has been answered. */
let onIdle = () => {};
let isDone = false;
/** Logs what `process.stdout` still holds. */
let flushOutput = () => {};
/** What `process.exitCode` was set to. */
let exitCode = () => 0;

/**
 * @param {string} server
 * @param {string} tool
 * @param {unknown} [args]
 */
function callTool(server, tool, args = {}) {
  return new Promise((resolve, reject) => {
    const text = stringify(args);
    if (text === undefined) throw new TypeError(`Cannot pass a ${typeof args} to "${tool}" of "${server}"`);
    const id = ++lastId;
    // The answer comes on a stack of its own: where the call stands is known only now. In a burst it would double the
    // cost of a call, so there only the first ones have a place.
    const site = openCalls.size < MAX_PLACED_CALLS ? new Error() : undefined;
    openCalls.set(id, { server, tool, site, resolve, reject });
    frames.send(CALL, id, `[${stringify(server)},${stringify(tool)},${text}]`);
  });
}

/** @param {string} server */
function createServer(server) {
  /** @type {Map<string, (args: unknown) => Promise<unknown>>} */
  const tools = new Map();
  return new Proxy(Object.create(null), {
    get(_target, tool) {
      // A promise's `then` must not be found, or `await github` would call a tool.
      if (typeof tool !== "string" || tool === "then" || tool === "toJSON") return undefined;
      const known = tools.get(tool);
      if (known) return known;
      const call = /** @param {unknown} args */ (args) => callTool(server, tool, args);
      tools.set(tool, call);
      return call;
    },
    set: () => false,
  });
}

/**
 * `github__create_issue`: the known server with the longest name that fits, else what stands before the first `__`.
 * @param {readonly string[]} servers
 * @param {string} name
 * @param {unknown} args
 */
function callByName(servers, name, args) {
  const text = String(name);
  const known = servers
    .filter((server) => text.startsWith(`${server}__`))
    .sort((a, b) => b.length - a.length)[0];
  const cut = known?.length ?? text.indexOf("__");
  if (cut < 1) return Promise.reject(new TypeError(`Cannot call "${text}": expected "server__tool"`));
  return callTool(text.slice(0, cut), text.slice(cut + 2), args);
}

/** @typedef {{ servers: string[], folders: import("./node/places.js").Folder[], hostFolders: string[], wanted?: import("./load-modules.js").Wanted, code: string }} Start */

/** @param {Start} start */
function start(start) {
  const loading = loader.load(start.wanted, {
    deno,
    folders: start.folders,
    hostFolders: start.hostFolders,
    askHost: (folder, path, recursive) => callTool(KEYHOLE, "readFolder", { folder, path, recursive }),
    log: (level, text) => frames.send(LOG, LEVELS.indexOf(level), text),
    onOutput(flush, code) {
      flushOutput = flush;
      exitCode = code;
    },
    exit: endProgram,
  });
  if (loading instanceof Promise) loading.then((modules) => enter(start, modules), fail);
  else enter(start, loading);
}

/**
 * @param {Start} start
 * @param {import("./load-modules.js").Modules} modules
 */
function enter({ servers, code }, modules) {
  const worlds = Object.fromEntries(servers.map((server) => [server, createServer(server)]));
  const own = {
    console: createConsole(inspect, (level, text) => {
      flushOutput();
      frames.send(LOG, LEVELS.indexOf(level), text);
    }),
    callMCPTool: /** @type {(name: string, args?: unknown) => Promise<unknown>} */ (
      (name, args) => callByName(servers, name, args)
    ),
    searchTools:
      /** @type {(query?: string, detail?: string | object, limit?: number) => Promise<unknown>} */ (
        (query, detail, limit) =>
          callTool(KEYHOLE, "searchTools", {
            query,
            limit,
            ...(typeof detail === "object" ? detail : { detail }),
          })
      ),
    emit: /** @type {(block: unknown) => void} */ (
      (block) =>
        frames.send(
          EMIT,
          0,
          stringify(typeof block === "string" ? { type: "text", text: block } : block) ?? "null",
        )
    ),
    ToolError,
    __keyhole: Object.freeze({
      modules,
      servers: Object.freeze(worlds),
      callTool,
      ToolError,
      /** @param {string} name */
      importSkill: (name) =>
        Promise.reject(new Error(`There is no skill "${name}": this version has no skills`)),
    }),
  };
  // Deno loads its timers when they are first looked at, which takes nine milliseconds.
  /** @type {(callback: () => void, ...values: []) => number} */
  const setImmediate = (callback, ...values) => globalThis.setTimeout(callback, 0, ...values);
  /** @type {(id: number) => void} */
  const clearImmediate = (id) => globalThis.clearTimeout(id);
  const fetch = (/** @type {unknown} */ target) =>
    Promise.reject(
      new TypeError(
        `Cannot fetch "${target instanceof Request ? target.url : target}": programs have no network; call a tool of a server instead`,
      ),
    );
  // The program's own names go last: a server can hide `fetch` or `crypto`, never `console` or `emit`.
  defineGlobals({ fetch, setImmediate, clearImmediate, ...toNodeGlobals(modules), ...worlds, ...own });
  void run(code);
}

/** @param {string} code */
async function run(code) {
  try {
    const program = new AsyncFunction(`${code}\n//# sourceURL=${SOURCE_URL}`);
    const value = await withPromises(await program());
    await settled();
    succeed(value);
  } catch (error) {
    fail(error);
  }
}

/**
 * `return names.map(async …)`: the promises in an array or an object are meant to be awaited, and JSON would lose them.
 * @param {unknown} value
 */
async function withPromises(value) {
  const isPromise = (/** @type {unknown} */ item) => item instanceof Promise;
  if (Array.isArray(value)) return value.some(isPromise) ? Promise.all(value) : value;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  if (!Object.values(value).some(isPromise)) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await item]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Calls that nobody awaits are still the program's; a rejection that nobody handles is known one turn later. */
async function settled() {
  do {
    if (openCalls.size > 0) {
      await new Promise((resolve) => {
        onIdle = () => resolve(undefined);
      });
    }
    // Deno reports a rejection soon, but not at a sure moment: one left alone in the last moment can go unseen.
    for (let turn = 0; turn < 4; turn++) await nextTurn();
  } while (openCalls.size > 0);
}

/** A timer takes two milliseconds for it, and `setImmediate` has Deno load its Node layer, which takes twenty. */
function nextTurn() {
  return new Promise((resolve) => {
    turns.port1.onmessage = resolve;
    turns.port2.postMessage(0);
  });
}

/**
 * `process.exit`: what was logged and called stays, and nothing runs after it.
 * @param {number} code
 * @returns {never}
 */
function endProgram(code) {
  exitCode = () => code;
  succeed(undefined);
  return exit(0);
}

/** @param {unknown} value */
function succeed(value) {
  const code = exitCode();
  if (code !== 0) return done(stringify({ ok: false, error: failures.describe(exitError(code)) }));
  const text = stringify(value);
  done(text === undefined ? '{"ok":true}' : `{"ok":true,"value":${text}}`);
}

/** @param {unknown} thrown */
function fail(thrown) {
  done(stringify({ ok: false, error: failures.describe(thrown) }));
}

/** @param {string} outcome */
function done(outcome) {
  if (isDone) return;
  flushOutput();
  isDone = true;
  frames.send(DONE, 0, outcome);
  frames.flush();
}

/**
 * @param {number} type
 * @param {number} id
 * @param {Uint8Array} payload
 */
function onFrame(type, id, payload) {
  if (type === START) return start(parse(decoder.decode(payload)));
  const call = openCalls.get(id);
  if (!call) return;
  openCalls.delete(id);
  answer(call, type, payload);
  if (openCalls.size === 0) onIdle();
}

/**
 * @param {{ server: string, tool: string, site: Error | undefined, resolve(value: unknown): void, reject(error: unknown): void }} call
 * @param {number} type
 * @param {Uint8Array} payload
 */
function answer(call, type, payload) {
  if (type === RESULT_BYTES) return call.resolve(payload.slice());
  const text = decoder.decode(payload);
  if (type === RESULT) return call.resolve(text === "" ? undefined : parse(text));
  if (type !== FAILURE) return;
  const { message, code } = parse(text);
  call.reject(failures.placeAt(new ToolError(call.server, call.tool, message, code), call.site));
}

/** Has loaded and compiled what most programs need, in a process that waits for its program anyway. */
function warmUp() {
  void nextTurn();
  void Promise.reject(WARMING);
  void globalThis.setTimeout;
  void deno.readFile;
  inspect({ a: ["text", 1] }, {});
  loader.preloadLater();
  void new AsyncFunction("return 1")();
}

/**
 * @param {Event} event
 * @param {unknown} thrown
 */
function onLateError(event, thrown) {
  event.preventDefault();
  if (thrown !== WARMING) fail(thrown);
}

globalThis.addEventListener("error", (event) => onLateError(event, event.error));
globalThis.addEventListener("unhandledrejection", (event) => onLateError(event, event.reason));
guardStacks(failures.prepareStackTrace, SOURCE_URL, LINES_BEFORE);
teachJson();
loader.restoreBy(removeGlobals());
frames.send(READY, 0, "");
readFrames((buffer) => stdin.read(buffer), onFrame).finally(() => exit(0));
if (hasTime) warmUp();
