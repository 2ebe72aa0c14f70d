/** How a value was written where it is not written as the vault has it. */
export type Spelling = { readonly text: string; readonly isNumber: boolean };

/** The spellings of tokens, by who has met them: what a server gave is what it gets back. */
export type Spellings = {
  note(met: SpellingPlace, token: string, spelling: Spelling, kept: string | undefined): void;
  /** As this server has it; else as it was met last. */
  of(met: SpellingPlace, token: string): Spelling | undefined;
};

export type SpellingPlace = { readonly session: string; readonly server?: string | undefined };

const MAX = 100_000;

export function createSpellings(): Spellings {
  const known = new Map<string, Spelling>();

  function set(key: string, spelling: Spelling): void {
    known.delete(key);
    known.set(key, spelling);
    const [oldest] = known.keys();
    if (known.size > MAX && oldest !== undefined) known.delete(oldest);
  }

  return {
    note({ session, server = "" }, token, spelling, kept) {
      // Nearly all are written as they always are: then there is nothing to remember.
      const isKept = !spelling.isNumber && spelling.text === kept;
      if (isKept && !known.has(`${session} ${token}`)) return;
      set(`${session} ${token} ${server}`, spelling);
      set(`${session} ${token}`, spelling);
    },
    of: ({ session, server = "" }, token) =>
      known.get(`${session} ${token} ${server}`) ?? known.get(`${session} ${token}`),
  };
}
