/** Light stemming: plural, -ing, -ed and the final vowel. It need not yield words, only one stem for one word. */
export function toStem(word: string): string {
  if (word.length < 4 || word === "news" || !/^[a-z]+$/.test(word)) return word;
  let stem = dropPlural(word);
  if (stem.length > 5 && stem.endsWith("ing")) stem = undouble(stem.slice(0, -3));
  else if (stem.length > 4 && stem.endsWith("ed")) stem = undouble(stem.slice(0, -2));
  if (stem.length > 3 && stem.endsWith("e")) stem = stem.slice(0, -1);
  return stem.length > 3 && stem.endsWith("y") ? `${stem.slice(0, -1)}i` : stem;
}

function dropPlural(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

function undouble(stem: string): string {
  return /([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}
