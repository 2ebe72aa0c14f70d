/** What of a skill's export its import is written from. */
export type TakenExport = { readonly name: string; readonly signature: string };

/** How a program imports a skill. */
export type WrittenImport = {
  readonly line: string;
  /** As what the program then has each export; without those that no program can import. */
  readonly names: ReadonlyMap<string, string>;
};
