/** What begins so happened in one turn with what was before it: nothing that follows from either came between. */
const TOGETHER = "+";

/** @typedef {[name: string, time: number]} Happening */
/** @typedef {{ callback: unknown, values: unknown[], ms: number, due: number, repeats: boolean, isQuiet: boolean, real: number | undefined }} Timer */

/**
 * In which order answers come, timers fire and work is done. It is told to the host, and where the host tells it to us, it happens in
 * that order again, without waiting for the timers.
 * @param {object} options
 * @param {readonly Happening[]} options.past what happened when this program ran before
 * @param {import("./steady-clock.js").Clock} options.clock
 * @param {() => number} options.realNow
 * @param {typeof Deno} options.deno
 */
export function createOrder({ past, clock, realNow, deno }) {
  const { setTimeout: later, clearTimeout: forget, queueMicrotask: afterThis, MessageChannel } = globalThis;
  const { unrefTimer } = deno;
  /** @type {Map<number, Timer>} */
  const timers = new Map();
  /** Answers that came before their turn. @type {Map<string, () => void>} */
  const early = new Map();
  /** @type {Happening[]} */
  let news = [];
  let lastTimer = 0;
  let lastWork = 0;
  let at = 0;
  let isStepping = false;
  let isGoingOn = false;
  /** Whether the program has not yet come to do what follows from what happened last. */
  let isSameTurn = false;

  const isReplaying = () => at < past.length;

  /** @param {string} name @param {() => void} act */
  function happen(name, act) {
    const time = Math.max(realNow(), clock.peek());
    clock.advance(time);
    news.push([isSameTurn ? TOGETHER + name : name, time]);
    if (!isSameTurn) {
      isSameTurn = true;
      afterThis(() => {
        isSameTurn = false;
      });
    }
    act();
  }

  function stepSoon() {
    if (isStepping) return;
    isStepping = true;
    // By then the program has done all that followed from what happened last. A timer would take a millisecond.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      isStepping = false;
      step();
    };
    port2.postMessage(0);
  }

  /** Whether what is next could happen. */
  function step() {
    if (!isReplaying()) return false;
    const turn = nextTurn();
    if (!turn.every(([name]) => early.has(name) || timers.has(toTimer(name)))) return false;
    at += turn.length;
    const answers = turn.map(([name]) => early.get(name));
    for (const [name] of turn) early.delete(name);
    if (isReplaying()) stepSoon();
    else goOn(turn.map(([name]) => toTimer(name)));
    for (const [index, [name, time]] of turn.entries()) {
      clock.advance(time);
      (answers[index] ?? toFiring(toTimer(name)))?.();
    }
    return true;
  }

  /** What happened next, and in one turn with it. */
  function nextTurn() {
    const turn = past.slice(at, at + 1);
    for (let next = at + 1; past[next]?.[0].startsWith(TOGETHER); next++)
      turn.push(/** @type {Happening} */ (past[next]));
    return turn.map(([name, time]) => /** @type {const} */ ([name.replace(TOGETHER, ""), time]));
  }

  /** The past is over: what came early is handed on, and timers are real from here. @param {readonly number[]} firing */
  function goOn(firing) {
    const waiting = [...timers].filter(([id]) => !firing.includes(id));
    for (const [id, timer] of waiting.sort(([, a], [, b]) => a.due - b.due)) arm(id, timer);
    // What follows from the last of the past comes first: a message and an answer can come in one turn of Deno's.
    isGoingOn = true;
    later(() => {
      isGoingOn = false;
      for (const [name, act] of early) happen(name, act);
      early.clear();
    }, 0);
  }

  /** @param {number} id @param {Timer} timer */
  function arm(id, timer) {
    const left = Math.max(0, timer.due - Math.max(realNow(), clock.peek()));
    timer.real = later(() => happen(`t${id}`, toFiring(id) ?? (() => {})), left);
    if (timer.isQuiet) unrefTimer(timer.real);
  }

  /** @param {string} name */
  function toTimer(name) {
    return name.startsWith("t") ? Number(name.slice(1)) : 0;
  }

  /** @param {number} id */
  function toFiring(id) {
    const timer = timers.get(id);
    if (timer === undefined) return undefined;
    return () => {
      if (timer.repeats) {
        timer.due = clock.peek() + timer.ms;
        if (!isReplaying()) arm(id, timer);
      } else timers.delete(id);
      const { callback, values } = timer;
      if (typeof callback === "function") Reflect.apply(callback, globalThis, values);
    };
  }

  /**
   * @param {unknown} callback
   * @param {unknown} ms
   * @param {unknown[]} values
   * @param {{ repeats?: boolean, isQuiet?: boolean }} kind a quiet one keeps nothing going
   */
  function addTimer(callback, ms, values, { repeats = false, isQuiet = false }) {
    const id = ++lastTimer;
    const wait = Math.min(Math.max(Number(ms) || 0, repeats ? 1 : 0), 2 ** 31 - 1);
    const timer = { callback, values, ms: wait, due: clock.peek() + wait, repeats, isQuiet, real: undefined };
    timers.set(id, timer);
    if (isReplaying()) stepSoon();
    else arm(id, timer);
    return id;
  }

  /** @param {unknown} id */
  function removeTimer(id) {
    const timer = timers.get(Number(id));
    if (timer?.real !== undefined) forget(timer.real);
    timers.delete(Number(id));
  }

  /** @param {string} name @param {() => void} act */
  function comes(name, act) {
    if (!isReplaying() && !isGoingOn) return happen(name, act);
    early.set(name, act);
    if (isReplaying()) stepSoon();
  }

  const newWork = () => `w${++lastWork}`;

  return {
    addTimer,
    removeTimer,
    newWork,
    comes,
    /** What came before its turn has none any more. @param {string} name */
    drop: (name) => void early.delete(name),
    /** An answer has come. @param {number} call @param {() => void} act */
    answered: (call, act) => comes(`r${call}`, act),
    /**
     * Work that is under way elsewhere: when it is done is something that happens, too.
     * @template T
     * @param {Promise<T>} work
     * @returns {Promise<T>}
     */
    follow(work) {
      const name = newWork();
      return new Promise((resolve, reject) => {
        work.then(
          (value) => comes(name, () => resolve(value)),
          (error) => comes(name, () => reject(error)),
        );
      });
    },
    /** What has happened since it was last asked. */
    takeNews() {
      const taken = news;
      news = [];
      return taken;
    },
    /** Nothing is left to do, and yet more happened before: the program goes another way than it did. */
    isOffTrack: () => isReplaying() && !isStepping && !step(),
    isReplaying,
  };
}
