import { isHeading } from "./heading.ts";
import { remembering } from "./remembering.ts";

/**
 * Whether a key of an object is a field's name. The keys of a map are data: ids, dates, addresses, people. What only may
 * be one is not kept, not even when it is seen first.
 */
export function isPlainKey(key: string): boolean {
  return key.length <= MAX_LENGTH && looksPlain(key);
}

const looksPlain = remembering((written) => {
  if (LINKED_DATA.test(written) || isHeading(written)) return true;
  const key = written.replace(EITHER, "$1_$2");
  if (!NAME.test(key) || key === "__proto__" || isMixed(key) || isSentence(key)) return false;
  if (SECRET.test(key) || hasManyDigits(key) || /^[0-9a-f]{8,}$/i.test(key)) return false;
  return toWords(key).every(isPronounceable) && !isPatchwork(key);
});

const MAX_LENGTH = 32;
/** No spaces, no marks, nothing that can't be seen: names are shown to the model. */
const NAME = /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}_$][\p{L}0-9_$-]*$/u;
/** Scripts that can be written without marks. */
const SCRIPTS = [
  /^\p{Script=Latin}*$/u,
  /^\p{Script=Greek}*$/u,
  /^\p{Script=Cyrillic}*$/u,
  /^\p{Script=Armenian}*$/u,
  /^\p{Script=Georgian}*$/u,
  /^\p{Script=Hebrew}*$/u,
  /^\p{Script=Arabic}*$/u,
  /^\p{Script=Hangul}*$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]*$/u,
];
const LINKED_DATA = /^@(?:type|id|context|graph|value|language)$/;
/** One of two: `inbox/outbox`. A path has more, or begins with it. */
const EITHER = /^(\p{L}+)\/(\p{L}+)$/u;
const MAX_WORD = 24;
/** How the tokens of well-known services begin. */
const SECRET =
  /^(?:(?:sk|rk|gh[pousr]|github_pat|glpat|xox[a-z]|shpat)[_-]|AKIA|ASIA|AIza|eyJ)[A-Za-z0-9_-]{12,}$/;

/** `address1`, `ipv4` and `sha256` are names; `order_48213` and `a1b2c3` are ids. */
function hasManyDigits(key: string): boolean {
  const digits = key.replace(/(?:sha|base|utf|crc|int|float)\d{2,3}/gi, "").match(/\p{N}/gu) ?? [];
  return digits.length > 2;
}

function isMixed(key: string): boolean {
  const letters = key.replace(/[^\p{L}]/gu, "");
  return !SCRIPTS.some((script) => script.test(letters));
}

const MAX_WORDS = 4;
const MAX_KEBAB_WORDS = 3;
const MAX_CAPITAL_WORDS = 3;
/** Where words are written without spaces, a sentence fits into a few signs. */
const MAX_SIGNS = 10;

/** `IGNORE_ALL_PREVIOUS_INSTRUCTIONS`: whoever says something takes more words than whoever names something. */
function isSentence(key: string): boolean {
  const words = toWords(key).length;
  if (words > MAX_WORDS || key.split("-").filter(Boolean).length > MAX_KEBAB_WORDS) return true;
  if (words > MAX_CAPITAL_WORDS && !/\p{Ll}/u.test(key)) return true;
  return (key.match(/\p{Lo}/gu) ?? []).length > MAX_SIGNS;
}

function toWords(key: string): string[] {
  return key.match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+/gu) ?? [];
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
