import { MAX_SESSIONS, type Scene } from "./anomaly.ts";
import { createRecentMap } from "./recent-map.ts";
import { HOUR_MS } from "./usual.ts";

/** Something that counts for a rule, whatever becomes of the session that it was done in. */
export type CarriedNote = {
  readonly rule: string;
  /** What is counted together, as a recipient. */
  readonly group: string;
  /** The same thing done again counts once. */
  readonly what: string;
  readonly points: number;
  readonly at: number;
  /** Of its event. */
  readonly id: string;
  /** The session, in one process. */
  readonly from: string;
  /** How many calls the party has made since. */
  readonly behind: number;
};

/** Where the notes of a party (a principal with a client) are, so that they outlive a process. */
export type CarriedStore = {
  read(party: string): readonly CarriedNote[];
  write(party: string, notes: readonly CarriedNote[]): void;
};

export type CarriedCounts = {
  /** One more; tells what there is of the same group, this one last. Empty where all of it was done in this session. */
  add(
    scene: Pick<Scene, "party" | "session">,
    event: { readonly at: number; readonly id: string },
    note: Pick<CarriedNote, "rule" | "group" | "what" | "points">,
  ): readonly CarriedNote[];
  /** A call that counts for nothing. */
  pass(party: string): void;
  /** It was told. */
  forget(party: string, rule: string, group: string): void;
  /** Keeps how many calls were made since the last note. */
  flush(): void;
};

/** What was done in another session counts for so long. */
const CARRIED_MS = HOUR_MS;
export const MAX_CARRIED = 64;

/** @param hash what is kept may be read by others: no names */
export function createCarriedCounts(
  store: CarriedStore = createMemoryStore(),
  hash: (text: string) => string = (text) => text,
  ownName = "",
): CarriedCounts {
  const passes = createRecentMap(MAX_SESSIONS, () => ({ party: "", count: 0 }));

  function read(party: string, at: number): CarriedNote[] {
    const passed = passes.peek(party);
    const count = passed?.count ?? 0;
    if (passed !== undefined) passed.count = 0;
    return store
      .read(party)
      .filter((note) => at - note.at <= CARRIED_MS)
      .map((note) => (count === 0 ? note : { ...note, behind: note.behind + count }));
  }

  return {
    add({ party, session }, { at, id }, { rule, group: named, what: done, points }) {
      const [group, what] = [hash(named), hash(done)];
      const from = hash(`${session} ${ownName}`);
      const isSame = (one: CarriedNote) => one.rule === rule && one.group === group && one.what === what;
      const known = read(party, at);
      const most = known.reduce((sum, one) => (isSame(one) ? Math.max(sum, one.points) : sum), points);
      const others = known.filter((one) => !isSame(one)).map((one) => ({ ...one, behind: one.behind + 1 }));
      const note = { rule, group, what, points: most, at, id, from, behind: 0 };
      const notes = [...others, note].slice(-MAX_CARRIED);
      // So that calls are counted from here on.
      passes.of(party).party = party;
      store.write(party, notes);
      const together = notes.filter((one) => one.rule === rule && one.group === group);
      return together.some((one) => one.from !== from) ? together : [];
    },
    pass(party) {
      const passed = passes.peek(party);
      if (passed !== undefined) passed.count++;
    },
    forget(party, rule, named) {
      const notes = store.read(party);
      if (notes.length === 0) return;
      const group = hash(named);
      const left = notes.filter((one) => one.rule !== rule || one.group !== group);
      if (left.length < notes.length) store.write(party, left);
    },
    flush() {
      for (const { party, count } of passes.values())
        if (count > 0) store.write(party, read(party, Date.now()));
    },
  };
}

function createMemoryStore(): CarriedStore {
  const parties = createRecentMap<{ notes: readonly CarriedNote[] }>(MAX_SESSIONS, () => ({ notes: [] }));
  return {
    read: (party) => parties.peek(party)?.notes ?? [],
    write: (party, notes) => (parties.of(party).notes = notes),
  };
}

export function sumPoints(notes: readonly CarriedNote[]): number {
  return notes.reduce((sum, { points }) => sum + points, 0);
}
