/** What a shell reports for a command that Ctrl-C ended. */
export const INTERRUPTED = 130;

/** A program may be writing its last answer; after this nobody waits for it any more. */
const GRACE_MS = 5_000;

let stop: (() => void) | undefined;

/** Ends the process with 130 on Ctrl-C; its children end with it. A command that asked for it may end by itself first. */
export function endOnInterrupt(): void {
  let isAsked = false;
  process.on("SIGINT", () => {
    if (stop === undefined || isAsked) return exit();
    isAsked = true;
    stop();
    setTimeout(exit, GRACE_MS).unref();
  });
}

/** Has `work` told of Ctrl-C; what it returns afterwards is replaced by 130. */
export async function interruptible(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interrupt = new AbortController();
  stop = () => interrupt.abort();
  try {
    const code = await work(interrupt.signal);
    return interrupt.signal.aborted ? INTERRUPTED : code;
  } finally {
    stop = undefined;
  }
}

function exit(): never {
  // A prompt hides the cursor.
  if (process.stdout.isTTY) process.stdout.write("\u001b[?25h");
  process.exit(INTERRUPTED);
}
