/** Whose programs wait and run, and what each has used lately: from this follows whose turn is next. */
export type Shares = {
  line(principal: string, session: string): Line;
  /** The line whose turn is next, of those that `mayStart`. */
  next(mayStart: (line: Line) => boolean): Line | undefined;
  started(line: Line): void;
  /** Without a time: it is not over, it only gives its slot back. */
  left(line: Line, tookMs?: number): void;
};

type Share = {
  running: number;
  /** Programs that gave their slots back for a while. */
  held: number;
  /** Time in slots; what is past counts by half each minute. */
  usedMs: number;
};

export type Principal = Share & {
  readonly lines: Map<string, Line>;
  waitingPrograms: number;
  waitingBytes: number;
};

/** A session of a principal: first come, first served. */
export type Line = Share & {
  readonly principal: Principal;
  readonly waiting: Set<Waiting>;
  /** How long its last programs took. */
  tookMs: readonly number[];
};

export type Waiting = { readonly since: number; start(): void };

const HALF_LIFE_MS = 60_000;
/** What a program that runs counts for beside the time it has taken: else one could start many in the same instant. */
const RUNNING_MS = 1_000;
const REMEMBERED_RUNS = 16;
/** Sessions of a principal, and principals; of those that neither wait nor run the first to come is the first forgotten. */
const MAX_REMEMBERED = 1_024;

export function createShares(now: () => number): Shares {
  const principals = new Map<string, Principal>();
  let agedAt = now();

  function age(): void {
    const passedMs = now() - agedAt;
    if (passedMs === 0) return;
    agedAt += passedMs;
    const kept = 2 ** (-passedMs / HALF_LIFE_MS);
    const ageOne = (share: Share) => {
      share.usedMs = share.usedMs * kept + share.running * passedMs;
    };
    for (const principal of principals.values()) {
      ageOne(principal);
      for (const line of principal.lines.values()) ageOne(line);
      forget(principal.lines, ({ running, held, waiting }) => running + held + waiting.size > 0);
    }
    forget(principals, ({ running, waitingPrograms, held }) => running + waitingPrograms + held > 0);
  }

  /** The least comes first. Waiting makes it less, so that everybody's turn comes, whoever else arrives. */
  function claim({ usedMs, running }: Share, since: number): number {
    return usedMs + running * RUNNING_MS - (agedAt - since);
  }

  function nextOf(principal: Principal, mayStart: (line: Line) => boolean) {
    let next: Line | undefined;
    let least = Number.POSITIVE_INFINITY;
    let since = agedAt;
    for (const line of principal.lines.values()) {
      if (line.waiting.size === 0 || !mayStart(line)) continue;
      const [first] = line.waiting;
      if (first === undefined) continue;
      since = Math.min(since, first.since);
      const own = claim(line, first.since);
      if (own >= least) continue;
      next = line;
      least = own;
    }
    return next && { line: next, since };
  }

  return {
    line(principalName, session) {
      const principal = getOrAdd(principals, principalName, () => ({
        running: 0,
        held: 0,
        usedMs: 0,
        lines: new Map(),
        waitingPrograms: 0,
        waitingBytes: 0,
      }));
      return getOrAdd(principal.lines, session, () => ({
        principal,
        running: 0,
        held: 0,
        usedMs: 0,
        waiting: new Set(),
        tookMs: [],
      }));
    },
    next(mayStart) {
      age();
      let found: { line: Line; claim: number } | undefined;
      for (const principal of principals.values()) {
        if (principal.waitingPrograms === 0) continue;
        const best = nextOf(principal, mayStart);
        if (best === undefined) continue;
        const own = claim(principal, best.since);
        if (found === undefined || own < found.claim) found = { line: best.line, claim: own };
      }
      return found?.line;
    },
    started(line) {
      line.running++;
      line.principal.running++;
    },
    left(line, tookMs) {
      age();
      line.running--;
      line.principal.running--;
      if (tookMs !== undefined) line.tookMs = [...line.tookMs, tookMs].slice(-REMEMBERED_RUNS);
    },
  };
}

/**
 * How long the programs of a line take when nothing keeps them: a quarter of the last took no longer. On a machine with
 * much to do every program is slow now and then.
 */
export function typicalMs({ tookMs }: Line): number | undefined {
  return tookMs.toSorted((a, b) => a - b)[Math.floor((tookMs.length - 1) / 4)];
}

function forget<Value>(map: Map<string, Value>, isAtWork: (value: Value) => boolean): void {
  if (map.size <= MAX_REMEMBERED) return;
  for (const [key, value] of map) {
    if (!isAtWork(value)) map.delete(key);
    if (map.size <= MAX_REMEMBERED) return;
  }
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
