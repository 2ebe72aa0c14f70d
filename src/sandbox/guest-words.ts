import { parseHostileJson } from "./hostile-json.ts";
import { KEYHOLE, type LogLevel, type RunError, type StackFrame } from "./sandbox.ts";

/** What the guest says, read as hostile input: each function copies what it expects and drops the rest. */

export type Verdict = { ok: true; value: unknown } | { ok: false; error: RunError };

const MAX_NAME = 512;
const MAX_MESSAGE = 64_000;
const MAX_FRAMES = 50;
const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export function readCall(payload: Buffer): { server: string; tool: string; args: unknown } | undefined {
  const parsed = parseHostileJson(payload);
  if (!parsed || !Array.isArray(parsed.value) || parsed.value.length !== 3) return undefined;
  const [server, tool, args]: unknown[] = parsed.value;
  if ((server !== KEYHOLE && !isName(server)) || !isName(tool)) return undefined;
  return { server, tool, args };
}

export function readLogLevel(id: number): LogLevel | undefined {
  return LEVELS[id];
}

export function readDone(payload: Buffer): Verdict | undefined {
  const parsed = parseHostileJson(payload);
  if (!parsed) return undefined;
  const ok = property(parsed.value, "ok");
  if (ok === true) return { ok, value: property(parsed.value, "value") };
  if (ok === false) return { ok, error: readError(property(parsed.value, "error")) };
  return undefined;
}

function readError(raw: unknown): RunError {
  const server = text(property(raw, "server"), MAX_NAME);
  const tool = text(property(raw, "tool"), MAX_NAME);
  const name = text(property(raw, "name"), MAX_NAME);
  const stack = readStack(property(raw, "stack"));
  const [top] = stack;
  return {
    kind: server !== undefined && tool !== undefined ? "tool_error" : "exception",
    message: text(property(raw, "message"), MAX_MESSAGE) ?? "The program failed without a message",
    ...(name === undefined ? {} : { name }),
    ...(top === undefined ? {} : { line: top.line, column: top.column, stack }),
    ...(server === undefined ? {} : { server }),
    ...(tool === undefined ? {} : { tool }),
  };
}

function readStack(raw: unknown): StackFrame[] {
  if (!Array.isArray(raw)) return [];
  return raw.slice(0, MAX_FRAMES).flatMap((frame: unknown) => {
    const line = property(frame, "line");
    const column = property(frame, "column");
    const name = text(property(frame, "function"), MAX_NAME);
    if (!isPlace(line) || !isPlace(column)) return [];
    return [{ line, column, ...(name === undefined ? {} : { function: name }) }];
  });
}

function property(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function text(value: unknown, maxLength: number): string | undefined {
  return typeof value === "string" ? value.slice(0, maxLength) : undefined;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_NAME;
}

function isPlace(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0;
}
