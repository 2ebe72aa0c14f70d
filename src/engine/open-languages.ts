import type { Catalog } from "../catalog/catalog.ts";
import type { Printer } from "../codegen/printer.ts";
import type { Language, Readers, ReaderWorld } from "../language/language.ts";
import { findLanguage } from "../language/languages.ts";
import type { GuestSpec } from "../sandbox/guest-spec.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { createServersFolder, type ServersFolder } from "./own-tools/servers-folder.ts";

/** What the runs of one language need. */
export type OpenLanguage = {
  readonly printer: Printer;
  readonly readers: Readers;
  readonly sandbox: Sandbox;
  readonly serversFolder: ServersFolder;
};

/** The languages of an engine. Each is opened with its first program; the first one at once. */
export type OpenLanguages = {
  readonly first: OpenLanguage;
  /** All that programs can be written in. */
  readonly all: readonly [Language, ...Language[]];
  /** By any of its names, the first without one; nothing where programs in it can't run. */
  find(name: string | undefined): OpenLanguage | undefined;
  /** Its own name for one of its names; the word itself where it is none. */
  nameOf(word: string | undefined): string;
  /** Programs that are being read end now. */
  closeReaders(): void;
  closeSandboxes(): Promise<void>;
};

export type OpenLanguagesOptions = {
  readonly catalog: Catalog;
  readonly world: ReaderWorld;
  createSandbox(guest: GuestSpec): Sandbox;
};

export function openLanguages(
  languages: readonly [Language, ...Language[]],
  { catalog, world, createSandbox }: OpenLanguagesOptions,
): OpenLanguages {
  const opened = new Map<Language, OpenLanguage>();
  // Languages of one guest share what is kept warm.
  const sandboxes = new Map<GuestSpec, Sandbox>();

  function sandboxOf(guest: GuestSpec): Sandbox {
    const known = sandboxes.get(guest) ?? createSandbox(guest);
    sandboxes.set(guest, known);
    return known;
  }

  function open(language: Language): OpenLanguage {
    const known = opened.get(language);
    if (known !== undefined) return known;
    const { printer, guest } = language;
    const made: OpenLanguage = {
      printer,
      readers: language.createReaders(world),
      sandbox: sandboxOf(guest),
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
    nameOf: (word = languages[0].name) => findLanguage(word, languages)?.name ?? word,
    closeReaders() {
      for (const { readers } of opened.values()) readers.close();
    },
    async closeSandboxes() {
      await Promise.all([...sandboxes.values()].map((sandbox) => sandbox.close()));
    },
  };
}
