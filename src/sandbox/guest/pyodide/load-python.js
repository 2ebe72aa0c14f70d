/**
 * @typedef {object} Emscripten what we use of the module that Pyodide's file makes
 * @property {Uint32Array} HEAPU32
 * @property {number} _Py_Version
 * @property {import("./folder-mount.js").EmscriptenFs} FS
 * @property {{ [name: string]: number }} ERRNO_CODES
 * @property {{ [name: string]: string }} ENV
 */
/**
 * @typedef {object} Python
 * @property {(code: string) => any} runPython
 * @property {(options?: object) => Uint8Array} makeMemorySnapshot
 * @property {Emscripten} module
 */
/** @typedef {(settings: object) => Promise<Emscripten>} CreateModule */

/** What a snapshot is compared by: ours are kept under a hash of all that they were made of. */
const BUILD = "0".repeat(64);
const WITHOUT_ANY = { IN_NODE: false, IN_BROWSER: false, IN_SHELL: false, IN_SAFARI: false, IN_BUN: false };

/**
 * Starts Python without a look at the machine: Pyodide's own loader reads files and finds out where it is. No JavaScript is
 * handed to it, so that `import js` is an empty object.
 * @param {CreateModule} create
 * @param {{ wasm: Uint8Array<ArrayBuffer>, library: Uint8Array<ArrayBuffer>, snapshot?: Uint8Array<ArrayBuffer>, hashSeed?: string }}
 * @returns {Promise<Python>}
 */
export async function loadPython(create, { wasm, library, snapshot, hashSeed }) {
  const compiled = await WebAssembly.compile(wasm);
  const config = {
    jsglobals: Object.create(null),
    args: [],
    env: {},
    packages: [],
    packageCacheDir: "",
    packageBaseUrl: "",
    cdnUrl: "",
    indexURL: "",
    enableRunUntilComplete: false,
    BUILD_ID: BUILD,
    _makeSnapshot: snapshot === undefined,
  };
  /** @type {any} */
  const api = { config, runtimeEnv: { ...WITHOUT_ANY, IN_DENO: true } };
  const settings = {
    API: api,
    noImageDecoding: true,
    noAudioDecoding: true,
    noWasmDecoding: true,
    noInitialRun: snapshot !== undefined,
    ...(snapshot ? { INITIAL_MEMORY: snapshot.length } : {}),
    print: nothing,
    printErr: nothing,
    arguments: [],
    locateFile: (/** @type {string} */ name) => name,
    preRun: [(/** @type {Emscripten} */ module) => furnish(module, api, library, hashSeed)],
    /** @param {any} imports @param {(instance: WebAssembly.Instance, module: WebAssembly.Module) => void} done */
    instantiateWasm(imports, done) {
      const failed = Symbol("failed");
      imports.env.Jsv_GetError_import = () => failed;
      imports.env.JsvError_Check = (/** @type {unknown} */ value) => value === failed;
      WebAssembly.instantiate(compiled, imports).then((instance) => done(instance, compiled));
      return {};
    },
  };
  const module = await asInWindow(() => create(settings));
  const restored = snapshot && api.restoreSnapshot(snapshot);
  const python = api.finalizeBootstrap(restored);
  api.initializeStreams(() => null, nothing, nothing);
  return {
    runPython: (code) => python.runPython(code),
    makeMemorySnapshot: () => python.makeMemorySnapshot(),
    module,
  };
}

/**
 * @param {Emscripten} module
 * @param {any} api
 * @param {Uint8Array<ArrayBuffer>} library
 * @param {string | undefined} hashSeed
 */
function furnish({ HEAPU32, _Py_Version, FS, ENV }, api, library, hashSeed) {
  const version = HEAPU32[_Py_Version >>> 2] ?? 0;
  const [major, minor, micro] = [(version >>> 24) & 255, (version >>> 16) & 255, (version >>> 8) & 255];
  const home = `/lib/python${major}.${minor}`;
  api.pyVersionTuple = [major, minor, micro];
  api.sitePackages = `${home}/site-packages`;
  FS.mkdirTree(api.sitePackages);
  FS.mkdirTree(`${home}/lib-dynload`);
  FS.writeFile(`/lib/python${major}${minor}.zip`, library, { canOwn: true });
  ENV["HOME"] = "/";
  // Without it Python ends after its start.
  ENV["PYTHONINSPECT"] = "1";
  if (hashSeed !== undefined) ENV["PYTHONHASHSEED"] = hashSeed;
}

/**
 * Emscripten takes its random numbers from `crypto` where it believes to be in a page.
 * @template Value
 * @param {() => Promise<Value>} work
 */
async function asInWindow(work) {
  const put = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  put("window", {});
  put("console", SILENT);
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(globalThis, "window");
  }
}

const nothing = () => {};
/** What is written to stdout is a frame, and nothing else. */
const SILENT = Object.freeze({
  log: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  debug: nothing,
  trace: nothing,
});
