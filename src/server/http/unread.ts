export type Unread = {
  /** Whether a principal's clients read their answers well enough for one more request. */
  hasRoom(principal: string): boolean;
  /** `close` ends the connection of whoever is to read the answer. */
  begin(principal: string, close: () => void): UnreadAnswer;
  /** Ends what is read too far behind the minimum rate. */
  endSlow(): void;
  bytes(): number;
};

export type UnreadAnswer = {
  /** So many bytes more wait to be read. */
  add(bytes: number): void;
  /** So many of them were read. */
  take(bytes: number): void;
  end(): void;
};

export type UnreadOptions = {
  readonly maxBytes: number;
  readonly maxPrincipalBytes: number;
  /** Of one answer; what an answer may grow to while nobody reads it. */
  readonly maxAnswerBytes: number;
  readonly minBytesPerSecond: number;
  /** So far behind that rate a reader may be, while there is room. */
  readonly patienceMs: number;
  readonly now?: () => number;
};

type Answer = {
  readonly principal: string;
  readonly close: () => void;
  waitingBytes: number;
  /** Until when what was read is enough at the minimum rate. */
  dueMs: number;
};

/** Where there is no room, whoever is behind by more than this gives way; whoever has just begun does not. */
const SLOW_AFTER_MS = 1_000;
/** Nobody is ahead by more: the system's own buffers take the first megabytes, whether anybody reads or not. */
const MAX_AHEAD_MS = 1_000;
/** Answers that all have just begun may take so many times the room; they are read in a moment. */
const BURST = 2;

/**
 * What clients do not read is kept in memory: it is counted for each principal and for all, and where it is too much the
 * connections that read most slowly are ended, of the principal that has most.
 */
export function createUnread(options: UnreadOptions): Unread {
  const { maxBytes, maxPrincipalBytes, maxAnswerBytes, minBytesPerSecond, patienceMs } = options;
  const now = options.now ?? (() => performance.now());
  const answers = new Set<Answer>();
  const byPrincipal = new Map<string, number>();
  let allBytes = 0;

  const of = (principal: string) => byPrincipal.get(principal) ?? 0;

  function count(answer: Answer, bytes: number): void {
    answer.waitingBytes += bytes;
    allBytes += bytes;
    const own = of(answer.principal) + bytes;
    if (own > 0) byPrincipal.set(answer.principal, own);
    else byPrincipal.delete(answer.principal);
  }

  function release(answer: Answer): void {
    if (answers.delete(answer)) count(answer, -answer.waitingBytes);
  }

  function end(answer: Answer): void {
    release(answer);
    answer.close();
  }

  function slowestOf(principal: string): Answer | undefined {
    let slowest: Answer | undefined;
    for (const answer of answers) {
      if (answer.principal !== principal || answer.waitingBytes === 0) continue;
      if (slowest === undefined || answer.dueMs < slowest.dueMs) slowest = answer;
    }
    return slowest;
  }

  /** How full it is, 1 being the bound, and whose fault that is. */
  function pressure(principal: string): { fullness: number; by: string } {
    const own = of(principal) / maxPrincipalBytes;
    if (own > 1 || allBytes <= maxBytes) return { fullness: own, by: principal };
    const [by] = [...byPrincipal].reduce((most, one) => (one[1] > most[1] ? one : most), ["", 0]);
    return { fullness: allBytes / maxBytes, by };
  }

  function makeRoom(principal: string): void {
    const at = now();
    for (;;) {
      const { fullness, by } = pressure(principal);
      if (fullness <= 1) return;
      const slowest = slowestOf(by);
      if (slowest === undefined) return;
      const isSlow = at - slowest.dueMs >= SLOW_AFTER_MS;
      if (!isSlow && fullness <= BURST) return;
      end(slowest);
    }
  }

  return {
    hasRoom(principal) {
      makeRoom(principal);
      return of(principal) <= maxPrincipalBytes;
    },
    begin(principal, close) {
      const answer: Answer = { principal, close, waitingBytes: 0, dueMs: 0 };
      answers.add(answer);
      return {
        add(bytes) {
          if (!answers.has(answer)) return;
          if (answer.waitingBytes === 0) answer.dueMs = now();
          count(answer, bytes);
          if (answer.waitingBytes > maxAnswerBytes) end(answer);
          else makeRoom(principal);
        },
        take(bytes) {
          if (!answers.has(answer)) return;
          answer.dueMs = Math.min(now() + MAX_AHEAD_MS, answer.dueMs + (bytes / minBytesPerSecond) * 1_000);
          count(answer, -bytes);
        },
        end: () => release(answer),
      };
    },
    endSlow() {
      const at = now();
      for (const answer of [...answers]) {
        if (answer.waitingBytes > 0 && at - answer.dueMs >= patienceMs) end(answer);
      }
    },
    bytes: () => allBytes,
  };
}
