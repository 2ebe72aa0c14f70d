import { MODULES } from "./names.js";

/** The globals of these names. */
export function create() {
  const names = MODULES["stream/web"].split(" ");
  return { "stream/web": Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name)])) };
}
