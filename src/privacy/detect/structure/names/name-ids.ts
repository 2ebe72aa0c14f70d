import { foldWord } from "../keys/key-words.ts";

const MAX_ID_LENGTH = 64;
/** Words of ids that are nobody's name. */
const NO_NAMES = new Set(
  `user users guest test tester admin administrator root system service account customer client member employee patient order item product payment credit debit card paypal gift bank transaction
  session device token key temp tmp demo example sample default anonymous bot api app web site shop store team group project task ticket issue event report file folder doc image img photo video
  comment message msg mail email phone address contact deal invoice quote plan sub subscription role type status state new old main prod dev staging stage local remote server host node
  db data table row col field id uid uuid num nr ref code hash prefix suffix version v release build branch tag commit checkout cart basket wish list queue job run step stage batch
  us eu uk de fr es it en first last next prev left right top bottom public private internal external certificate gift loyalty reward voucher flight hotel room reservation booking
  super power lite pro plus premium basic free trial support sales info help desk ops devops marketing finance hr legal it security manager owner editor viewer reader writer agent assistant`.split(
    /\s+/,
  ),
);

/** An id of two or three words that could be a name, with a number or without: `mia_li_3668`, `anna.berg`. */
export function isNameId(text: string, options: { withoutNumber: boolean }): boolean {
  if (text.length < 5 || text.length > MAX_ID_LENGTH) return false;
  const match = /^(\p{L}{2,20})[._-](\p{L}{2,20})(?:[._-](\p{L}{2,20}))?[._-]?(\d{0,8})$/u.exec(text);
  if (match === null || (match[4] === "" && !options.withoutNumber)) return false;
  const words = match.slice(1, 4).filter((word) => word !== undefined && word !== "");
  return (
    words.some(hasVowel) && words.every((word) => (hasVowel(word) || word.length < 4) && !isNobodysWord(word))
  );
}

/** Whether a word is one of systems, not of somebody's name. */
export function isNobodysWord(word: string): boolean {
  const folded = foldWord(word);
  return NO_NAMES.has(folded) || NO_NAMES.has(folded.replace(/s$/, ""));
}

function hasVowel(word: string): boolean {
  return /[aeiouyà-ÿаеёиоуыэюя]|\p{Lo}/iu.test(word);
}
