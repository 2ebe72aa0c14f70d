/** So many looks at a clock that stands still make it a millisecond later: a loop that waits for it comes to an end. */
const LOOKS_A_MS = 1000;

/**
 * A clock that goes on only when something happens to the program: an answer comes, a timer fires. What it shows can be
 * shown again.
 * @param {number} start in milliseconds, as `Date.now`
 */
export function createClock(start) {
  let time = start;
  let looks = 0;

  function now() {
    if (++looks % LOOKS_A_MS === 0) time++;
    return time;
  }

  return {
    start,
    now,
    /** What it shows, without a look that counts. */
    peek: () => time,
    /** @param {number} to */
    advance(to) {
      if (to > time) time = to;
    },
  };
}

/** @typedef {ReturnType<typeof createClock>} Clock */

/**
 * Everything that tells the time tells it by this clock.
 * @param {Clock} clock
 */
export function installClock(clock) {
  globalThis.Date = toDate(clock);
  const { performance } = globalThis;
  Object.defineProperty(performance, "now", {
    value: () => clock.now() - clock.start,
    writable: true,
    configurable: true,
  });
  Object.defineProperty(performance, "timeOrigin", { value: clock.start, configurable: true });
  mendFormats(clock);
  mendTemporal(clock);
}

/** @param {Clock} clock */
function toDate(clock) {
  const Real = globalThis.Date;
  /** @param {unknown[]} parts */
  function SteadyDate(...parts) {
    if (new.target === undefined) return new Real(clock.now()).toString();
    return Reflect.construct(Real, parts.length === 0 ? [clock.now()] : parts, new.target);
  }
  Object.defineProperty(SteadyDate, "name", { value: "Date" });
  Object.defineProperty(SteadyDate, "length", { value: Real.length });
  Object.defineProperty(SteadyDate, "prototype", { value: Real.prototype, writable: false });
  Object.defineProperty(Real.prototype, "constructor", {
    value: SteadyDate,
    writable: true,
    configurable: true,
  });
  const statics = { now: () => clock.now(), parse: Real.parse, UTC: Real.UTC };
  for (const [name, value] of Object.entries(statics))
    Object.defineProperty(SteadyDate, name, { value, writable: true, configurable: true });
  return /** @type {DateConstructor} */ (/** @type {unknown} */ (SteadyDate));
}

/**
 * `new Intl.DateTimeFormat("en").format()` means now.
 * @param {Clock} clock
 */
function mendFormats(clock) {
  const { prototype } = Intl.DateTimeFormat;
  const format = Object.getOwnPropertyDescriptor(prototype, "format")?.get;
  const { formatToParts } = prototype;
  Object.defineProperty(prototype, "format", {
    configurable: true,
    /** @this {Intl.DateTimeFormat} */
    get() {
      const bound = Reflect.apply(/** @type {() => (date: unknown) => string} */ (format), this, []);
      return (/** @type {unknown} */ date) => bound(date === undefined ? clock.now() : date);
    },
  });
  Object.defineProperty(prototype, "formatToParts", {
    configurable: true,
    writable: true,
    /** @this {Intl.DateTimeFormat} @param {Date | number} [date] */
    value(date) {
      return Reflect.apply(formatToParts, this, [date === undefined ? clock.now() : date]);
    },
  });
}

/** @param {Clock} clock */
function mendTemporal(clock) {
  const temporal = Reflect.get(globalThis, "Temporal");
  if (temporal === undefined) return;
  const instant = () => temporal.Instant.fromEpochMilliseconds(clock.now());
  const zoned = (/** @type {unknown} */ zone = temporal.Now.timeZoneId()) =>
    instant().toZonedDateTimeISO(zone);
  const values = {
    instant,
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (/** @type {unknown} */ zone) => zoned(zone).toPlainDateTime(),
    plainDateISO: (/** @type {unknown} */ zone) => zoned(zone).toPlainDate(),
    plainTimeISO: (/** @type {unknown} */ zone) => zoned(zone).toPlainTime(),
  };
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(temporal.Now, name, { value, writable: true, configurable: true });
}
