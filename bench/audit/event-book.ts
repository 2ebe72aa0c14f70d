import { toCallMarks } from "../../src/audit/anomaly/call-marks.ts";
import type { AuditEvent, Hashed, Leave } from "../../src/audit/event.ts";
import { effectOfName } from "../../src/policy/permissions/verbs.ts";
import type { RiskLevel } from "../../src/policy/risk/score.ts";
import type { Random } from "./random.ts";

export type MadeCall = {
  readonly server: string;
  readonly tool: string;
  readonly args: unknown;
  readonly outputBytes: number;
  /** What its answer is told apart by; nothing: by its arguments. */
  readonly output?: string;
  readonly isFailed?: boolean;
  readonly code?: string;
  readonly isDenied?: boolean;
  readonly isApproved?: boolean;
  readonly personal?: number;
  readonly revealed?: number;
  /** Before it is made. */
  readonly pauseMs?: number;
};

export type Who = {
  readonly principal: string;
  readonly session: string;
  readonly client: string;
};

export type MadeRun = {
  readonly at: number;
  readonly who: Who;
  readonly calls: readonly MadeCall[];
  readonly risk?: RiskLevel;
  readonly violations?: readonly string[];
  readonly limit?: string;
  readonly egress?: readonly {
    readonly host: string;
    readonly sentBytes: number;
    readonly isRefused?: boolean;
  }[];
};

const WRITES = new Set(["writes", "destroys", "sends", "pays", "publishes"]);

/** Writes events as the engine does. */
export type EventBook = {
  readonly events: AuditEvent[];
  /** When it ended. */
  run(run: MadeRun): number;
  add(event: Omit<AuditEvent<"login.refused">, "id">): void;
};

export function createEventBook(random: Random, prefix: string): EventBook {
  const events: AuditEvent[] = [];
  let number = 0;
  const name = (kind: string) => `${kind}_${prefix}${(++number).toString(36)}`;

  function run({ at: startedAt, who, calls, risk = "low", violations, limit, egress = [] }: MadeRun): number {
    const { principal, session } = who;
    const client = { name: who.client, version: "2.1.0" };
    const head = { session, principal, client, run: name("r"), risk };
    const code = toHashed(JSON.stringify(calls.map(({ tool, args }) => [tool, args])));
    let at = startedAt;
    let seen = 300;
    let failed = 0;
    events.push({
      ...{ id: name("e"), at, ...head, action: "run.started", outcome: "ok" },
      details: { code, language: "typescript", tier: "process" },
    });
    for (const call of calls) {
      at += call.pauseMs ?? random.between(20, 900);
      const { server, tool } = call;
      const where = { ...head, call: name("c"), server, tool };
      const isWrite = WRITES.has(effectOfName(tool));
      const input = toHashed(JSON.stringify(call.args) ?? "");
      const marks = toCallMarks(tool, call.args, { hash: (text) => toHashed(text).hash, sends: isWrite });
      const marked = marks === undefined ? {} : { marks };
      const leave: Leave = call.isDenied
        ? { decision: "deny", by: "rule 2" }
        : {
            decision: call.isApproved ? "ask" : "allow",
            by: "level",
            approved: call.isApproved ? "person" : "auto",
          };
      if (call.isDenied) {
        events.push({
          ...{ id: name("e"), at, ...where, action: "call.denied", outcome: "denied" },
          details: { input, leave, isWrite, ...marked },
        });
        continue;
      }
      if (call.revealed)
        events.push({
          ...{ id: name("e"), at, ...where, action: "pii.revealed", outcome: "ok" },
          details: { classes: { EMAIL: call.revealed } },
        });
      if (isWrite)
        events.push({
          ...{ id: name("e"), at, ...where, action: "call.sent", outcome: "ok" },
          details: { input, leave, definition: "d", ...marked },
        });
      at += random.between(5, 400);
      const outcome = call.isFailed ? "failed" : "ok";
      if (call.isFailed) failed++;
      seen += Math.min(400, call.outputBytes / 20);
      events.push({
        ...{ id: name("e"), at, ...where, action: "call.ended", outcome, durationMs: 5 },
        details: {
          input,
          output: {
            hash: toHashed(call.output ?? JSON.stringify(call.args) ?? "").hash,
            bytes: call.outputBytes,
          },
          leave,
          isWrite,
          isDestructive: effectOfName(tool) === "destroys",
          isSent: true,
          ...(call.isFailed && { code: call.code ?? "tool_failed" }),
          directTokens: Math.round(call.outputBytes / 4),
          shape: toShape(call.args),
          ...marked,
        },
      });
      if (call.personal)
        events.push({
          ...{ id: name("e"), at, ...where, action: "pii.found", outcome: "ok" },
          details: { classes: { NAME: call.personal }, where: "result" },
        });
    }
    for (const { host, sentBytes, isRefused } of egress) {
      at += 50;
      events.push(
        isRefused
          ? {
              ...{ id: name("e"), at, ...head, action: "egress.refused", outcome: "denied" },
              details: { host, port: 443, reason: "no rule allows it" },
            }
          : {
              ...{ id: name("e"), at, ...head, action: "egress.connected", outcome: "ok" },
              details: { host, port: 443, sentBytes, receivedBytes: random.between(500, 40_000) },
            },
      );
    }
    if (limit !== undefined)
      events.push({
        ...{ id: name("e"), at, ...head, action: "limit.hit", outcome: "failed" },
        details: { limit, message: "Too much" },
      });
    at += 30;
    const isFailed = limit !== undefined || violations !== undefined;
    events.push({
      ...{ id: name("e"), at, ...head, action: "run.ended", outcome: isFailed ? "failed" : "ok" },
      durationMs: at - startedAt,
      details: {
        status: isFailed ? "failed" : "done",
        code,
        output: toHashed(`${seen}`),
        tier: "process",
        usage: { seenTokens: Math.round(seen), keptTokens: 0, directTokens: 0, catalogTokens: 0 },
        calls: calls.length,
        failedCalls: failed,
        ...(violations && { violations }),
      },
    });
    return at;
  }

  return { events, run, add: (event) => events.push({ id: name("e"), ...event }) };
}

/** FNV-1a: a bench needs no secrecy. */
function toHashed(text: string): Hashed {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return { hash: `${hash.toString(16)}${text.length.toString(16)}`.padEnd(64, "0"), bytes: text.length };
}

function toShape(args: unknown): string {
  if (typeof args !== "object" || args === null) return typeof args;
  return toHashed(
    Object.entries(args)
      .map(([key, value]) => `${key}:${typeof value}`)
      .sort()
      .join(),
  ).hash;
}
