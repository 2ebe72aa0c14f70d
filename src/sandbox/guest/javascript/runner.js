// Runs inside the sandbox, before and around the program. It takes what it needs from Deno, removes the rest, and talks
// to the host in frames over stdin and stdout. Whatever a program manages to do to it hurts that program alone: the
// process serves one run, and the host takes every frame for hostile.

import { createAwaiting } from "./awaiting.js";
import { takeLoaders } from "./built-in-loaders.js";
import { createCalls } from "./calls.js";
import { joinChunks } from "./chunks.js";
import { createRunCommand } from "./commands.js";
import { createConsole } from "./console.js";
import { createEmit } from "./emit.js";
import { createFailures, ToolError, toLine } from "./failures.js";
import { createFrameWriter, FRAME, readFrames } from "./frames.js";
import { defineGlobals, guardPromises, keepGlobals, removeGlobals, teachJson } from "./globals.js";
import { watchIdle } from "./idle.js";
import { keepTokens } from "./keep-tokens.js";
import { createModuleLoader, exitError, toNodeGlobals } from "./load-modules.js";
import { teachInspect } from "./log-values.js";
import { createPii } from "./pii.js";
import { renewRandom } from "./renew.js";
import { toResultText } from "./result-text.js";
import { callByName, createServers } from "./servers.js";
import { createSkills } from "./skills.js";
import { guardStacks } from "./stacks.js";
import { createState } from "./state.js";

const {
  ready: READY,
  log: LOG,
  emit: EMIT,
  done: DONE,
  pong: PONG,
  happened: HAPPENED,
  start: START,
  ping: PING,
  facts: FACTS,
  renew: RENEW,
} = FRAME;

const STREAM_FRAMES = [FRAME.streamData, FRAME.streamEnd, FRAME.streamCredit, FRAME.streamClose];
const LEVELS = ["debug", "info", "warn", "error"];
const SOURCE_URL = "keyhole:program";
/** What `AsyncFunction` writes before a body: `async function anonymous(` and `) {`. */
const LINES_BEFORE = 2;

/** The host tells it apart from what programs throw by its own record, and shows its own words. */
const OFF_TRACK =
  "The program goes another way than it did before: nothing is left to do, and then more happened";

/** Left alone once on purpose: the first report of a rejection is slow. */
const WARMING = Symbol("warming");

const deno = Deno;
const { stdin, stdout, exit, inspect } = deno;
const { parse, stringify } = JSON;
const hasTime = deno.args.includes("wait");
const AsyncFunction = /** @type {new (body: string) => () => Promise<unknown>} */ (
  (async () => {}).constructor
);
const decoder = new TextDecoder();
const frames = createFrameWriter((bytes) => stdout.writeSync(bytes));
const failures = createFailures(inspect, SOURCE_URL, LINES_BEFORE);
const loader = createModuleLoader(takeLoaders());

const pii = createPii();
const { awaiting, places, placeOf } = createAwaiting();
const idle = watchIdle(stdin, onIdle);
const { callTool, callOwn, receive } = createCalls(frames, failures, {
  onChange: (hasOpen) => count(hasOpen ? 1 : -1),
  beforeCall() {
    const news = order?.takeNews() ?? [];
    if (news.length > 0) frames.send(HAPPENED, 0, stringify(news));
  },
});
/** What waits for a frame of the host's. */
let waiting = 0;
/**
 * Takes the frames of streams, where there are any.
 * @type {(type: number, id: number, payload: Uint8Array) => void}
 */
let receiveStream = () => {};
/** @type {unknown} */
let networkFetch;

/**
 * What the program's own function came to, as soon as it has.
 * @type {{ value: unknown } | undefined}
 */
let returned;
let isDone = false;
/**
 * Undoes what a rehearsal has done, while there is one.
 * @type {(() => void) | undefined}
 */
let endRehearsal;
/**
 * Where the program must do the same each time: what happens to it, and when.
 * @type {ReturnType<typeof import("./node/steady-order.js").createOrder> | undefined}
 */
let order;
/** Logs what `process.stdout` still holds. */
let flushOutput = () => {};
/** What `process.exitCode` was set to. */
let exitCode = () => 0;
/**
 * Tells the listeners of `process`, and whether there were any.
 * @type {(event: string, ...values: unknown[]) => boolean}
 */
let emitProcess = () => false;

/** @param {number} more */
function count(more) {
  waiting += more;
  if (!isDone) idle.countReading(waiting > 0);
}

/**
 * @template T
 * @param {Promise<T>} work
 */
async function waitFor(work) {
  count(1);
  try {
    return await work;
  } finally {
    count(-1);
  }
}

/** @typedef {{ servers: string[], aliases: [string, string][], functions: [string, string[]][], folders: import("./node/places.js").Folder[], hostFolders: string[], hostFiles: import("./node/places.js").HostFiles, wanted?: import("./load-modules.js").Wanted, network?: { ca?: string[], isNoted?: boolean }, steady?: import("./load-modules.js").Steady, facts?: unknown, tokenClasses?: string[], skills?: import("./skills.js").Skill[], code: string }} Start */

/** @param {Start} start */
function start(start) {
  const loading = loader.load(start.wanted, toContext(start));
  if (loading instanceof Promise) loading.then((modules) => enter(start, modules), fail);
  else enter(start, loading);
}

/**
 * @param {Start} start
 * @returns {Parameters<typeof loader.load>[1]}
 */
function toContext(start) {
  return {
    deno,
    folders: start.folders,
    hostFolders: start.hostFolders,
    hostFiles: start.hostFiles,
    askHost: (folder, path, recursive, from) =>
      callOwn("readFolder", { folder, path, recursive, ...(from === undefined ? {} : { from }) }),
    log: (level, text) => frames.send(LOG, LEVELS.indexOf(level), text),
    onProcess(process) {
      ({ flush: flushOutput, exitCode, emit: emitProcess } = process);
    },
    exit: endProgram,
    frames,
    onStreamFrame(take) {
      receiveStream = take;
    },
    waitFor,
    network: start.network,
    taking: start.tokenClasses && {
      classes: start.tokenClasses,
      take: (asked) => callOwn("takeText", asked),
    },
    noteFetch: start.network?.isNoted ? (asked) => callOwn("noteFetch", asked) : undefined,
    onFetch(fetch) {
      networkFetch = fetch;
    },
    steady: start.steady,
    onSteady(made) {
      order = made;
    },
  };
}

/**
 * @param {Start} start
 * @param {import("./load-modules.js").Modules} modules
 */
function enter(start, modules) {
  pii.start(start.facts);
  if (start.tokenClasses) keepTokens(start.tokenClasses);
  const world = toWorld(start, modules);
  if (endRehearsal) endRehearsal = keepGlobals(Object.keys(world));
  defineGlobals(world);
  // From here on the program decides what there is to do: while its modules were loaded, waiting counted.
  idle.countReading(false);
  void run(start.code);
}

/**
 * What the program finds, by its names.
 * @param {Start} start
 * @param {import("./load-modules.js").Modules} modules
 */
function toWorld({ servers, aliases, functions, skills = [] }, modules) {
  const worlds = createServers({ servers, aliases, functions }, callTool);
  const own = {
    console: createConsole(inspect, (level, text) => {
      flushOutput();
      frames.send(LOG, LEVELS.indexOf(level), text);
    }),
    callMCPTool: /** @type {(name: string, args?: unknown, options?: unknown) => Promise<unknown>} */ (
      (name, args, options) => callByName(name, args, options, callTool)
    ),
    searchTools:
      /** @type {(query?: string, detail?: string | object, limit?: number) => Promise<unknown>} */ (
        (query, detail, limit) =>
          callOwn("searchTools", {
            query,
            limit,
            ...(typeof detail === "object" ? detail : { detail }),
          })
      ),
    runs: Object.freeze({
      /** @param {unknown} id */
      result: (id) => callOwn("runResult", { id }),
    }),
    runCommand: createRunCommand(callOwn),
    /** @param {unknown} skill */
    saveSkill: (skill) => callOwn("saveSkill", skill),
    state: createState(callOwn),
    pii: pii.shown,
    emit: createEmit((block) => frames.send(EMIT, 0, stringify(block) ?? "null")),
    ToolError,
    global: globalThis,
    __keyhole: Object.freeze({
      modules,
      servers: worlds.all,
      callTool,
      awaiting,
      ToolError,
      importSkill: createSkills(skills).importSkill,
    }),
  };
  // Deno loads its timers when they are first looked at, which takes nine milliseconds.
  /** @type {(callback: () => void, ...values: []) => number} */
  const setImmediate = (callback, ...values) => globalThis.setTimeout(callback, 0, ...values);
  /** @type {(id: number) => void} */
  const clearImmediate = (id) => globalThis.clearTimeout(id);
  const noFetch = async (/** @type {unknown} */ target) => {
    const url = target instanceof Request ? target.url : `${target}`;
    const failure = Object.assign(
      new TypeError(
        `Cannot fetch "${url}": programs have no network, since network.allow of keyhole.config names no host; call a tool of a server instead`,
      ),
      { code: "denied" },
    );
    await callOwn("refuseFetch", { url: url.slice(0, 4_096) }).catch(() => {});
    throw failure;
  };
  // The program's own names go last: a server can hide `fetch` or `crypto`, never `console` or `emit`. Another spelling
  // of a server hides nothing.
  const spelled = Object.entries(worlds.spelled).filter(([name]) => !(name in globalThis));
  return {
    ...Object.fromEntries(spelled),
    fetch: networkFetch ?? noFetch,
    setImmediate,
    clearImmediate,
    ...toNodeGlobals(modules),
    ...worlds.shown,
    ...own,
  };
}

/** @param {string} code */
async function run(code) {
  try {
    const program = new AsyncFunction(`${code}\n//# sourceURL=${SOURCE_URL}`);
    returned = { value: await withPromises(await program()) };
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

/** Nothing is left to do. A rejection that nobody handled has been reported by now. */
function onIdle() {
  if (isDone) return;
  if (order?.isReplaying()) {
    if (order.isOffTrack()) done(stringify({ ok: false, error: { message: OFF_TRACK, name: "Diverged" } }));
    return;
  }
  const [first, ...others] = places();
  if (returned) {
    if (first)
      frames.send(
        LOG,
        LEVELS.indexOf("warn"),
        `(${toLine(first)} still awaits a promise that nothing can settle any more)`,
      );
    try {
      emitProcess("exit", exitCode());
      succeed(returned.value);
    } catch (error) {
      fail(error);
    }
  } else {
    done(stringify({ ok: false, error: failures.describeStuck(first, others) }));
  }
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
  const text = toResultText(value);
  done(text === undefined ? '{"ok":true}' : `{"ok":true,"value":${text}}`);
}

/** @param {unknown} thrown */
function fail(thrown) {
  done(stringify({ ok: false, error: failures.describe(thrown, placeOf(thrown)) }));
}

/** @param {string} outcome */
function done(outcome) {
  if (isDone) return;
  flushOutput();
  isDone = true;
  // What is left is to be ended by the host.
  idle.countReading(true);
  if (endRehearsal) frames.send(PONG, 1, "");
  else frames.send(DONE, 0, outcome);
  frames.flush();
  if (!endRehearsal) return;
  endRehearsal();
  endRehearsal = undefined;
  returned = undefined;
  isDone = false;
}

/**
 * @param {number} type
 * @param {number} id
 * @param {Uint8Array} payload
 */
function onFrame(type, id, payload) {
  if (type === PING) return frames.send(PONG, id, "");
  if (STREAM_FRAMES.includes(type)) return receiveStream(type, id, payload);
  if (type === FACTS) return pii.hold(id, decoder.decode(payload));
  if (type === RENEW) {
    renewRandom(payload);
    if (id === 1) rehearse();
    return;
  }
  if (type !== START) {
    if (order === undefined) return answer(type, id, payload);
    const kept = payload.slice();
    return order.answered(id, () => answer(type, id, kept));
  }
  takeStart(payload);
}

/** @param {Uint8Array} payload */
function takeStart(payload) {
  const text = decoder.decode(payload);
  // It says where the folders lie, and the program can get at what was read.
  payload.fill(0);
  start(parse(text));
}

/**
 * @param {number} type
 * @param {number} id
 * @param {Uint8Array} payload
 */
function answer(type, id, payload) {
  pii.learn(id);
  receive(type, id, payload);
}

/** Has loaded and compiled what most programs need, in a process that waits for its program anyway. */
function warmUp() {
  void Promise.reject(WARMING);
  void globalThis.setTimeout;
  void deno.openSync;
  inspect({ a: ["text", 1] }, {});
  loader.preloadLater();
  void new AsyncFunction("return 1")();
}

/**
 * In an emulated machine each instruction is slow the first time: the whole way of a program is gone once for nothing. Each time by
 * another text, since the engine knows again what it has compiled.
 */
function rehearse() {
  endRehearsal = () => {};
  createConsole(inspect, () => {}).log("text", { a: [1] });
  stringify(failures.describe(new Error("text")));
  takeStart(new TextEncoder().encode(`${REHEARSED}return { a: ${Math.random()} }"}`));
}

const REHEARSED =
  '{"servers":["a"],"aliases":[],"functions":[["a",["b"]]],"folders":[],"hostFolders":[],"hostFiles":{},"code":"';

/**
 * @param {Event} event
 * @param {unknown} thrown
 * @param {string} name by which `process` knows it
 */
function onLateError(event, thrown, name) {
  event.preventDefault();
  if (thrown === WARMING) return;
  try {
    if (!emitProcess(name, thrown)) fail(thrown);
  } catch (error) {
    fail(error);
  }
}

globalThis.addEventListener("error", (event) => onLateError(event, event.error, "uncaughtException"));
globalThis.addEventListener("unhandledrejection", (event) =>
  onLateError(event, event.reason, "unhandledRejection"),
);
guardStacks(failures.prepareStackTrace, SOURCE_URL, LINES_BEFORE);
guardPromises();
teachJson();
teachInspect();
loader.restoreBy(removeGlobals());
frames.send(READY, 0, "");
readFrames((buffer) => stdin.read(buffer), joinChunks(onFrame)).finally(() => exit(0));
if (hasTime) warmUp();
