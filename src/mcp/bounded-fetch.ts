import { KeyholeError } from "../errors.ts";
import { createMessageCollector } from "./collect-message.ts";
import { createEventReader, writeEvent } from "./event-stream.ts";
import type { JsonScan } from "./json-scan.ts";
import type { Intake } from "./large/intake.ts";
import { type Outlet, type Pass, passThrough } from "./pass-through.ts";
import { createRateLimit } from "./rate-limit.ts";
import type { Excess } from "./too-large.ts";

/** What goes with a refusal is shown in part at most. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** What a server sends without being asked costs everybody time. */
const MAX_EVENTS = 1_000;
const MAX_LINES = 20_000;
const FLOOD_WINDOW_MS = 1_000;

/**
 * `fetch` whose bodies can't grow without end, and whose large messages are read elsewhere. An ordinary body is one
 * message; an event stream may live for days, so there each event is. Who reads a body that is cut off only learns that it
 * broke, so the reason is told besides.
 */
export function createBoundedFetch(
  server: string,
  intake: Intake,
  onCut: (reason: KeyholeError) => void,
): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
    const pass = response.ok ? (isStream ? passEvents : passWhole) : passStart;
    const bounded = new Response(passThrough(response.body, pass, onCut), response);
    // A Response made by hand has no address, and the SDK resolves against it.
    Object.defineProperty(bounded, "url", { value: response.url });
    return bounded;
  };

  function passWhole({ send, cut }: Outlet): Pass {
    const collector = createMessageCollector({ ...intake.limits, ...endings(cut) });
    return {
      async push(chunk) {
        await collector.add(toBuffer(chunk));
        return true;
      },
      async end() {
        const collected = collector.end();
        const bytes = await intake.admit(collected);
        if (bytes !== undefined) send(bytes);
        else if (collected.kind === "excess") cut(intake.toFailure(collected.excess, collected.scan));
        else cut(misbehaved("answered with a large message that answers nothing"));
      },
      close: () => collector.drop(),
    };
  }

  function passEvents({ send, cut }: Outlet): Pass {
    const lines = createRateLimit(MAX_LINES, FLOOD_WINDOW_MS);
    const events = createRateLimit(MAX_EVENTS, FLOOD_WINDOW_MS);
    const reader = createEventReader({
      ...intake.limits,
      ...endings(cut),
      onLine() {
        if (lines.isTooMuch(1)) cut(misbehaved("floods us with events"));
      },
      onEvent({ data, ...event }) {
        if (events.isTooMuch(1)) {
          cut(misbehaved("floods us with events"));
          return undefined;
        }
        const admitted = intake.admit(data);
        const write = (bytes: Buffer | undefined) => {
          if (bytes !== undefined || event.id !== undefined) send(writeEvent(event, bytes));
        };
        if (admitted instanceof Promise) return admitted.then(write);
        write(admitted);
        return undefined;
      },
    });
    const push = async (chunk: Uint8Array) => {
      await reader.push(chunk);
      return true;
    };
    return { push, end: async () => {}, close: () => reader.close() };
  }

  function endings(cut: (reason: KeyholeError) => void) {
    return {
      onEndless: (excess: Excess, scan: JsonScan) => cut(intake.toFailure(excess, scan)),
      onOverdue: () => cut(overdue(server)),
    };
  }

  function misbehaved(what: string): KeyholeError {
    return new KeyholeError("server_misbehaved", `Server "${server}" ${what}; it was cut off`, { server });
  }
}

/** The start of what a server says to its refusal; nobody reads more. */
function passStart({ send }: Outlet): Pass {
  let left = MAX_REFUSAL_BYTES;
  return {
    async push(chunk) {
      if (left > 0) send(chunk.subarray(0, left));
      left -= chunk.length;
      return left > 0;
    },
    end: async () => {},
    close: () => {},
  };
}

export function overdue(server: string): KeyholeError {
  const message = `Server "${server}" took too long to send a large message while others waited to send theirs; it was cut off`;
  return new KeyholeError("too_large", message, { server, hint: "Ask it for less at once" });
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
