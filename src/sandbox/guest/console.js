const INSPECT = { depth: 8, iterableLimit: 100, strAbbreviateSize: 10_000, breakLength: 110, colors: false };

/**
 * @param {(value: unknown, options: object) => string} inspect
 * @param {(level: "debug" | "info" | "warn" | "error", text: string) => void} write
 */
export function createConsole(inspect, write) {
  let indent = "";
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Map<string, number>} */
  const timers = new Map();

  /** @param {unknown} value */
  const toText = (value) => (typeof value === "string" ? value : inspect(value, INSPECT));

  /** @param {"debug" | "info" | "warn" | "error"} level */
  const at =
    (level) =>
    /** @param {unknown[]} values */
    (...values) => {
      const text = format(values);
      write(level, indent === "" ? text : text.replaceAll(/^/gm, indent));
    };

  /** @param {unknown[]} values */
  function format(values) {
    const [first, ...rest] = values;
    if (typeof first !== "string" || rest.length === 0 || !/%[sdifoOjc]/.test(first)) {
      return values.map(toText).join(" ");
    }
    const text = first.replaceAll(/%([sdifoOjc%])/g, (whole, verb) => {
      if (verb === "%") return "%";
      if (rest.length === 0) return whole;
      const value = rest.shift();
      if (verb === "c") return "";
      if (verb === "d" || verb === "f") return String(Number(value));
      if (verb === "i") return String(Math.trunc(Number(value)));
      return verb === "j" ? String(JSON.stringify(value)) : toText(value);
    });
    return [text, ...rest.map(toText)].join(" ");
  }

  const log = at("info");
  const error = at("error");
  return {
    log,
    info: log,
    dir: log,
    table: log,
    debug: at("debug"),
    warn: at("warn"),
    error,
    trace: error,
    /** @param {unknown} condition @param {unknown[]} values */
    assert(condition, ...values) {
      if (!condition) error("Assertion failed:", ...values);
    },
    /** @param {unknown[]} values */
    group(...values) {
      if (values.length > 0) log(...values);
      indent += "  ";
    },
    /** @param {unknown[]} values */
    groupCollapsed(...values) {
      this.group(...values);
    },
    groupEnd() {
      indent = indent.slice(2);
    },
    count(label = "default") {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      log(`${label}: ${counts.get(label)}`);
    },
    /** @param {string} [label] */
    countReset(label = "default") {
      counts.delete(label);
    },
    time(label = "default") {
      timers.set(label, performance.now());
    },
    timeLog(label = "default") {
      log(`${label}: ${Math.round(performance.now() - (timers.get(label) ?? performance.now()))} ms`);
    },
    timeEnd(label = "default") {
      this.timeLog(label);
      timers.delete(label);
    },
    clear() {},
  };
}
