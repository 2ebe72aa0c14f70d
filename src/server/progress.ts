import type { RunEvent } from "../engine/engine.ts";

export type Progress = {
  report(event: RunEvent): void;
  /** Sends what is still waiting; afterwards nothing is sent any more. */
  end(): Promise<void>;
};

export type ProgressMessage = { readonly progress: number; readonly message: string };

const MAX_WAITING = 20;
const MAX_LINE = 500;

/**
 * Tells a client what a running program does. One message is under way at a time, and what happens meanwhile is
 * gathered into the next: a program that logs without end can't flood a client faster than that client reads.
 */
export function createProgress(send: (message: ProgressMessage) => Promise<void>): Progress {
  let waiting: string[] = [];
  let skipped = 0;
  let progress = 0;
  let sending: Promise<void> | undefined;
  let hasEnded = false;

  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const lines = skipped > 0 ? [`(${skipped} lines skipped)`, ...waiting] : waiting;
      waiting = [];
      skipped = 0;
      progress++;
      // A client that is gone needs no progress; that it is gone is dealt with elsewhere.
      await send({ progress, message: lines.join("\n") }).catch(() => {});
    }
    sending = undefined;
  }

  return {
    report(event) {
      if (hasEnded) return;
      waiting.push(toLine(event));
      if (waiting.length > MAX_WAITING) {
        waiting.shift();
        skipped++;
      }
      sending ??= sendWaiting();
    },
    async end() {
      hasEnded = true;
      await sending;
    },
  };
}

function toLine(event: RunEvent): string {
  if (event.kind === "log") {
    const text = event.text.length > MAX_LINE ? `${event.text.slice(0, MAX_LINE - 1)}…` : event.text;
    return event.level === "info" ? text : `${event.level}: ${text}`;
  }
  const name = `${event.server}.${event.tool}`;
  if (event.kind === "call") return `call ${event.number}: ${name}`;
  return `${event.ok ? "done" : "failed"}: ${name} (${Math.round(event.ms)} ms)`;
}
