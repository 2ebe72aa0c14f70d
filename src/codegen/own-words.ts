import type { LanguageNaming } from "../catalog/names.ts";

/** How a program writes what is Keyhole's own, for hints that it can act on. */
export type OwnWords = {
  readonly search: string;
  /** How files of a folder are listed. */
  list(path: string): string;
};

export const OWN_WORDS: Readonly<Record<LanguageNaming, OwnWords>> = {
  typescript: { search: "searchTools", list: (path) => `readdir("${path}")` },
  python: { search: "search_tools", list: (path) => `os.listdir("${path}")` },
};
