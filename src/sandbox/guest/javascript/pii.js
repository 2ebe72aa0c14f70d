import { countryOf, domainOf, isSameValue, last4Of, maskOf, yearOf } from "./pii-values.js";

/** Also in small letters, as others may have written it. */
const TOKEN = /^\[[A-Z][A-Z_]{0,23}_\d{1,18}\]$/i;
const LONGEST_TOKEN = 46;

/** @typedef {{ domain?: string, last4?: string, country?: string, mask?: string, year?: number }} Facts */
/** @typedef {{ sameAs: string, facts: Facts }} Known */

/**
 * `pii` of a program: what it may know of personal values that it holds as tokens, or as they are. The host tells it of each, by its
 * text, before the program gets it; what a value itself shows needs no host.
 */
export function createPii() {
  const { parse } = JSON;
  const { isArray } = Array;
  const { hasOwn } = Object;
  /** @type {Map<string, Known>} */
  const known = new Map();
  /** By the call whose result they belong to. @type {Map<number, string[]>} */
  const held = new Map();
  let isDenied = false;

  /** @param {unknown} list */
  function learnAll(list) {
    if (!isArray(list)) return;
    for (const fact of list) {
      if (!isArray(fact)) continue;
      const [text, sameAs, facts] = fact;
      if (typeof text !== "string" || typeof sameAs !== "string") continue;
      if (typeof facts === "object" && facts !== null) known.set(toKey(text), { sameAs, facts });
    }
  }

  /**
   * @template {string | number} T
   * @param {keyof Facts} name
   * @param {"string" | "number"} type
   * @param {(text: string) => T | undefined} ofValue
   * @returns {(value: unknown) => T | undefined}
   */
  function createHelper(name, type, ofValue) {
    return (value) => {
      if (isDenied)
        throw Object.assign(
          new Error(
            `Cannot use pii.${name}: privacy.helpers of keyhole.config is false. pii.equal(a, b) works`,
          ),
          { code: "denied" },
        );
      const text = toText(value, name);
      if (text === undefined) return undefined;
      const key = toKey(text);
      const facts = known.get(key)?.facts;
      if (facts !== undefined) {
        const told = hasOwn(facts, name) ? facts[name] : undefined;
        return typeof told === type ? /** @type {T} */ (told) : undefined;
      }
      if (isToken(key)) throw new TypeError(`${key} is not a value that this program was given`);
      return ofValue(text);
    };
  }

  /**
   * @param {unknown} a
   * @param {unknown} b
   */
  function equal(a, b) {
    const [first, second] = [toText(a, "equal"), toText(b, "equal")];
    if (first === undefined || second === undefined) return first === second;
    const [key, other] = [toKey(first), toKey(second)];
    if (key === other) return true;
    const sameAs = known.get(key)?.sameAs;
    if (sameAs !== undefined && sameAs === known.get(other)?.sameAs) return true;
    return !isToken(key) && !isToken(other) && isSameValue(first, second);
  }

  return {
    /** @param {unknown} facts of the program's own text, or that it is denied them */
    start(facts) {
      isDenied = facts === "denied";
      learnAll(facts);
    },

    /**
     * Facts that came, for when the program gets the result they belong to.
     * @param {number} id
     * @param {string} text
     */
    hold(id, text) {
      const others = held.get(id);
      if (others) others.push(text);
      else held.set(id, [text]);
    },

    /** @param {number} id */
    learn(id) {
      const texts = held.get(id);
      if (texts === undefined) return;
      held.delete(id);
      for (const text of texts) {
        try {
          learnAll(parse(text));
        } catch {
          // What can't be read tells nothing.
        }
      }
    },

    shown: Object.freeze({
      equal,
      domain: createHelper("domain", "string", domainOf),
      last4: createHelper("last4", "string", last4Of),
      country: createHelper("country", "string", countryOf),
      mask: createHelper("mask", "string", maskOf),
      year: createHelper("year", "number", yearOf),
    }),
  };
}

/** @param {string} key */
function isToken(key) {
  return key.length <= LONGEST_TOKEN && TOKEN.test(key);
}

/** @param {string} text */
function toKey(text) {
  const trimmed = text.trim();
  return isToken(trimmed) ? trimmed.toUpperCase() : trimmed;
}

/**
 * A field that is not there has no facts; anything but a text is a mistake.
 * @param {unknown} value
 * @param {string} name
 */
function toText(value, name) {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  throw new TypeError(`pii.${name} takes a text, a value or its token, and got "${typeof value}"`);
}
