/** @typedef {{ place: string, open: number, turn: number, order: number, leave(): void, fail(error: unknown): void }} Site */

const MAX_TOLD = 5;

/** Knows which places of a program await a promise that has not settled yet. */
export function createAwaiting() {
  const { apply, getPrototypeOf } = Reflect;
  const { prototype } = Promise;
  const { then } = prototype;
  const soon = queueMicrotask;
  /** @type {Map<string, Site>} */
  const sites = new Map();
  /**
   * Where what was thrown was awaited first. To look at a promise takes its place out of V8's stacks.
   * @type {WeakMap<object, string>}
   */
  const failed = new WeakMap();
  let turn = 0;
  let order = 0;
  let isTurnEnding = false;

  /** @param {string} place */
  function createSite(place) {
    /** @type {Site} */
    const site = {
      place,
      open: 0,
      turn: 0,
      order: 0,
      leave: () => void site.open--,
      fail(error) {
        site.open--;
        if (typeof error === "object" && error !== null && !failed.has(error)) failed.set(error, place);
      },
    };
    sites.set(place, site);
    return site;
  }

  function endTurn() {
    turn++;
    isTurnEnding = false;
  }

  /**
   * Notes that `place` awaits `value`, and hands `value` back. Only plain promises are noted: to ask anything else would
   * run code of the program's that its own `await` runs too.
   * @param {string} place `LINE:COLUMN` in the source, in a skill with its name: `LINE:COLUMN NAME`
   * @param {unknown} value
   */
  function awaiting(place, value) {
    try {
      if (typeof value !== "object" || value === null || getPrototypeOf(value) !== prototype) return value;
      const site = sites.get(place) ?? createSite(place);
      apply(then, value, [site.leave, site.fail]);
      site.open++;
      site.turn = turn;
      site.order = ++order;
      if (!isTurnEnding) {
        isTurnEnding = true;
        soon(endTurn);
      }
    } catch {
      // A program that has broken its promises gets its own error when it awaits them.
    }
    return value;
  }

  /**
   * The places that await, the likely cause first: a function that awaits is itself awaited, by a place that began
   * earlier, or in the same turn later.
   * @returns {{ line: number, column: number, skill?: string }[]}
   */
  function places() {
    return [...sites.values()]
      .filter((site) => site.open > 0)
      .sort((a, b) => b.turn - a.turn || a.order - b.order)
      .flatMap(({ place }) => toPosition(place) ?? [])
      .slice(0, MAX_TOLD);
  }

  /** @param {unknown} thrown */
  function placeOf(thrown) {
    const place = typeof thrown === "object" && thrown !== null ? failed.get(thrown) : undefined;
    return place === undefined ? undefined : toPosition(place);
  }

  return { awaiting, places, placeOf };
}

/** @param {unknown} place */
function toPosition(place) {
  const [, line, column, skill] = /^(\d{1,9}):(\d{1,9})(?: ([a-z0-9-]{1,64}))?$/.exec(String(place)) ?? [];
  if (line === undefined) return undefined;
  return { line: Number(line), column: Number(column), ...(skill === undefined ? {} : { skill }) };
}
