import { skillOf } from "./skills.js";

/** @typedef {import("./failures.js").CallSite} CallSite */
/** @typedef {(error: Error, sites: CallSite[]) => unknown} Prepare */

/**
 * Has stacks made by `prepare`. A program may have its own way, as libraries do: it sees copies of the frames in its own
 * code, since the others name files of this machine and hand out what they were called with.
 * @param {Prepare} prepare
 * @param {string} sourceUrl
 * @param {number} linesBefore
 */
export function guardStacks(prepare, sourceUrl, linesBefore) {
  const { apply } = Reflect;
  const OwnError = Error;
  /** @type {unknown} */
  let given;

  /** @type {Prepare} */
  function prepareStackTrace(error, sites) {
    const stack = prepare(error, sites);
    if (typeof given !== "function") return stack;
    const seen = [];
    for (let at = 0; at < sites.length; at++) {
      const site = sites[at];
      const url = site?.getScriptNameOrSourceURL() ?? "";
      if (site && (url === sourceUrl || skillOf(url) !== undefined))
        seen[seen.length] = toFrame(site, linesBefore);
    }
    return apply(given, OwnError, [error, seen]);
  }

  Object.defineProperty(Error, "prepareStackTrace", {
    get: () => prepareStackTrace,
    set(value) {
      given = value === prepareStackTrace ? undefined : value;
    },
  });
}

/**
 * @param {CallSite} site
 * @param {number} linesBefore
 */
function toFrame(site, linesBefore) {
  const line = (site.getLineNumber() ?? 0) - linesBefore;
  const column = site.getColumnNumber() ?? 0;
  const name = site.getFunctionName();
  const skill = skillOf(site.getScriptNameOrSourceURL() ?? "");
  const file = skill === undefined ? "program.ts" : `skills/${skill}/index.ts`;
  return {
    getFileName: () => file,
    getScriptNameOrSourceURL: () => file,
    getLineNumber: () => line,
    getColumnNumber: () => column,
    getFunctionName: () => name,
    getMethodName: () => null,
    getTypeName: () => null,
    getThis: () => undefined,
    getFunction: () => undefined,
    getEvalOrigin: () => undefined,
    isEval: () => false,
    isNative: () => false,
    isConstructor: () => false,
    isToplevel: () => name === null,
    isAsync: () => false,
    toString: () =>
      `${name ?? "program"} (${skill === undefined ? "program" : `skills/${skill}`}:${line}:${column})`,
  };
}
