import { GLOSSES_JA, GLOSSES_KO } from "./glosses-other.ts";
import { GLOSSES_ZH } from "./glosses-zh.ts";
import { toEntries } from "./parse-lexicon.ts";

const GLOSSES = new Map<string, string>();
for (const text of [GLOSSES_KO, GLOSSES_JA, GLOSSES_ZH])
  for (const [word, english] of toEntries(text)) GLOSSES.set(word, english.join(" "));

const LONGEST = Math.max(0, ...[...GLOSSES.keys()].map((word) => word.length));

/** The English of the words that the lexicon knows, longest first; what is left is given back as it was. */
export function toEnglish(run: string): { readonly english: string; readonly rest: readonly string[] } {
  const english: string[] = [];
  const rest: string[] = [];
  let unknown = "";
  let at = 0;
  while (at < run.length) {
    const word = findWord(run, at);
    if (word === undefined) unknown += run[at++];
    else {
      if (unknown !== "") rest.push(unknown);
      unknown = "";
      english.push(GLOSSES.get(word) ?? "");
      at += word.length;
    }
  }
  if (unknown !== "") rest.push(unknown);
  return { english: english.join(" "), rest };
}

function findWord(run: string, at: number): string | undefined {
  for (let length = Math.min(LONGEST, run.length - at); length > 0; length--) {
    const word = run.slice(at, at + length);
    if (GLOSSES.has(word)) return word;
  }
  return undefined;
}
