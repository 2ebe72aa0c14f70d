import { randomFillSync } from "node:crypto";
import { isRecord } from "../../text/is-record.ts";

/** Where a span stands in a trace, as W3C Trace Context has it. */
export type TraceContext = {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
  /** What vendors had to say, as it came. */
  readonly state?: string;
};

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = "0".repeat(32);
const NO_SPAN = "0".repeat(16);
/** A later version may have more at its end. */
const MAX_TRACEPARENT = 512;
const MAX_STATE = 512;
const MAX_MEMBERS = 32;
const KEY = "[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}";
const VALUE = "[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]";
const MEMBER = new RegExp(`^(?:${KEY})=${VALUE}$`);

/** `traceparent` and `tracestate` of a request's `_meta`; nothing where there is none, or it is not as it should be. */
export function readTraceContext(meta: unknown): TraceContext | undefined {
  if (!isRecord(meta)) return undefined;
  const context = parseTraceparent(meta["traceparent"]);
  if (context === undefined) return undefined;
  const state = parseTracestate(meta["tracestate"]);
  return state === undefined ? context : { ...context, state };
}

function parseTraceparent(text: unknown): TraceContext | undefined {
  if (typeof text !== "string" || text.length > MAX_TRACEPARENT) return undefined;
  const [, version, traceId = "", spanId = "", flags = "", more] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** As a whole or not at all: a list that is wrong somewhere is dropped, the trace goes on. */
function parseTracestate(text: unknown): string | undefined {
  if (typeof text !== "string" || text.length > MAX_STATE) return undefined;
  const members = text
    .split(",")
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((member) => member !== "");
  if (members.length === 0 || members.length > MAX_MEMBERS) return undefined;
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf("="))));
  if (keys.size !== members.length || !members.every((member) => MEMBER.test(member))) return undefined;
  return members.join(",");
}

/** As it is sent on, in `_meta`. */
export function toTraceMeta({ traceId, spanId, isSampled, state }: TraceContext): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}

/** Of a new span under this one; without one it begins a trace. */
export function toChildContext(parent: TraceContext | undefined): TraceContext {
  if (parent === undefined) return { traceId: randomHex(16), spanId: randomHex(8), isSampled: true };
  return { ...parent, spanId: randomHex(8) };
}

const POOL = Buffer.alloc(4_096);
let used = POOL.length;

/** Asking the system each time takes longer than the rest of a span. */
function randomHex(bytes: number): string {
  if (used + bytes > POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  const digits = POOL.toString("hex", used, used + bytes);
  used += bytes;
  // All zeros mean "none"; it will not happen, and would break the trace if it did.
  return /[1-9a-f]/.test(digits) ? digits : randomHex(bytes);
}
