import type { Duplex } from "node:stream";
import { isRecord } from "../../../text/is-record.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import { PATIENCE_MS, silent } from "./patience.ts";

const MAX_LINE = 256 * 1024;

/** QEMU's own control channel. All promises reject when it is gone, or keeps silent for too long. */
export type Qmp = {
  run(command: string, args?: object): Promise<unknown>;
  /** The next event of a name. */
  event(name: string): Promise<void>;
};

/** Speaks with a QEMU that has just been started. What it says is bounded, and taken field by field. */
export function openQmp(channel: Duplex, patienceMs = PATIENCE_MS): Qmp {
  const asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const awaited = new Map<string, { resolve(): void; reject(error: Error): void }[]>();
  let text = "";
  let last = 0;
  let gone: Error | undefined;

  function end(why: string): void {
    gone ??= new Error(`QEMU's control channel ended: ${why}`);
    for (const { reject } of [...asked.values(), ...[...awaited.values()].flat()]) reject(gone);
    asked.clear();
    awaited.clear();
    channel.destroy();
  }

  function onLine(line: string): void {
    const said = parse(line);
    if (!isRecord(said)) {
      end("it sent no JSON");
      return;
    }
    if (typeof said["event"] === "string") {
      for (const { resolve } of awaited.get(said["event"]) ?? []) resolve();
      awaited.delete(said["event"]);
    }
    if (typeof said["id"] !== "number") return;
    const waiting = asked.get(said["id"]);
    asked.delete(said["id"]);
    if (!isRecord(said["error"])) waiting?.resolve(said["return"]);
    else waiting?.reject(new Error(`QEMU refused: ${toExcerpt(String(said["error"]["desc"]), 300)}`));
  }

  channel.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n")) {
      const line = text.slice(0, at);
      text = text.slice(at + 1);
      if (line.trim() !== "") onLine(line);
    }
    if (text.length > MAX_LINE) end("a line without an end");
  });
  channel.on("error", ({ message }) => end(message));
  channel.on("close", () => end("it was closed"));

  /** Who has not answered once in all that time will not answer anything else. */
  async function inTime<T>(answer: Promise<T>): Promise<T> {
    const timer = setTimeout(() => end(silent(patienceMs).message), patienceMs);
    return answer.finally(() => clearTimeout(timer));
  }

  return {
    run(command, args = {}) {
      return inTime(
        new Promise((resolve, reject) => {
          if (gone) return reject(gone);
          asked.set(++last, { resolve, reject });
          channel.write(`${JSON.stringify({ execute: command, arguments: args, id: last })}\n`);
        }),
      );
    },
    event(name) {
      return inTime(
        new Promise((resolve, reject) => {
          if (gone) return reject(gone);
          awaited.set(name, [...(awaited.get(name) ?? []), { resolve, reject }]);
        }),
      );
    },
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
