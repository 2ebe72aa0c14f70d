/** Words that say nothing about which tool is meant. */
const STOP_WORDS = new Set(
  (
    "a an and any are as at be by can could do does for from has have how i if in into is it its me my need of on or " +
    "our please should so some that the their them then there these this those to us use using want was we what when " +
    "where which who will with would you your tool tools"
  ).split(" "),
);

const WORD = /[\p{L}\p{N}]+/gu;
const CJK_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
const CJK_CHAR = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The stems of a text's words: names are split (`createIssue`, `list_PRs`), stop words left out. */
export function toTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of splitCase(text).matchAll(WORD)) {
    if (CJK_CHAR.test(word)) terms.push(...toBigrams(word));
    else {
      const lower = word.toLowerCase();
      if (!STOP_WORDS.has(lower)) terms.push(toStem(lower));
    }
  }
  return terms;
}

/** `getHTTPStatus2` → `get HTTP Status 2`; what separates words otherwise is left to the word pattern. */
function splitCase(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N})/gu, "$1 $2");
}

/** Chinese, Japanese and Korean are written without spaces: pairs of characters stand in for words. */
function toBigrams(word: string): string[] {
  const terms = word
    .replace(CJK_RUN, " ")
    .split(" ")
    .filter(Boolean)
    .map((part) => toStem(part.toLowerCase()));
  for (const [run] of word.matchAll(CJK_RUN)) {
    const chars = [...run];
    if (chars.length === 1) terms.push(run);
    for (let at = 0; at + 1 < chars.length; at++) terms.push(`${chars[at]}${chars[at + 1]}`);
  }
  return terms;
}

/** Light stemming: plural, -ing, -ed and a final e. It need not yield words, only the same stem for the same word. */
export function toStem(word: string): string {
  let stem = word;
  if (stem.length > 4 && stem.endsWith("ies")) stem = `${stem.slice(0, -3)}y`;
  else if (stem.length > 4 && /(?:ss|x|ch|sh|z)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (stem.length > 3 && /[^sui]s$/.test(stem)) stem = stem.slice(0, -1);
  if (stem.length > 5 && stem.endsWith("ing")) stem = undouble(stem.slice(0, -3));
  else if (stem.length > 4 && stem.endsWith("ed")) stem = undouble(stem.slice(0, -2));
  if (stem.length > 3 && stem.endsWith("e")) stem = stem.slice(0, -1);
  return stem;
}

function undouble(stem: string): string {
  return /([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}
