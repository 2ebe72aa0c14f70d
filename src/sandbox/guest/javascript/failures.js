import { skillOf } from "./skills.js";

/** @typedef {{ line: number, column: number, skill?: string }} Place */
/** @typedef {Place & { function?: string }} Frame */
/** @typedef {{ getScriptNameOrSourceURL(): string | null, getLineNumber(): number | null, getColumnNumber(): number | null, getFunctionName(): string | null }} CallSite */

const MAX_MESSAGE = 16_000;
const MAX_FRAMES = 20;
const MAX_CAUSES = 3;

/** The failure of a tool, as a program meets it. Which ones the host made is known by `failures`, not by the class. */
export class ToolError extends Error {
  /**
   * @param {string} server
   * @param {string} tool
   * @param {string} message
   * @param {string} [code]
   */
  constructor(server, tool, message, code) {
    super(message);
    this.server = server;
    this.tool = tool;
    this.code = code;
  }
}
Object.defineProperty(ToolError.prototype, "name", {
  value: "ToolError",
  writable: true,
  configurable: true,
});

/**
 * Of what `fetch` was refused.
 * @param {Error & { code?: unknown }} error
 */
function fetchCode(error) {
  const { code } = error;
  return error instanceof TypeError && (code === "denied" || code === "limit") ? { code } : {};
}

/**
 * `new Error("Could not load", { cause })`: what it comes from says more than it does.
 * @param {Error} error
 */
function causesOf(error) {
  let text = "";
  /** @type {unknown} */
  let cause = error.cause;
  for (let depth = 0; depth < MAX_CAUSES && cause !== undefined; depth++) {
    text += `\n  caused by: ${cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)}`;
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return text;
}

/** @param {Place} place */
function toFile({ skill }) {
  return skill === undefined ? "program" : `skills/${skill}`;
}

/**
 * How a place is told of that awaits.
 * @param {Place} place
 */
export function toLine({ line, skill }) {
  return skill === undefined ? `line ${line}` : `skills/${skill}/index.ts:${line}`;
}

/**
 * Turns what a program throws into data, with places in the program's own lines.
 * @param {(value: unknown, options: object) => string} inspect
 * @param {string} sourceUrl what the program's code is called in stacks
 * @param {number} linesBefore the lines that stand before the program's first
 */
export function createFailures(inspect, sourceUrl, linesBefore) {
  /** @type {WeakMap<object, Frame[]>} */
  const framesOf = new WeakMap();

  /**
   * @param {Error} error
   * @param {CallSite[]} sites
   */
  function prepareStackTrace(error, sites) {
    const frames = [];
    // By their places: an iterator of the program's would get hold of what names files of this machine.
    for (let at = 0; at < sites.length; at++) {
      const site = sites[at];
      const url = site?.getScriptNameOrSourceURL() ?? "";
      const skill = skillOf(url);
      if (!site || (url !== sourceUrl && skill === undefined)) continue;
      const name = site.getFunctionName();
      frames.push({
        line: (site.getLineNumber() ?? 0) - linesBefore,
        column: site.getColumnNumber() ?? 0,
        ...(skill === undefined ? {} : { skill }),
        ...(name === null || name === "eval" ? {} : { function: name }),
      });
    }
    framesOf.set(error, frames.slice(0, MAX_FRAMES));
    const lines = frames.map(
      (frame) => `    at ${frame.function ?? "program"} (${toFile(frame)}:${frame.line}:${frame.column})`,
    );
    return [String(error), ...lines].join("\n");
  }

  /**
   * @param {unknown} thrown
   * @param {Place} [source] where it was awaited, for what has no place of its own
   */
  function describe(thrown, source) {
    try {
      if (!(thrown instanceof Error)) {
        return {
          message:
            typeof thrown === "string"
              ? thrown.slice(0, MAX_MESSAGE)
              : inspect(thrown, {}).slice(0, MAX_MESSAGE),
        };
      }
      // Reading it makes V8 call `prepareStackTrace`, the first time.
      void thrown.stack;
      const stack = framesOf.get(thrown) ?? [];
      return {
        name: String(thrown.name),
        message: `${thrown.message}${causesOf(thrown)}`.slice(0, MAX_MESSAGE),
        stack,
        ...(stack.length === 0 && source ? { source } : {}),
        ...(thrown instanceof ToolError
          ? { server: thrown.server, tool: thrown.tool, code: thrown.code }
          : fetchCode(thrown)),
      };
    } catch {
      return { message: "The program threw a value that cannot be read" };
    }
  }

  /**
   * The program waits, and nothing is left that could end it.
   * @param {Place | undefined} place the likely cause, in the source
   * @param {Place[]} others which await it, or something else in vain
   */
  function describeStuck(place, others) {
    const told = place && toLine(place);
    const lines = [...new Set(others.map(toLine))].filter((line) => line !== told);
    const also = lines.length > 0 ? ` (${lines.join(", ")} too)` : "";
    const what = told === undefined ? "The program" : told.replace(/^line/, "Line");
    return {
      stuck: true,
      message: `${what} awaits a promise that nothing can settle any more${also}`,
      ...(place ? { source: place } : {}),
    };
  }

  /**
   * Gives an error the place of another one.
   * @param {Error} error
   * @param {Error | undefined} site
   */
  function placeAt(error, site) {
    if (!site) return error;
    const [, ...lines] = String(site.stack).split("\n");
    Object.defineProperty(error, "stack", {
      value: [String(error), ...lines].join("\n"),
      writable: true,
      configurable: true,
    });
    framesOf.set(error, framesOf.get(site) ?? []);
    return error;
  }

  return { prepareStackTrace, describe, describeStuck, placeAt };
}
