import { doneAtOnce, mendCrypto, mendUtil } from "./mend.js";
import { MODULES } from "./names.js";

/** @typedef {{ [name: string]: unknown }} Module */

/** @type {{ readonly [name: string]: (module: Module, isSteady: boolean) => Module }} */
const MENDS = { crypto: mendCrypto, util: mendUtil };

/** @type {{ readonly [name: string]: string }} */
const NAMES = MODULES;

/**
 * Modules of Deno's Node layer with the declared names alone. Those that are a function or a class (`assert`, `events`,
 * `stream`) are that one, with the names on it.
 * @param {import("../load-modules.js").Context} context
 */
export function create({ builtIn, steady }) {
  /** @type {Module} */
  const found = {};
  for (const [name, loaded] of Object.entries(builtIn)) {
    const source = /** @type {Module} */ (loaded);
    const whole = source["default"];
    const known = MENDS[name]?.(source, steady !== undefined) ?? source;
    const mended = steady === undefined ? known : doneAtOnce(known);
    const names = (NAMES[name] ?? "").split(" ");
    found[name] = typeof whole === "function" ? cut(whole, names) : pick(mended, names);
  }
  return found;
}

/**
 * @param {Function} whole
 * @param {readonly string[]} names
 */
function cut(whole, names) {
  for (const key of Object.getOwnPropertyNames(whole)) {
    if (!names.includes(key) && !OF_FUNCTIONS.includes(key)) Reflect.deleteProperty(whole, key);
  }
  return whole;
}

const OF_FUNCTIONS = ["length", "name", "prototype"];

/**
 * @param {Module} source
 * @param {readonly string[]} names
 */
function pick(source, names) {
  /** @type {Module} */
  const picked = {};
  for (const name of names) picked[name] = source[name];
  return picked;
}
