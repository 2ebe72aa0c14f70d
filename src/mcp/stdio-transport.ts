import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { KeyholeError } from "../errors.ts";
import { type GatheredWrites, gatherWrites } from "../process/gather-writes.ts";
import { signalGroup, spawnWatched } from "../process/spawn-watched.ts";
import { toExcerpt, toPlainText } from "../text/plain-text.ts";
import { overdue } from "./bounded-fetch.ts";
import type { Collected } from "./collect-message.ts";
import { toMessages } from "./envelope.ts";
import type { Evidence } from "./failure.ts";
import { findCommand } from "./find-command.ts";
import type { Intake } from "./large/intake.ts";
import { noteNotANumber, parseLenientJson } from "./lenient-json.ts";
import { createLineReader } from "./line-reader.ts";
import { createRateLimit } from "./rate-limit.ts";

export type StdioOptions = {
  server: string;
  command: string;
  args: readonly string[];
  /** The child's whole environment: nothing else is inherited. */
  env: Record<string, string>;
  cwd: string;
  /** Where its messages come in. */
  intake: Intake;
  redact(text: string): string;
};

const STDERR_LINES = 20;
const MAX_STDERR_LINE = 400;
const MAX_STDERR_KEPT = 16_384;
/** A server that writes this much of what is no message to stdout has mistaken it for a log. */
const MAX_GARBAGE_BYTES = 1024 * 1024;
const GARBAGE_WINDOW_MS = 10_000;
/** What a server sends without being asked costs everybody time. */
const MAX_UNASKED_MESSAGES = 1_000;
/** What the transport itself drops, or hands to a call under way, costs less. */
const MAX_CHEAP_MESSAGES = 10_000;
const UNASKED_WINDOW_MS = 1_000;
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

const STDOUT_HINT = "The server must write its logs to stderr; stdout is for the protocol";
const READ_HINT = "This is a fault of the server; look for a newer version of it";
const CLOSE_GRACE_MS = 700;

/**
 * A server as a child process that speaks JSON-RPC lines on stdin and stdout. Our own rather than the SDK's: the child
 * leads a process group (so that `npx` and what it starts end together), is watched (so that it ends with us even on
 * SIGKILL), and a large message is not copied at each chunk. With `pid` and `stderr` the SDK knows it for stdio, and
 * probes the protocol era in place instead of starting a second process.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #options: StdioOptions;
  readonly #stderr: string[] = [];
  #child: ChildProcess | undefined;
  #requests: GatheredWrites | undefined;
  #exited: Promise<void> = Promise.resolve();
  readonly #garbage = createRateLimit(MAX_GARBAGE_BYTES, GARBAGE_WINDOW_MS);
  readonly #unasked = createRateLimit(MAX_UNASKED_MESSAGES, UNASKED_WINDOW_MS);
  readonly #cheap = createRateLimit(MAX_CHEAP_MESSAGES, UNASKED_WINDOW_MS);
  #garbageSample: string | undefined;
  /** Why we ended the child, when it was us. */
  #verdict: KeyholeError | undefined;
  #exit: string | undefined;
  #drained: Promise<void> | undefined;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** The last lines the child wrote to stderr. (The SDK looks for this name to tell stdio from HTTP.) */
  get stderr(): readonly string[] {
    return this.#stderr;
  }

  evidence(): Evidence {
    return {
      exit: this.#exit,
      stderr: [...this.#stderr],
      garbage: this.#garbageSample,
      verdict: this.#verdict,
    };
  }

  async start(): Promise<void> {
    const { server, args, env, cwd } = this.#options;
    const command = await findCommand(this.#options);
    await new Promise<void>((resolveStart, reject) => {
      const child = spawnWatched(command, args, { env, cwd });
      this.#child = child;
      if (child.stdin) this.#requests = gatherWrites(child.stdin);
      child.once("spawn", resolveStart);
      child.once("error", (error) => {
        reject(
          new KeyholeError("server_unreachable", `Cannot start "${command}": ${error.message}`, { server }),
        );
        this.onerror?.(error);
      });
      this.#exited = new Promise((resolveExit) => {
        child.once("exit", (code, signal) => {
          this.#exit = code === null ? `signal ${signal}` : `exit code ${code}`;
          letPipesGo(child);
          resolveExit();
        });
      });
      child.once("close", () => this.#closed(child));
      this.#read(child);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    const requests = this.#requests;
    if (!stdin?.writable || !requests) {
      const { server } = this.#options;
      return Promise.reject(
        new KeyholeError("server_closed", `Server "${server}" is not running`, { server }),
      );
    }
    // A server may ask us faster than it reads our answers. They must not pile up here.
    if (requests.unsentLength > MAX_UNREAD_BYTES) {
      this.#condemn("server_misbehaved", "does not read what it is sent", READ_HINT);
      return Promise.resolve();
    }
    requests.write(`${JSON.stringify(message)}\n`);
    if (!stdin.writableNeedDrain) return Promise.resolve();
    this.#drained ??= drained(stdin).finally(() => {
      this.#drained = undefined;
    });
    return this.#drained;
  }

  /** Ends the child: politely by closing its stdin, then by signals to its whole group. */
  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.stdin?.end();
    if (await settles(this.#exited, CLOSE_GRACE_MS)) return;
    signalGroup(child, "SIGTERM");
    if (await settles(this.#exited, CLOSE_GRACE_MS)) return;
    signalGroup(child, "SIGKILL");
    await this.#exited;
  }

  #read(child: ChildProcess): void {
    const { intake, server } = this.#options;
    const { stdout } = child;
    const lines = createLineReader({
      ...intake.limits,
      onLine: (line) => this.#take(line),
      onEndless: (excess, scan) => this.#end(intake.toFailure(excess, scan, "; it was ended")),
      onOverdue: () => this.#end(overdue(server)),
      onWaiting: (isWaiting) => (isWaiting ? stdout?.pause() : stdout?.resume()),
    });
    stdout?.on("data", (chunk: Buffer) => lines.push(chunk));
    stdout?.on("close", () => lines.close());
    child.stdout?.on("error", (error) => this.onerror?.(error));
    child.stdin?.on("error", (error) => this.onerror?.(error));
    let rest = "";
    let isCut = false;
    child.stderr?.setEncoding("utf8");
    child.stderr?.on("data", (text: string) => {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      // Of a line without an end the start is kept: what would be its first secret's second half is not.
      if (isCut && parts.length > 0) parts.shift();
      if (parts.length > 0) isCut = false;
      if (rest.length > MAX_STDERR_KEPT) {
        if (!isCut) parts.push(rest.slice(0, MAX_STDERR_KEPT));
        isCut = true;
        rest = "";
      }
      // The others would only be pushed out again.
      for (const part of parts.filter((line) => line.trim() !== "").slice(-STDERR_LINES))
        this.#stderr.push(this.#toShown(part, MAX_STDERR_LINE));
      if (this.#stderr.length > STDERR_LINES) this.#stderr.splice(0, this.#stderr.length - STDERR_LINES);
    });
    child.stderr?.on("end", () => {
      if (rest.trim() !== "" && !isCut) this.#stderr.push(this.#toShown(rest, MAX_STDERR_LINE));
    });
  }

  /** Secrets go before the line is cut, also those with colours in them. */
  #toShown(line: string, maxLength: number): string {
    return toExcerpt(this.#options.redact(toPlainText(line)), maxLength);
  }

  #take(line: Collected): void {
    const admitted = this.#options.intake.admit(line);
    if (admitted instanceof Promise) admitted.then((bytes) => this.#receiveOrNote(bytes));
    else this.#receiveOrNote(admitted);
  }

  #receiveOrNote(line: Buffer | undefined): void {
    if (line !== undefined) this.#receive(line);
    else if (!this.#isFlooded())
      this.onerror?.(new Error("A large message that answers no request was passed over"));
  }

  #receive(line: Buffer): void {
    const messages = parseMessages(line);
    for (const message of messages) {
      if (this.#isDropped(message)) continue;
      if (!this.#isAsked(message) && this.#isFlooded()) return;
      this.onmessage?.(message);
    }
    if (messages.length > 0 || line.length === 0 || line.toString("utf8").trim() === "") return;
    this.#garbageSample ??= this.#toShown(line.toString("utf8"), 200);
    if (this.#garbage.isTooMuch(line.length)) {
      this.#condemn("server_misbehaved", "floods stdout with what is no message", STDOUT_HINT);
    }
  }

  /** Nobody reads log messages here, nor what comes too late: a program that soon gives up is not the server's fault. */
  #isDropped(message: JSONRPCMessage): boolean {
    if (!("method" in message)) return this.#options.intake.isLate(message.id ?? "");
    return message.method === "notifications/message" && !this.#cheap.isTooMuch(1);
  }

  #isAsked(message: JSONRPCMessage): boolean {
    if (!("method" in message)) return this.#options.intake.isAwaited(message.id ?? "");
    return message.method === "notifications/progress" && !this.#cheap.isTooMuch(1);
  }

  /** What nobody asked for: notifications, requests, answers to nothing. */
  #isFlooded(): boolean {
    if (!this.#unasked.isTooMuch(1)) return false;
    this.#condemn("server_misbehaved", "floods us with notifications and requests", READ_HINT);
    return true;
  }

  #condemn(code: "server_misbehaved", what: string, hint: string): void {
    const { server } = this.#options;
    this.#end(new KeyholeError(code, `Server "${server}" ${what}; it was ended`, { server, hint }));
  }

  #end(verdict: KeyholeError): void {
    this.#verdict ??= verdict;
    this.onerror?.(this.#verdict);
    if (this.#child) signalGroup(this.#child, "SIGKILL");
  }

  #closed(child: ChildProcess): void {
    if (this.#child === child) this.#child = undefined;
    this.onclose?.();
  }
}

/** A process that escaped the group may still hold the pipes; its output concerns nobody any more. */
function letPipesGo({ stdout, stderr }: ChildProcess): void {
  setTimeout(() => {
    stdout?.destroy();
    stderr?.destroy();
  }, 200).unref();
}

function parseMessages(line: Buffer): JSONRPCMessage[] {
  const text = line
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
  // Anything else is no message; looking at the first character keeps a flood of log lines cheap.
  if (!text.startsWith("{") && !text.startsWith("[")) return [];
  const parsed = parseLenientJson(text);
  const messages = parsed === undefined ? [] : toMessages(parsed.value);
  for (const message of messages) {
    if (parsed?.notANumber !== undefined && "result" in message)
      noteNotANumber(message.result, parsed.notANumber);
  }
  return messages;
}

/** Resolves when the stream takes more, or never will: then the answer to what was sent tells what happened. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolveDrain) => {
    const settle = () => {
      stream.off("drain", settle);
      stream.off("close", settle);
      resolveDrain();
    };
    stream.on("drain", settle);
    stream.on("close", settle);
  });
}

async function settles(promise: Promise<void>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolveLate) => {
    timer = setTimeout(resolveLate, withinMs, false);
  });
  const inTime = await Promise.race([promise.then(() => true as const), late]);
  clearTimeout(timer);
  return inTime;
}
