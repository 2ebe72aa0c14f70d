import type { Duplex } from "node:stream";
import { PATIENCE_MS, silent } from "./patience.ts";

const MAX_LINE = 16 * 1024;
const MAX_HELD = 1024 * 1024;
const NEWLINE = 10;
/** Lines that nobody awaits: what files take, ten times a second. */
const FEW_LINES = 300;
const LINES_A_MS = 0.05;

/**
 * What the first process of a machine and the host say to each other, on a port that programs do not have: lines, and once one says
 * `taking`, bytes. It is hostile all the same, since a program may have broken into the machine's kernel.
 */
export type Control = {
  write(bytes: string | Uint8Array): Promise<void>;
  /** The words of the next line that begins so. Rejects when it ends or stays silent. */
  line(word: string): Promise<readonly string[]>;
  /** Exactly so many bytes of those that follow `taking`. */
  bytes(count: number): Promise<Buffer>;
  /** What follows is lines again. */
  endBytes(): void;
  close(): void;
};

export type ControlEvents = {
  /** Lines that nobody waits for. */
  onLine(words: readonly string[]): void;
  /** So long nothing may come while something is awaited. */
  readonly patienceMs?: number;
  /** It says what no machine of ours would say. */
  onBroken?(): void;
};

export function openControl(
  channel: Duplex,
  { onLine, onBroken, patienceMs = PATIENCE_MS }: ControlEvents,
): Control {
  const openedAt = performance.now();
  let unasked = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isRaw = false;
  let gone: Error | undefined;
  let wake = () => {};
  const awaited = new Map<string, { resolve(words: readonly string[]): void; reject(error: Error): void }>();

  function end(why: string): void {
    gone ??= new Error(`The machine's control port ended: ${why}`);
    for (const { reject } of awaited.values()) reject(gone);
    awaited.clear();
    wake();
    channel.destroy();
  }

  function breakOff(why: string): void {
    keep(Buffer.alloc(0));
    end(why);
    onBroken?.();
  }

  function all(): Buffer {
    const [only] = held;
    const whole = held.length === 1 && only ? only : Buffer.concat(held);
    held = [whole];
    return whole;
  }

  function keep(rest: Buffer): void {
    held = rest.length === 0 ? [] : [rest];
    heldBytes = rest.length;
  }

  function readLines(): void {
    while (!isRaw && heldBytes > 0) {
      const whole = all();
      const at = whole.indexOf(NEWLINE);
      if (at === -1 || at > MAX_LINE) {
        if (whole.length > MAX_LINE) breakOff("a line without an end");
        return;
      }
      keep(whole.subarray(at + 1));
      // An archive is filled up with zeros.
      const words = whole.toString("latin1", 0, at).replace(/^\0+/, "").trim().split(" ");
      const [word = ""] = words;
      if (word === "taking") isRaw = true;
      const waiting = awaited.get(word);
      awaited.delete(word);
      if (waiting) {
        waiting.resolve(words);
        continue;
      }
      if (++unasked > FEW_LINES + (performance.now() - openedAt) * LINES_A_MS) {
        breakOff("too many lines");
        return;
      }
      onLine(words);
    }
  }

  channel.on("data", (chunk: Buffer) => {
    held.push(chunk);
    heldBytes += chunk.length;
    readLines();
    if (isRaw) {
      if (heldBytes > MAX_HELD) channel.pause();
      wake();
    }
  });
  channel.on("error", ({ message }) => end(message));
  channel.on("close", () => end("it was closed"));

  async function untilMore(): Promise<void> {
    if (gone) throw gone;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(silent(patienceMs)), patienceMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      channel.resume();
    });
  }

  return {
    async write(bytes) {
      if (gone) throw gone;
      if (channel.write(bytes)) return;
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(silent(patienceMs)), patienceMs);
        const done = () => {
          clearTimeout(timer);
          channel.off("drain", done).off("close", done);
          resolve();
        };
        channel.on("drain", done).on("close", done);
      });
    },
    line(word) {
      return new Promise((resolve, reject) => {
        if (gone) return reject(gone);
        const timer = setTimeout(() => {
          awaited.delete(word);
          reject(silent(patienceMs));
        }, patienceMs);
        awaited.set(word, {
          resolve(words) {
            clearTimeout(timer);
            resolve(words);
          },
          reject(error) {
            clearTimeout(timer);
            reject(error);
          },
        });
      });
    },
    async bytes(count) {
      while (heldBytes < count) await untilMore();
      const whole = all();
      keep(whole.subarray(count));
      return whole.subarray(0, count);
    },
    endBytes() {
      isRaw = false;
      channel.resume();
      readLines();
    },
    close: () => end("the machine ended"),
  };
}
