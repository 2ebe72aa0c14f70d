// The servers as a program finds them: objects with a function for each tool. Any other name can be called as well, since
// the host knows more spellings than are listed here, and says what was meant when it knows none.

/** @typedef {(server: string, tool: string, args?: unknown, options?: unknown) => Promise<unknown>} CallTool */

const { create, defineProperty, freeze } = Object;
const objectPrototype = Object.prototype;

/**
 * @param {string} server
 * @param {readonly string[] | undefined} functions The names to be listed; without them there is no list.
 * @param {CallTool} callTool
 */
export function createServer(server, functions, callTool) {
  /** @type {Map<string, unknown>} */
  const others = new Map();
  /** @type {Set<string> | undefined} */
  let folded;
  const isListed = (/** @type {string} */ name) => {
    folded ??= new Set(functions?.map(fold));
    return folded.has(fold(name));
  };
  const rest = new Proxy(create(null), {
    get(_target, name, receiver) {
      // A promise's `then` must not be found, or `await github` would call a tool.
      if (typeof name !== "string" || name === "then" || name === "toJSON") return undefined;
      // `import("./servers/github")` is the server, and its default export is as well.
      if (name === "default") return receiver;
      if (name in objectPrototype) return Reflect.get(objectPrototype, name, receiver);
      const known = others.get(name) ?? toFunction(server, name, callTool);
      others.set(name, known);
      return known;
    },
    has: (_target, name) => typeof name === "string" && (name in objectPrototype || isListed(name)),
    getPrototypeOf: () => null,
  });
  if (functions === undefined) return withoutList(server, rest);
  const world = create(rest);
  for (const name of functions) {
    defineProperty(world, name, { value: toFunction(server, name, callTool), enumerable: true });
  }
  return freeze(world);
}

/**
 * @param {string} server
 * @param {string} name
 * @param {CallTool} callTool
 */
function toFunction(server, name, callTool) {
  // By the key it gets its name.
  return {
    [name]: (/** @type {unknown} */ args, /** @type {unknown} */ options) =>
      callTool(server, name, args, options),
  }[name];
}

/**
 * Of a server that the program could only have looked up. An empty list would be a wrong one.
 * @param {string} server
 * @param {object} rest
 */
function withoutList(server, rest) {
  return new Proxy(create(rest), {
    ownKeys() {
      throw new TypeError(
        `The functions of "${server}" are not listed for a program that does not write its name: use searchTools`,
      );
    },
    set: () => false,
    defineProperty: () => false,
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

/**
 * `github__create_issue`: what stands before the first mark is the server's name or its beginning; the host knows better.
 * @param {string} name
 * @param {unknown} args
 * @param {unknown} options
 * @param {CallTool} callTool
 */
export function callByName(name, args, options, callTool) {
  const text = String(name);
  const named = text.slice(1);
  const mark = /__/.exec(named) ?? /[./:]/.exec(named) ?? /[_-]/.exec(named);
  if (mark === null)
    return Promise.reject(new TypeError(`Cannot call "${text}": expected "server__tool"`));
  const cut = mark.index + 1;
  return callTool(text.slice(0, cut), text.slice(cut + mark[0].length), args, options);
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
  return { shown: Object.fromEntries(shown), spelled: Object.fromEntries(spelled) };
}
