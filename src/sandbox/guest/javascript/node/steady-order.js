/** @typedef {[name: string, time: number]} Happening */
/** @typedef {{ callback: unknown, values: unknown[], ms: number, due: number, repeats: boolean, isQuiet: boolean, real: number | undefined }} Timer */

/**
 * In which order answers come and timers fire. It is told to the host, and where the host tells it to us, it happens in
 * that order again, without waiting for the timers.
 * @param {object} options
 * @param {readonly Happening[]} options.past what happened when this program ran before
 * @param {import("./steady-clock.js").Clock} options.clock
 * @param {() => number} options.realNow
 * @param {typeof Deno} options.deno
 */
export function createOrder({ past, clock, realNow, deno }) {
  const { setTimeout: later, clearTimeout: forget } = globalThis;
  const { unrefTimer } = deno;
  /** @type {Map<number, Timer>} */
  const timers = new Map();
  /** Answers that came before their turn. @type {Map<string, () => void>} */
  const early = new Map();
  /** @type {Happening[]} */
  let news = [];
  let lastTimer = 0;
  let at = 0;
  let isStepping = false;
  /** Answers that came before the program had done what followed from the one before. @type {[string, () => void][]} */
  const together = [];
  let isAnswering = false;

  const isReplaying = () => at < past.length;

  /** @param {string} name @param {() => void} act */
  function happen(name, act) {
    const time = Math.max(realNow(), clock.peek());
    clock.advance(time);
    news.push([name, time]);
    act();
  }

  /** Answers that come together are handed on one at a time, as when it happens again. @param {string} name @param {() => void} act */
  function happenInTurn(name, act) {
    together.push([name, act]);
    if (isAnswering) return;
    isAnswering = true;
    handOn();
  }

  function handOn() {
    const next = together.shift();
    isAnswering = next !== undefined;
    if (next === undefined) return;
    happen(...next);
    later(handOn, 0);
  }

  function stepSoon() {
    if (isStepping) return;
    isStepping = true;
    // By then the program has done all that followed from what happened last.
    later(() => {
      isStepping = false;
      step();
    }, 0);
  }

  /** Whether what is next could happen. */
  function step() {
    const [name, time] = past[at] ?? ["", 0];
    const act = name.startsWith("t") ? toFiring(Number(name.slice(1))) : early.get(name);
    if (act === undefined) return false;
    early.delete(name);
    at++;
    clock.advance(time);
    if (isReplaying()) stepSoon();
    else goOn();
    act();
    return true;
  }

  /** The past is over: what came early is handed on, and timers are real from here. */
  function goOn() {
    for (const [id, timer] of [...timers].sort(([, a], [, b]) => a.due - b.due)) arm(id, timer);
    const waiting = [...early];
    early.clear();
    for (const [name, act] of waiting) later(() => happen(name, act), 0);
  }

  /** @param {number} id @param {Timer} timer */
  function arm(id, timer) {
    const left = Math.max(0, timer.due - Math.max(realNow(), clock.peek()));
    timer.real = later(() => happen(`t${id}`, toFiring(id) ?? (() => {})), left);
    if (timer.isQuiet) unrefTimer(timer.real);
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

  return {
    addTimer,
    removeTimer,
    /** An answer has come. @param {number} call @param {() => void} act */
    answered(call, act) {
      const name = `r${call}`;
      if (!isReplaying()) return happenInTurn(name, act);
      early.set(name, act);
      stepSoon();
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
