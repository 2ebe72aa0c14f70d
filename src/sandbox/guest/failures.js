/** @typedef {{ line: number, column: number, function?: string }} Frame */
/** @typedef {{ getScriptNameOrSourceURL(): string | null, getLineNumber(): number | null, getColumnNumber(): number | null, getFunctionName(): string | null }} CallSite */

const MAX_MESSAGE = 16_000;
const MAX_FRAMES = 20;

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
    for (const site of sites) {
      if (site.getScriptNameOrSourceURL() !== sourceUrl) continue;
      const name = site.getFunctionName();
      frames.push({
        line: (site.getLineNumber() ?? 0) - linesBefore,
        column: site.getColumnNumber() ?? 0,
        ...(name === null || name === "eval" ? {} : { function: name }),
      });
    }
    framesOf.set(error, frames.slice(0, MAX_FRAMES));
    const lines = frames.map(
      (frame) => `    at ${frame.function ?? "program"} (program:${frame.line}:${frame.column})`,
    );
    return [String(error), ...lines].join("\n");
  }

  /** @param {unknown} thrown */
  function describe(thrown) {
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
      return {
        name: String(thrown.name),
        message: String(thrown.message).slice(0, MAX_MESSAGE),
        stack: framesOf.get(thrown) ?? [],
        ...(thrown instanceof ToolError ? { server: thrown.server, tool: thrown.tool } : {}),
      };
    } catch {
      return { message: "The program threw a value that cannot be read" };
    }
  }

  /**
   * The program waits, and nothing is left that could end it.
   * @param {{ line: number, column: number } | undefined} place the likely cause, in the source
   * @param {{ line: number, column: number }[]} others which await it, or something else in vain
   */
  function describeStuck(place, others) {
    const lines = [...new Set(others.map(({ line }) => line))].filter((line) => line !== place?.line);
    const also = lines.length > 0 ? ` (line${lines.length > 1 ? "s" : ""} ${lines.join(", ")} too)` : "";
    return {
      stuck: true,
      message: `${place ? `Line ${place.line}` : "The program"} awaits a promise that nothing can settle any more${also}`,
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
