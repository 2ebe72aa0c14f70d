import { remembering } from "./remembering.ts";

/**
 * Whether a key of an object is a field's name. The keys of a map are data: ids, dates, addresses, people. What only may
 * be one is not kept, not even when it is seen first.
 */
export function isPlainKey(key: string): boolean {
  return key.length <= MAX_LENGTH && looksPlain(key);
}

const looksPlain = remembering((key) => {
  if (LINKED_DATA.test(key)) return true;
  if (!WORDS.test(key) || key === "__proto__") return false;
  if (SECRET.test(key) || hasManyDigits(key) || /^[0-9a-f]{8,}$/i.test(key) || isTitle(key)) return false;
  return toWords(key).every(isPronounceable) && !isPatchwork(key);
});

const MAX_LENGTH = 40;
/** Letters of any script, up to three words with spaces between them: a sentence is no field's name. */
const WORDS = /^[\p{L}_$][\p{L}\p{M}\p{N}_$-]*(?: [\p{L}\p{N}_$-]+){0,2}$/u;
const LINKED_DATA = /^@(?:type|id|context|graph|value|language)$/;
const MAX_WORD = 24;
/** How the tokens of well-known services begin. */
const SECRET =
  /^(?:(?:sk|rk|gh[pousr]|github_pat|glpat|xox[a-z]|shpat)[_-]|AKIA|ASIA|AIza|eyJ)[A-Za-z0-9_-]{12,}$/;

/** `address1`, `ipv4` and `sha256` are names; `order_48213` and `a1b2c3` are ids. */
function hasManyDigits(key: string): boolean {
  const digits = key.replace(/(?:sha|base|utf|crc|int|float)\d{2,3}/gi, "").match(/\p{N}/gu) ?? [];
  return digits.length > 2;
}

/** `Ada Lovelace`, `New York`. */
function isTitle(key: string): boolean {
  const words = key.split(" ");
  return words.length > 1 && words.every((word) => /^\p{Lu}/u.test(word));
}

function toWords(key: string): string[] {
  return key.match(/\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+/gu) ?? [];
}

function isPronounceable(word: string): boolean {
  if (word.length > MAX_WORD) return false;
  return word.length < 8 || !/^[a-z]+$/i.test(word) || /[aeiouy]/i.test(word);
}

/** `kJhGfDsAq`: the pieces of a random text in mixed case are shorter than words are. */
function isPatchwork(key: string): boolean {
  const words = toWords(key);
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return words.length >= 4 && /\p{Lu}/u.test(key) && /\p{Ll}/u.test(key) && letters / words.length < 2.5;
}
