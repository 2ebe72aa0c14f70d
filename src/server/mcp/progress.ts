import type { RunEvent } from "../../engine/engine.ts";
import { toPlainText } from "../../text/plain-text.ts";

export type RunProgress = {
  report(event: RunEvent): void;
  /** Sends what is still waiting; afterwards nothing is sent any more. */
  end(): Promise<void>;
};

export type ProgressMessage = { readonly progress: number; readonly message: string };

const MAX_WAITING = 20;
const MAX_LINE = 500;
/** Clients give up after a minute or less without a sign of life. */
const SIGN_OF_LIFE_MS = 5_000;

/**
 * Tells a client what a running program does. One message is under way at a time, and what happens meanwhile is
 * gathered into the next: a program that logs without end can't flood a client faster than that client reads. While a run
 * sleeps, or waits for a call or for its turn, the client hears that it goes on.
 */
export function createProgress(send: (message: ProgressMessage) => Promise<void>): RunProgress {
  let waiting: string[] = [];
  let skipped = 0;
  let progress = 0;
  let sending: Promise<void> | undefined;
  let hasEnded = false;
  let lastEventAt = performance.now();
  const signs = setInterval(() => {
    const quietMs = performance.now() - lastEventAt;
    if (quietMs >= SIGN_OF_LIFE_MS) add(`waiting: ${Math.round(quietMs / 1000)} s`);
  }, SIGN_OF_LIFE_MS);
  signs.unref();

  function add(line: string): void {
    waiting.push(line);
    if (waiting.length > MAX_WAITING) {
      waiting.shift();
      skipped++;
    }
    sending ??= sendWaiting();
  }

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
      lastEventAt = performance.now();
      add(toLine(event));
    },
    async end() {
      hasEnded = true;
      clearInterval(signs);
      await sending;
    },
  };
}

function toLine(event: RunEvent): string {
  if (event.kind === "log") {
    const text = toShort(event.text);
    return event.level === "info" ? text : `${event.level}: ${text}`;
  }
  if (event.kind === "asked") return `waits for a person: approval ${event.approvalId}`;
  const name = `${event.server}.${event.tool}`;
  if (event.kind === "call") return `call ${event.number}: ${name}`;
  return `${event.ok ? "done" : "failed"}: ${name} (${Math.round(event.ms)} ms)`;
}

/** Clients show it on a terminal: what a program prints must not move its cursor. Cut first, since it can be very long. */
function toShort(text: string): string {
  const shown = toPlainText(text.slice(0, 4 * MAX_LINE));
  const isWhole = shown.length <= MAX_LINE && text.length <= 4 * MAX_LINE;
  return isWhole ? shown : `${shown.slice(0, MAX_LINE - 1)}…`;
}
