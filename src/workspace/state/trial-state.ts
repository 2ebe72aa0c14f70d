import { readStateKey, toStateText } from "./state-bounds.ts";
import { type StateSpace, toSpaceText } from "./state-space.ts";
import type { StateEntry, StateKey, StateStore } from "./state-store.ts";

/** For a program that is only tried out: it sees what it wrote, and nothing of that is kept. */
export function createTrialState(
  store: StateStore,
  onWrite: () => void,
): Pick<StateStore, "get" | "set" | "delete" | "list"> {
  const written = new Map<string, Map<string, StateEntry | undefined>>();
  let versions = 0;

  function writtenIn(space: StateSpace): Map<string, StateEntry | undefined> {
    const text = toSpaceText(space);
    const known = written.get(text) ?? new Map<string, StateEntry | undefined>();
    written.set(text, known);
    return known;
  }

  async function get(space: StateSpace, key: unknown): Promise<StateEntry | undefined> {
    const own = writtenIn(space);
    const name = readStateKey(key);
    return own.has(name) ? own.get(name) : store.get(space, name);
  }

  return {
    get,
    async set(space, key, { value, origin, expected }) {
      const name = readStateKey(key);
      const text = toStateText(name, value);
      const current = await get(space, name);
      if (expected !== undefined && (current?.version ?? 0) !== expected)
        return { isWritten: false, current };
      onWrite();
      const version = --versions;
      writtenIn(space).set(name, { value: JSON.parse(text), version, origin });
      return { isWritten: true, version };
    },
    async delete(space, key) {
      const name = readStateKey(key);
      const isThere = (await get(space, name)) !== undefined;
      onWrite();
      writtenIn(space).set(name, undefined);
      return isThere;
    },
    async list(space, prefix = "") {
      const own = writtenIn(space);
      const kept = (await store.list(space, prefix)).filter(({ key }) => !own.has(key));
      const added = [...own].flatMap(([key, entry]): StateKey[] =>
        entry !== undefined && key.startsWith(prefix) ? [{ key, origin: entry.origin }] : [],
      );
      return [...kept, ...added].sort((a, b) => (a.key < b.key ? -1 : 1));
    },
  };
}
