import type { Catalog } from "../catalog/catalog.ts";
import type { Printer } from "../codegen/printer.ts";
import { KeyholeError } from "../errors.ts";
import type { Language, Readers, ReaderWorld } from "../language/language.ts";
import { findLanguage, guessLanguage } from "../language/languages.ts";
import type { GuestSpec } from "../sandbox/guest-spec.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { createServersFolder, type ServersFolder } from "./own-tools/servers-folder.ts";

/** What the runs of one language need. */
export type OpenLanguage = {
  readonly printer: Printer;
  readonly skillFile: string | undefined;
  readonly readers: Readers;
  /** Where its programs run in this tier, opened with the first of them. Throws where the tier can't be had. */
  sandboxIn(tier: string): Sandbox;
  readonly serversFolder: ServersFolder;
};

/** The languages of an engine. Each is opened with its first program; the first one at once. */
export type OpenLanguages = {
  readonly first: OpenLanguage;
  /** All that programs can be written in. */
  readonly all: readonly [Language, ...Language[]];
  /** By any of its names, the first without one; nothing where programs in it can't run. */
  find(name: string | undefined): OpenLanguage | undefined;
  /** Its own name for one of its names; the word itself where it is none; without one, by what the code looks like. */
  nameOf(word: string | undefined, code: string): string;
  /** Programs that are being read end now. */
  closeReaders(): void;
  closeSandboxes(): Promise<void>;
};

export type OpenLanguagesOptions = {
  readonly catalog: Catalog;
  readonly world: ReaderWorld;
  /** @param isFirst whether it is for programs of the first language */
  createSandbox(guest: GuestSpec, tier: string, isFirst: boolean): Sandbox;
};

export function openLanguages(
  languages: readonly [Language, ...Language[]],
  { catalog, world, createSandbox }: OpenLanguagesOptions,
): OpenLanguages {
  const opened = new Map<Language, OpenLanguage>();
  // Languages of one guest share what is kept warm.
  const sandboxes = new Map<GuestSpec, Map<string, Sandbox>>();
  let isClosed = false;

  function sandboxOf(guest: GuestSpec, tier: string): Sandbox {
    if (isClosed) throw new KeyholeError("cancelled", "Cannot open a sandbox: Keyhole is closed");
    const byTier = sandboxes.get(guest) ?? new Map<string, Sandbox>();
    sandboxes.set(guest, byTier);
    const known = byTier.get(tier) ?? createSandbox(guest, tier, guest === languages[0].guest);
    byTier.set(tier, known);
    return known;
  }

  function open(language: Language): OpenLanguage {
    const known = opened.get(language);
    if (known !== undefined) return known;
    const { printer, guest, skillFile } = language;
    const made: OpenLanguage = {
      printer,
      skillFile,
      readers: language.createReaders(world),
      sandboxIn: (tier) => sandboxOf(guest, tier),
      serversFolder: createServersFolder(catalog, printer),
    };
    opened.set(language, made);
    return made;
  }

  return {
    first: open(languages[0]),
    all: languages,
    find(name) {
      const language = name === undefined ? languages[0] : findLanguage(name, languages);
      return language === undefined ? undefined : open(language);
    },
    nameOf(word, code) {
      if (word === undefined) return guessLanguage(code, languages).name;
      return findLanguage(word, languages)?.name ?? word;
    },
    closeReaders() {
      for (const { readers } of opened.values()) readers.close();
    },
    async closeSandboxes() {
      isClosed = true;
      const all = [...sandboxes.values()].flatMap((byTier) => [...byTier.values()]);
      await Promise.all(all.map((sandbox) => sandbox.close()));
    },
  };
}
