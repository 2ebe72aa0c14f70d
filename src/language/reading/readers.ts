import { KeyholeError } from "../../errors.ts";
import type { Readers, ReaderWorld, ReadingOptions, ReadResult } from "../language.ts";
import { toExcess } from "./excess.ts";
import { MAX_PROGRAM } from "./limits.ts";
import { ReaderEnded, type ReaderProcess, startReader } from "./reader-process.ts";

const MAX_PROCESSES = 6;
/** Starting one takes about as long: before that, waiting is shorter. */
const GROW_MS = 250;
/** One that read such a program may have grown, and been made less important than others. */
const SPOILT_MS = 300;
const IDLE_MS = 60_000;
/** Who has used no more than this of late may have the last process, whoever keeps the others busy. */
const LIGHT_MS = 500;
const HALF_LIFE_MS = 30_000;
const MAX_TURNS = 1_000;

type Member = { readonly process: ReaderProcess; isBusy: boolean; idle?: NodeJS.Timeout };
type Waiting = { readonly turn: string; readonly since: number; take(member: Member): void; drop(): void };

/**
 * Reads programs, in processes that a program can crash, fill or keep busy without harm to anybody else.
 * @param main the file of the language's that calls `serveReader`
 */
export function createReaders(
  main: string,
  { servers, unavailable, types = true, stays = false }: ReaderWorld,
): Readers {
  const members = new Set<Member>();
  const spent = createSpending();
  let waiting: Waiting[] = [];
  let growing: NodeJS.Timeout | undefined;
  let isClosed = false;

  function add(): Member {
    const member: Member = { process: startReader(main, { types, stays }), isBusy: false };
    members.add(member);
    return member;
  }

  function remove(member: Member): void {
    clearTimeout(member.idle);
    members.delete(member);
    member.process.kill();
  }

  function assign(): void {
    if (members.size === 0 && waiting.length > 0) add();
    for (const member of members) {
      if (member.isBusy) continue;
      const isLast = [...members].filter((one) => one.isBusy).length === MAX_PROCESSES - 1;
      const next = pick(isLast);
      if (next === undefined) break;
      clearTimeout(member.idle);
      member.isBusy = true;
      next.take(member);
    }
    if (waiting.length > 0 && members.size < MAX_PROCESSES) grow();
  }

  /** Who has used least of late comes first, in the order in which they came. */
  function pick(isLast: boolean): Waiting | undefined {
    let best: Waiting | undefined;
    for (const one of waiting) {
      if (isLast && spent.of(one.turn) > LIGHT_MS) continue;
      if (best === undefined || spent.of(one.turn) < spent.of(best.turn)) best = one;
    }
    if (best !== undefined) waiting = waiting.filter((one) => one !== best);
    return best;
  }

  function grow(): void {
    growing ??= setTimeout(() => {
      growing = undefined;
      const oldest = waiting.reduce((since, one) => Math.min(since, one.since), performance.now());
      if (waiting.length > 0 && members.size < MAX_PROCESSES && performance.now() - oldest >= GROW_MS / 2)
        add();
      assign();
    }, GROW_MS);
  }

  function free(member: Member, tookMs: number): void {
    member.isBusy = false;
    const isSpoilt = tookMs > SPOILT_MS || !member.process.isRunning;
    if (isSpoilt) remove(member);
    if (isClosed) return;
    if (members.size === 0) add();
    if (!isSpoilt && members.size > 1) {
      member.idle = setTimeout(() => members.size > 1 && remove(member), IDLE_MS);
      member.idle.unref();
    }
    assign();
  }

  function acquire(turn: string): Promise<Member> {
    return new Promise((take, fail) => {
      const drop = () => fail(new KeyholeError("cancelled", "Cannot read the program: Keyhole is closing"));
      if (isClosed) return drop();
      waiting.push({ turn, since: performance.now(), take, drop });
      assign();
    });
  }

  async function attempt(source: string, options: ReadingOptions): Promise<ReadResult> {
    const { types: withTypes, turn = "", skill } = options;
    const member = await acquire(turn);
    // Its start is nobody's time.
    await member.process.ready();
    const start = performance.now();
    try {
      return await member.process.read({
        source,
        types: withTypes,
        servers: servers(),
        unavailable: unavailable?.(),
        skills: async (asked) => (await options.skills?.(asked)) ?? [],
        skill,
      });
    } finally {
      const tookMs = performance.now() - start;
      spent.add(turn, tookMs);
      free(member, tookMs);
    }
  }

  return {
    get pids() {
      return [...members].flatMap(({ process }) => process.pid ?? []);
    },
    async read(source, options) {
      if (source.length > MAX_PROGRAM) {
        const message = `The program is too large: ${source.length} characters, more than ${MAX_PROGRAM}`;
        return { ok: false, error: { kind: "too_large", message }, checkMs: 0 };
      }
      for (let again = true; ; again = false) {
        try {
          return await attempt(source, options);
        } catch (error) {
          if (!(error instanceof ReaderEnded) || isClosed) throw closedOr(error, isClosed);
          // Whoever ended it may do so at any moment: that is worth another try.
          if (again && error.why === "killed") continue;
          return { ok: false, error: toExcess(error.why, source), checkMs: 0 };
        }
      }
    },
    async warm() {
      const [first = isClosed ? undefined : add()] = members;
      await first?.process.warm();
    },
    close() {
      isClosed = true;
      clearTimeout(growing);
      for (const one of waiting) one.drop();
      waiting = [];
      for (const member of members) remove(member);
    },
  };
}

function closedOr(error: unknown, isClosed: boolean): unknown {
  return isClosed ? new KeyholeError("cancelled", "Cannot read the program: Keyhole is closing") : error;
}

/** Who has used how much time of late. */
function createSpending() {
  const turns = new Map<string, { ms: number; at: number }>();
  const now = (entry: { ms: number; at: number }) =>
    entry.ms * 0.5 ** ((performance.now() - entry.at) / HALF_LIFE_MS);
  return {
    of(turn: string): number {
      const entry = turns.get(turn);
      return entry === undefined ? 0 : now(entry);
    },
    add(turn: string, ms: number): void {
      const entry = turns.get(turn);
      turns.delete(turn);
      turns.set(turn, { ms: ms + (entry === undefined ? 0 : now(entry)), at: performance.now() });
      const [oldest] = turns.keys();
      if (turns.size > MAX_TURNS && oldest !== undefined) turns.delete(oldest);
    },
  };
}
