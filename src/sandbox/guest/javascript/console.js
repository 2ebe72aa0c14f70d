import { withoutBase64 } from "./log-values.js";

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
  const toText = (value) => (typeof value === "string" ? value : inspect(withoutBase64(value), INSPECT));

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

  /** @param {unknown[]} values */
  function group(...values) {
    if (values.length > 0) log(...values);
    indent += "  ";
  }

  /** @param {string} [label] @param {unknown[]} values */
  function timeLog(label = "default", ...values) {
    log(
      `${label}: ${Math.round(performance.now() - (timers.get(label) ?? performance.now()))} ms`,
      ...values,
    );
  }

  return {
    log,
    info: log,
    /** @param {unknown} item */
    dir: (item) => log(item),
    /** @param {unknown} data @param {unknown} [columns] */
    table: (data, columns) => log(Array.isArray(columns) ? onlyColumns(data, columns) : data),
    debug: at("debug"),
    warn: at("warn"),
    error,
    trace: error,
    /** @param {unknown} condition @param {unknown[]} values */
    assert(condition, ...values) {
      if (!condition) error("Assertion failed:", ...values);
    },
    group,
    groupCollapsed: group,
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
    timeLog,
    timeEnd(label = "default") {
      timeLog(label);
      timers.delete(label);
    },
    clear() {},
  };
}

/**
 * @param {unknown} data
 * @param {readonly unknown[]} columns
 */
function onlyColumns(data, columns) {
  if (!Array.isArray(data)) return data;
  return data.map((/** @type {unknown} */ row) =>
    typeof row === "object" && row !== null
      ? Object.fromEntries(Object.entries(row).filter(([key]) => columns.includes(key)))
      : row,
  );
}
