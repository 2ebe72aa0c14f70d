/**
 * Deno says when its event loop has nothing left: no timer, no file operation, no stream, nothing under way that could
 * settle a promise. The one thing that would keep it going for ever is our own reading of stdin; it counts only while
 * an answer is awaited.
 * @param {typeof Deno.stdin} stdin
 * @param {() => void} onIdle called each time nothing is left, unless reading counts
 */
export function watchIdle(stdin, onIdle) {
  const ref = symbolOf(stdin, "REF");
  const unref = symbolOf(stdin, "UNREF");
  // `true`: before a program's own listeners, which could stop the event.
  globalThis.addEventListener(
    "beforeunload",
    (event) => {
      // Without this the process would end; with it, Deno asks again as long as nothing keeps it.
      event.preventDefault();
      onIdle();
    },
    true,
  );
  return {
    /** @param {boolean} counts whether waiting for a frame is something to do */
    countReading(counts) {
      stdin[counts ? ref : unref]?.();
    },
  };
}

/**
 * Deno's own Node layer counts stdin by these.
 * @param {object} stdin
 * @param {string} name
 */
function symbolOf(stdin, name) {
  const symbols = Object.getOwnPropertySymbols(Object.getPrototypeOf(stdin));
  const found = symbols.find(({ description }) => description === name);
  if (found === undefined) throw new Error("This version of Deno cannot be asked whether it is idle");
  return found;
}
