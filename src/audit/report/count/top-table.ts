/** A table by name that stays small whatever names there are: the names that are seen least are given up when it is full. */
export type TopTable<Value> = {
  take(name: string): Value;
  /** The heaviest first; `isAbout` where the name may have been given up before, so that some are missing. */
  top(limit: number): readonly { readonly name: string; readonly value: Value; readonly isAbout: boolean }[];
  /** How many names there were; the least it can be once some were given up. */
  readonly size: number;
  readonly isFull: boolean;
};

const CAPACITY = 4_096;
const MAX_NAME_LENGTH = 400;

export function createTopTable<Value>(
  create: () => Value,
  weigh: (value: Value) => number,
  capacity = CAPACITY,
): TopTable<Value> {
  const kept = new Map<string, { value: Value; isAbout: boolean }>();
  let isFull = false;
  let mostNames = 0;

  const giveUp = () => {
    isFull = true;
    const lightest = [...kept].sort(([, a], [, b]) => weigh(a.value) - weigh(b.value));
    for (const [name] of lightest.slice(0, Math.ceil(capacity / 2))) kept.delete(name);
  };

  return {
    take(name) {
      const key = name.length > MAX_NAME_LENGTH ? toShortName(name) : name;
      const known = kept.get(key);
      if (known) return known.value;
      if (kept.size >= capacity) giveUp();
      const made = { value: create(), isAbout: isFull || key !== name };
      kept.set(key, made);
      mostNames = Math.max(mostNames, kept.size);
      return made.value;
    },
    top: (limit) =>
      [...kept]
        .map(([name, { value, isAbout }]) => ({ name, value, isAbout }))
        .sort((a, b) => weigh(b.value) - weigh(a.value) || (a.name < b.name ? -1 : 1))
        .slice(0, limit),
    get size() {
      return mostNames;
    },
    get isFull() {
      return isFull;
    },
  };
}

/** A copy: a piece of a text would keep the whole of it in memory. */
function toShortName(name: string): string {
  return `${Buffer.from(name.slice(0, MAX_NAME_LENGTH)).toString()}…`;
}
