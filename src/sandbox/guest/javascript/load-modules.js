/** @typedef {{ modules: string[], builtIn: string[], inner: string[], files: { [name: string]: string }, entries: string[] }} Wanted */
/**
 * @typedef {object} Context what the files in `node/` are made with
 * @property {typeof Deno} deno
 * @property {readonly import("./node/places.js").Folder[]} folders
 * @property {readonly string[]} hostFolders
 * @property {import("./node/places.js").HostFiles} hostFiles
 * @property {import("./node/host-folders.js").Ask} askHost
 * @property {(level: "info" | "warn" | "error", text: string) => void} log
 * @property {(process: { flush(): void, exitCode(): number, emit(event: string, ...values: unknown[]): boolean }) => void} onProcess takes what logs the rest of an open line, what tells how the program wants to end, and its listeners
 * @property {(code: number) => never} exit
 * @property {Steady | undefined} steady where the program must do the same each time
 * @property {(order: ReturnType<typeof import("./node/steady-order.js").createOrder>) => void} onSteady
 * @property {{ [name: string]: unknown }} builtIn
 * @property {{ [name: string]: any }} inner what the program does not get
 * @property {{ send(type: number, id: number, text: string): void, sendBytes(type: number, id: number, bytes: Uint8Array): void }} frames
 * @property {(take: (type: number, id: number, payload: Uint8Array) => void) => void} onStreamFrame
 * @property {<T>(work: Promise<T>) => Promise<T>} waitFor counts as something to do until it is settled
 * @property {{ ca?: string[] } | undefined} network
 * @property {((asked: { url: string, headers: string, body?: string }) => Promise<unknown>) | undefined} noteFetch tells the host what is about to be sent, where it wants to know
 * @property {(fetch: unknown) => void} onFetch
 * @property {Taking | undefined} taking in a world of tokens: what the host makes of what comes from outside
 * @property {(module: string) => boolean} has
 */
/** @typedef {{ seed: string, time: number, past: import("./node/steady-order.js").Happening[] }} Steady */
/** @typedef {{ classes: readonly string[], take(asked: { text: string } | { json: unknown }): Promise<unknown> }} Taking */
/** @typedef {{ [name: string]: unknown }} Modules */

/** Long enough that a process which is used at once, one after another, never spends time on it. */
const PRELOAD_AFTER_MS = 1_000;
/** What loads the most with it, and is used the most. */
const PRELOADED = ["crypto", "stream", "util", "url", "zlib", "readline", "assert"];

/**
 * Loads what a program mentions of Node, before it runs. The host sends the code of our own modules along with the
 * program: files in the runner's graph would cost every start, also of programs that use none of them.
 * @param {ReturnType<typeof import("./built-in-loaders.js").takeLoaders>} loaders
 */
export function createModuleLoader(loaders) {
  /** @type {Promise<unknown> | undefined} */
  let preloading;
  let canPreload = true;
  /** @type {(work: () => Promise<unknown>) => Promise<void>} */
  let withAllGlobals = async () => {};
  /** @type {number | undefined} */
  let timer;

  /** @param {readonly string[]} names */
  async function take(names) {
    /** @type {Modules} */
    const found = {};
    await withAllGlobals(async () => {
      for (const name of names) {
        found[name] = await loaders?.[/** @type {keyof typeof loaders} */ (name)]?.();
      }
    });
    return found;
  }

  async function preload() {
    for (const name of PRELOADED) if (canPreload) await take([name]);
  }

  /**
   * @param {Wanted} wanted
   * @param {Omit<Context, "builtIn" | "inner" | "has">} context
   */
  async function loadAll({ modules, builtIn, inner, files, entries }, context) {
    await preloading;
    const loaded = builtIn.length === 0 ? {} : await take(builtIn);
    const own = inner.length === 0 ? {} : await take(inner);
    const has = (/** @type {string} */ name) => modules.includes(name);
    return evaluate(files, entries, { ...context, builtIn: loaded, inner: own, has });
  }

  return {
    /** @param {ReturnType<typeof import("./globals.js").removeGlobals>} restore */
    restoreBy(restore) {
      withAllGlobals = restore;
    },

    /** In a process that waits: what a later program may want. */
    preloadLater() {
      timer = globalThis.setTimeout(() => {
        preloading = preload().finally(() => {
          preloading = undefined;
        });
      }, PRELOAD_AFTER_MS);
    },

    /**
     * For the one program of this process; at once where it wants nothing.
     * @param {Wanted | undefined} wanted
     * @param {Omit<Context, "builtIn" | "inner" | "has">} context
     * @returns {Promise<Modules> | Modules}
     */
    load(wanted = { modules: [], builtIn: [], inner: [], files: {}, entries: [] }, context) {
      canPreload = false;
      if (timer !== undefined) globalThis.clearTimeout(timer);
      if (wanted.entries.length === 0 && !preloading) return {};
      return loadAll(wanted, context);
    },
  };
}

/**
 * @param {{ [name: string]: string }} files
 * @param {readonly string[]} entries
 * @param {Context} context
 */
function evaluate(files, entries, context) {
  /** @type {Map<string, { [name: string]: any }>} */
  const made = new Map();
  const require = (/** @type {string} */ path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const known = made.get(name);
    if (known) return known;
    /** @type {{ [name: string]: any }} */
    const exports = {};
    made.set(name, exports);
    new Function("exports", "require", files[name] ?? "")(exports, require);
    return exports;
  };
  /** @type {Modules} */
  const modules = {};
  for (const entry of entries) Object.assign(modules, require(entry)["create"](context));
  return Object.freeze(modules);
}

/**
 * What Node has as globals: `require` and its kin, and modules by their names, as in `node -e`.
 * @param {Modules} modules
 */
export function toNodeGlobals(modules) {
  const module = { exports: {} };
  /** @param {unknown} specifier */
  function require(specifier) {
    const name = String(specifier).replace(/^node:/, "");
    if (Object.hasOwn(modules, name)) return modules[name];
    const message = `Cannot require "${name}": write require("…") with the name of a module written out`;
    throw Object.assign(new Error(message), { code: "MODULE_NOT_FOUND" });
  }
  const named = Object.entries(modules).filter(([name]) => !name.includes("/"));
  return {
    ...Object.fromEntries(named),
    require: Object.assign(require, { main: module }),
    module,
    exports: module.exports,
    __dirname: "/",
    __filename: "/program.ts",
  };
}

/** @param {number} code */
export function exitError(code) {
  return new Error(`The program ended itself with the exit code ${code}`);
}
