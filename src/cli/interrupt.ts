/** What a shell reports for a command that Ctrl-C ended. */
export const INTERRUPTED = 130;

/** Ctrl-C, `kill`, and a terminal that was closed; each with what a shell reports for it. */
const EXIT_CODES = { SIGINT: INTERRUPTED, SIGTERM: 143, SIGHUP: 129 } as const;
type EndSignal = keyof typeof EXIT_CODES;

/** A program may be writing its last answer; after this nobody waits for it any more. */
const GRACE_MS = 5_000;

let stop: ((signal: EndSignal) => void) | undefined;

/** Ends the process when it is told to; its children end with it. A command that asked for it may end by itself first. */
export function endOnInterrupt(): void {
  let isAsked = false;
  const listen = (signal: EndSignal) =>
    process.on(signal, () => {
      if (stop === undefined || isAsked) return exit(EXIT_CODES[signal]);
      isAsked = true;
      stop(signal);
      setTimeout(() => exit(EXIT_CODES[signal]), GRACE_MS).unref();
    });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) listen(signal);
}

/**
 * Has `work` told when the process shall end; what it returns afterwards is replaced by the code of that signal.
 * @param termCode for what is ended by SIGTERM as a rule, such as a service
 */
export async function interruptible(
  work: (signal: AbortSignal) => Promise<number>,
  termCode: number = EXIT_CODES.SIGTERM,
): Promise<number> {
  const interrupt = new AbortController();
  let by: EndSignal | undefined;
  stop = (signal) => {
    by = signal;
    interrupt.abort();
  };
  try {
    const code = await work(interrupt.signal);
    if (by === undefined) return code;
    return by === "SIGTERM" ? termCode : EXIT_CODES[by];
  } finally {
    stop = undefined;
  }
}

function exit(code: number): never {
  // A prompt hides the cursor.
  if (process.stdout.isTTY) process.stdout.write("\u001b[?25h");
  process.exit(code);
}
