/** @typedef {{ name: string, code: string }} Skill */
/** @typedef {readonly (readonly [name: string, get: () => unknown])[]} Exports what a skill's code returns */

const SKILL_URL = "keyhole:skills/";
const INSPECT = Symbol.for("Deno.customInspect");
const { create, defineProperty, preventExtensions } = Object;
const AsyncFunction = /** @type {new (body: string) => () => Promise<Exports>} */ (
  (async () => {}).constructor
);

/**
 * The skill whose code it is, as stacks name it.
 * @param {string} url
 */
export function skillOf(url) {
  return url.startsWith(SKILL_URL) ? url.slice(SKILL_URL.length) : undefined;
}

/**
 * Makes each module once, at its first import. What fails then fails the same at each later one.
 * @param {readonly Skill[]} skills
 */
export function createSkills(skills) {
  const codes = new Map(skills.map(({ name, code }) => [name, code]));
  /** @type {Map<string, Promise<object>>} */
  const made = new Map();

  /** @param {string} name */
  async function make(name) {
    const code = codes.get(name);
    if (code === undefined)
      throw new Error(`There is no skill "${name}" in this program: import it by its name`);
    return toModule(await new AsyncFunction(`${code}\n//# sourceURL=${SKILL_URL}${name}`)());
  }

  return {
    /** @param {unknown} given */
    importSkill(given) {
      const name = String(given);
      const known = made.get(name);
      if (known) return known;
      const module = make(name);
      made.set(name, module);
      return module;
    },
  };
}

/**
 * As modules of the language are: of no class, and with what each name stands for now.
 * @param {Exports} exports
 */
function toModule(exports) {
  const module = create(null);
  for (const [name, get] of exports) defineProperty(module, name, { get, enumerable: true });
  defineProperty(module, Symbol.toStringTag, { value: "Module" });
  defineProperty(module, INSPECT, {
    /** @type {(inspect: (value: unknown, options: unknown) => string, options: unknown) => string} */
    value: (inspect, options) => inspect({ ...module }, options),
  });
  return preventExtensions(module);
}
