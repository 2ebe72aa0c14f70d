// The servers as a program finds them: objects with a function for each tool. Any other name can be called as well, since
// the host knows more spellings than are listed here, and says what was meant when it knows none.

/** @typedef {(server: string, tool: string, args?: unknown, options?: unknown) => Promise<unknown>} CallTool */

const objectPrototype = Object.prototype;
const INSPECT = Symbol.for("Deno.customInspect");

/**
 * Nothing is made before it is asked for: a server may have thousands of tools, and a program calls a few.
 * @param {string} server
 * @param {readonly string[] | undefined} functions The names to be listed; without them there is no list.
 * @param {CallTool} callTool
 */
export function createServer(server, functions, callTool) {
  /** @type {Map<string, (args?: unknown, options?: unknown) => Promise<unknown>>} */
  const made = new Map();
  /** @param {string} name */
  function toFunction(name) {
    const known = made.get(name);
    if (known) return known;
    // By its key it gets its name.
    const own = {
      [name]: (/** @type {unknown} */ args, /** @type {unknown} */ options) =>
        callTool(server, name, args, options),
    };
    const call = /** @type {(args?: unknown) => Promise<unknown>} */ (own[name]);
    made.set(name, call);
    return call;
  }

  function list() {
    if (functions) return functions;
    // An empty list would be a wrong one.
    throw new TypeError(
      `The functions of "${server}" are not listed for a program that does not write its name: use searchTools`,
    );
  }

  /** @type {Set<string> | undefined} */
  let listed;
  /** @param {string} name */
  function isListed(name) {
    listed ??= new Set(functions);
    return listed.has(name);
  }

  /** @type {Set<string> | undefined} */
  let folded;
  /** @param {string} name */
  function isSpelled(name) {
    folded ??= new Set(functions?.map(fold));
    return folded.has(fold(name));
  }

  // The console looks at what is behind a proxy, not at the proxy.
  const target = Object.create(null, {
    [INSPECT]: {
      /** @type {(inspect: (value: unknown, options: unknown) => string, options: unknown) => string} */
      value: (inspect, options) =>
        inspect(Object.fromEntries((functions ?? []).map((name) => [name, toFunction(name)])), options),
      configurable: true,
    },
  });
  return new Proxy(target, {
    get(_target, name, receiver) {
      // A promise's `then` must not be found, or `await github` would call a tool.
      if (typeof name !== "string" || name === "then" || name === "toJSON") return undefined;
      // `import("./servers/github")` is the server, and its default export is as well.
      if (name === "default") return receiver;
      return name in objectPrototype ? Reflect.get(objectPrototype, name, receiver) : toFunction(name);
    },
    has: (_target, name) =>
      typeof name === "string" && (name in objectPrototype || isListed(name) || isSpelled(name)),
    ownKeys: () => [...list()],
    getOwnPropertyDescriptor: (_target, name) =>
      typeof name === "string" && isListed(name)
        ? { value: toFunction(name), enumerable: true, configurable: true, writable: false }
        : undefined,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    preventExtensions: () => false,
    setPrototypeOf: () => false,
  });
}

/** As `foldName` of the host has it. @param {string} name */
function fold(name) {
  return name
    .slice(0, 600)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "");
}

/** What can stand between a server and its tool, the surest first; never before the first letter. */
const MARKS = [/(?<=[\p{L}\p{N}])__/u, /(?<=[\p{L}\p{N}])[./:]/u, /(?<=[\p{L}\p{N}])[_-]/u];

/**
 * `github__create_issue`: what stands before the first mark is the server's name or its beginning; the host knows better.
 * @param {string} name
 * @param {unknown} args
 * @param {unknown} options
 * @param {CallTool} callTool
 */
export function callByName(name, args, options, callTool) {
  const text = String(name);
  const mark = MARKS.map((separator) => separator.exec(text)).find((found) => found !== null);
  const tool = mark === undefined ? "" : text.slice(mark.index + mark[0].length);
  if (mark === undefined || tool === "")
    return Promise.reject(new TypeError(`Cannot call "${text}": expected "server__tool"`));
  return callTool(text.slice(0, mark.index), tool, args, options);
}

/**
 * All servers of a program by the names that it has for them.
 * @param {{ servers: string[], aliases: [string, string][], functions: [string, string[]][] }} start
 * @param {CallTool} callTool
 */
export function createServers({ servers, aliases, functions }, callTool) {
  const lists = new Map(functions);
  const shown = new Map(servers.map((name) => [name, createServer(name, lists.get(name), callTool)]));
  const spelled = aliases.map(
    ([alias, name]) =>
      /** @type {const} */ ([alias, shown.get(name) ?? createServer(name, undefined, callTool)]),
  );
  // What `import * as servers from "./servers"` is: it lists each server once, and has it in other spellings too.
  const all = Object.create(null);
  for (const [name, value] of spelled) Object.defineProperty(all, name, { value, configurable: true });
  for (const [name, value] of shown) Object.defineProperty(all, name, { value, enumerable: true });
  return { shown: Object.fromEntries(shown), spelled: Object.fromEntries(spelled), all: Object.freeze(all) };
}
