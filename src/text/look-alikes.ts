/** Scripts with letters that look like Latin ones. */
const OTHER_SCRIPTS =
  "\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}\\p{Script=Cherokee}\\p{Script=Coptic}\\p{Script=Lisu}";
/** Latin letters and digits in another shape: full width, mathematical, letter-like. */
const OTHER_SHAPES = "\\uff01-\\uff5e\\u{1d400}-\\u{1d7ff}\\u2100-\\u214f";

const WORD = /[\p{L}\p{M}\p{N}@._-]+/gu;
const LATIN = /[a-z]/i;
const OTHER = new RegExp(`[${OTHER_SCRIPTS}]`, "gu");
const SHAPES = new RegExp(`[${OTHER_SHAPES}]`, "gu");
/** Those that nobody tells apart from a Latin letter. */
const TWINS = /^[аеорсухіјѕԁԛԝһӏвкмнтгпАВЕКМНОРСТХІЈЅԌԚԜҮαινορυκχτγΑΒΕΖΗΙΚΜΝΟΡΤΥΧոսցհօՕՍ]*$/u;

/**
 * Writes letters that could pass for Latin ones as `\u0430`: those of another script in a word (or an address) that has
 * Latin ones too. A text in its own script stays as it is. JSON stays the same JSON.
 */
export function showLookAlikes(text: string): string {
  return text.replace(WORD, (word) => {
    const plain = word.replace(SHAPES, toEscape);
    return LATIN.test(word) ? plain.replace(OTHER, toEscape) : plain;
  });
}

/** The same for a name, in which a word that only looks Latin counts too. */
export function showLookAlikesInName(name: string): string {
  return showLookAlikes(name).replace(WORD, (word) => {
    const others = word.match(OTHER)?.join("") ?? "";
    return TWINS.test(others) ? word.replace(OTHER, toEscape) : word;
  });
}

function toEscape(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
