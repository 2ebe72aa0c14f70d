import { foldWord } from "../keys/key-words.ts";
import { isNobodysWord } from "./name-ids.ts";

/** The names that a session has seen, as identifiers write them. */
export type KnownNames = {
  /** Two words of one name, run together in either order. */
  readonly whole: Set<string>;
  /** One word and the first letter of another. */
  readonly short: Set<string>;
  /** The words that a whole one begins with, so that others are passed over. */
  readonly words: Set<string>;
};

const MAX_FORMS = 1_000_000;
const MAX_WORDS = 5;

export function noNames(): KnownNames {
  return { whole: new Set(), short: new Set(), words: new Set() };
}

/** Learns a full name: `Lena Schmidt`, `Schmidt, Lena`. One word alone is too common to be looked for. */
export function learnName(known: KnownNames, name: string): void {
  if (name.length > 100 || !/[\s,._-]/.test(name)) return;
  const words = name
    .split(/[^\p{L}\p{M}'’]+/u)
    .map((word) => foldWord(word).replace(/['’]/g, ""))
    .filter((word) => word.length > 1)
    .slice(0, MAX_WORDS);
  if (words.length < 2 || known.whole.size > MAX_FORMS) return;
  const [given = "", family = ""] = words;
  if (words.length === 2 && known.whole.has(given + family)) return;
  words.forEach((first, index) => {
    words.forEach((second, other) => {
      if (index !== other) addForms(known, first, second);
    });
  });
  // `Willem de Vries` is `wdevries`, and `Maria del Mar Ruiz` `maria.delmarruiz`.
  if (words.length > 2) {
    addForms(known, given, words.slice(1).join(""));
    addForms(known, words.slice(0, -1).join(""), words.at(-1) ?? "");
  }
}

function addForms(known: KnownNames, first: string, second: string): void {
  known.whole.add(first + second);
  known.words.add(first);
  if (second.length < 3) return;
  known.short.add(first.charAt(0) + second);
  known.short.add(second + first.charAt(0));
}

/** Learns the name that an e-mail address has before its `@`: `lena.schmidt@…`. */
export function learnMailName(known: KnownNames, address: string): void {
  const local = address.slice(0, address.indexOf("@"));
  const match = /^(\p{L}{2,20})[._-](\p{L}{2,20})\d{0,6}$/u.exec(local);
  if (match === null || isNobodysWord(match[1] ?? "") || isNobodysWord(match[2] ?? "")) return;
  learnName(known, `${match[1]} ${match[2]}`);
}
