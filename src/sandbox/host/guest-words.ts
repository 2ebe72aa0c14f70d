import { CALL_FAILURE_CODES } from "../../errors.ts";
import type { Happening, LogLevel, RunError, SandboxPlace, StackFrame } from "../sandbox.ts";
import { parseHostileJson } from "./hostile-json.ts";

/**
 * What the guest says, read as hostile input: each function copies what it expects and drops the rest. The caller has weighed
 * what is read here (`json-weight.ts`).
 */

export type Verdict = { ok: true; value: unknown } | { ok: false; error: RunError };

export function failed(error: RunError): Verdict {
  return { ok: false, error };
}

export function broken(what: string): Verdict {
  return failed({ kind: "protocol", message: `The program's process broke the protocol: ${what}` });
}

const MAX_NAME = 512;
const MAX_MESSAGE = 64_000;
const MAX_FRAMES = 50;
const MAX_PLACE = 1e9;
/** The longest that a timer can be set to. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const STUCK_HINT =
  "Have the promise resolved or rejected in every case, or give it a time-out: nothing was left that could do it";
const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export type GuestCall = {
  /** Nothing for one of Keyhole's own tools. */
  readonly server?: string;
  readonly tool: string;
  readonly args: unknown;
  readonly isCancellable: boolean;
  readonly timeoutMs?: number;
};

/** `[server, tool, args]`, or with one more for a call that can be cancelled: its time-out or null. */
export function readCall(payload: Buffer): GuestCall | undefined {
  const [server, ...rest] = readList(payload);
  const call = toCall(rest);
  return call && isName(server) ? { server, ...call } : undefined;
}

/** Of one of Keyhole's own tools: `[tool, args]`, and the same one more. */
export function readOwnCall(payload: Buffer): GuestCall | undefined {
  return toCall(readList(payload));
}

export type ToolNames = { readonly server: string; readonly tool: string };

/** The names at the start of a call whose arguments are not read yet: `["server","tool"`. */
export function readNames(start: string): ToolNames | undefined {
  const [server, tool, ...rest] = readList(Buffer.from(`${start}]`));
  return isName(server) && isName(tool) && rest.length === 0 ? { server, tool } : undefined;
}

function readList(payload: Buffer): readonly unknown[] {
  const value = parseHostileJson(payload)?.value;
  return Array.isArray(value) ? value : [];
}

function toCall(list: readonly unknown[]): GuestCall | undefined {
  const [tool, args, timeoutMs] = list;
  if (list.length < 2 || list.length > 3 || !isName(tool)) return undefined;
  if (list.length === 2) return { tool, args, isCancellable: false };
  if (timeoutMs === null) return { tool, args, isCancellable: true };
  return isWithin(timeoutMs, MAX_TIMEOUT_MS) ? { tool, args, isCancellable: true, timeoutMs } : undefined;
}

export function readLogLevel(id: number): LogLevel | undefined {
  return LEVELS[id];
}

const HAPPENING_NAME = /^\+?[rtw][1-9]\d{0,9}$/;
const MAX_TIME = 8.64e15;

export function readHappenings(payload: Buffer): Happening[] | undefined {
  const value = parseHostileJson(payload)?.value;
  if (!Array.isArray(value)) return undefined;
  const happenings: Happening[] = [];
  for (const item of value) {
    if (!Array.isArray(item) || item.length !== 2) return undefined;
    const [name, time]: unknown[] = item;
    if (typeof name !== "string" || !HAPPENING_NAME.test(name)) return undefined;
    if (typeof time !== "number" || !(time >= 0 && time <= MAX_TIME)) return undefined;
    happenings.push([name, time]);
  }
  return happenings;
}

export const readBlock = parseHostileJson;

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
  const source = readPlace(property(raw, "source"));
  const top = stack.find(({ skill }) => skill === undefined);
  const isStuck = property(raw, "stuck") === true;
  const code = CALL_FAILURE_CODES.find((known) => known === property(raw, "code"));
  return {
    kind: isStuck ? "stuck" : server !== undefined && tool !== undefined ? "tool_error" : "exception",
    message: text(property(raw, "message"), MAX_MESSAGE) ?? "The program failed without a message",
    ...(name === undefined ? {} : { name }),
    ...(top === undefined ? {} : { location: { line: top.line, column: top.column } }),
    ...(stack.length === 0 ? {} : { stack }),
    ...(isStuck ? { hint: STUCK_HINT } : {}),
    ...(source === undefined ? {} : { source }),
    ...(server === undefined ? {} : { server }),
    ...(tool === undefined ? {} : { tool }),
    ...(code === undefined ? {} : { code }),
  };
}

function readStack(raw: unknown): StackFrame[] {
  if (!Array.isArray(raw)) return [];
  return raw.slice(0, MAX_FRAMES).flatMap((frame: unknown) => {
    const place = readPlace(frame);
    const name = text(property(frame, "function"), MAX_NAME);
    return place ? [{ ...place, ...(name === undefined ? {} : { function: name }) }] : [];
  });
}

function readPlace(raw: unknown): SandboxPlace | undefined {
  const line = property(raw, "line");
  const column = property(raw, "column");
  const skill = text(property(raw, "skill"), MAX_NAME);
  if (!isWithin(line, MAX_PLACE) || !isWithin(column, MAX_PLACE)) return undefined;
  return { line, column, ...(skill === undefined ? {} : { skill }) };
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

function isWithin(value: unknown, most: number): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= most;
}
