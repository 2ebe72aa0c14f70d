import { performance } from "node:perf_hooks";
import type { ToolRecord } from "../../src/catalog/tool.ts";
import type { PolicySource } from "../../src/config/permissions/policy-source.ts";
import type { PermissionRule } from "../../src/config/permissions/schema.ts";
import { createPermission, refuseUnasked } from "../../src/engine/call/permission.ts";
import { type AskedCall, createPolicy, type Policy } from "../../src/policy/permissions/policy.ts";
import { createSession } from "../../src/session.ts";
import { toServer } from "../eval-tools.ts";
import type { BenchReport } from "../suite.ts";

const RULES = 500;
const ROUNDS = 20_000;
const TARGET_US = 20;

type Case = { readonly what: string; readonly rules: PermissionRule[]; readonly isTarget: boolean };

const CASES: readonly Case[] = [
  { what: "no rule", rules: [], isTarget: true },
  {
    what: "500 rules by name, none of this tool",
    rules: rules((n) => ({ server: `crm${n}`, tool: "delete_*" })),
    isTarget: true,
  },
  {
    what: "500 rules by name, the last decides",
    rules: last(rules((n) => ({ tool: `other_${n}_*` }))),
    isTarget: true,
  },
  { what: "500 rules of all kinds, as people write them", rules: last(mixed()), isTarget: true },
  {
    what: "500 rules on one argument of this very tool",
    rules: last(
      rules((n) => ({ tool: "send_email", args: { "$.to": { matches: `^user${n}@corp\\.com$` } } })),
    ),
    isTarget: true,
  },
  {
    what: "500 rules on this very tool, of all kinds",
    rules: last(onThisTool()),
    isTarget: true,
  },
  {
    what: "500 rules on this very tool that no text tells apart (worst case)",
    rules: last(
      rules((n) => ({ tool: "send_email", args: { "$.to": { matches: `^[a-z]{3}@[^c].{${n % 9}}$` } } })),
    ),
    isTarget: false,
  },
];

export async function measureDecisions(): Promise<BenchReport> {
  const rows = CASES.map(({ what, rules: written, isTarget }) => {
    const source: PolicySource = { file: "bench", permissions: { rules: written } };
    const times = measure(createPolicy([source]));
    return { what, isTarget, ...times };
  });
  const stage = await measureStage();
  return {
    tables: [
      {
        title: "Deciding about one call (µs)",
        columns: ["", "p50", "p95", "target p95"],
        rows: rows.map(({ what, p50, p95, isTarget }) => [what, p50, p95, isTarget ? TARGET_US : ""]),
      },
      {
        title: "The stage of a call without any rule, beside none (µs)",
        columns: ["", "p50", "p95"],
        rows: [
          ["without the stage", stage.without.p50, stage.without.p95],
          ["with it", stage.with.p50, stage.with.p95],
        ],
      },
    ],
    notes: [],
    misses: rows
      .filter(({ p95, isTarget }) => isTarget && p95 > TARGET_US)
      .map(({ what, p95 }) => `${what}: ${p95} µs, target ${TARGET_US} µs`),
  };
}

const TOOL: ToolRecord = first(
  toServer("mail", [{ name: "send_email", annotations: { readOnlyHint: false } }]).tools,
);
const ARGS = {
  to: ["ann@corp.com", "bob@corp.com"],
  subject: "Numbers of May",
  body: "x".repeat(2_000),
  urgent: false,
};

function asked(now = new Date()): AskedCall {
  return { tool: TOOL, args: ARGS, principal: "local", session: "s_1", client: "bench", now };
}

/** Ten at a time: one alone is shorter than the clock can tell. */
function measure(policy: Policy): { p50: number; p95: number } {
  for (let n = 0; n < 2_000; n++) policy.decide(asked());
  const times: number[] = [];
  for (let n = 0; n < ROUNDS / 10; n++) {
    const start = performance.now();
    for (let m = 0; m < 10; m++) policy.decide(asked());
    times.push((performance.now() - start) * 100);
  }
  return percentiles(times);
}

/** The stage as it stands in every call, around one that answers at once. */
async function measureStage() {
  const session = createSession({ client: { name: "bench" } });
  const { signal } = new AbortController();
  const entry = { name: "mail", identifiers: { typescript: "mail", python: "mail" }, folder: "mail" };
  const server = { ...entry, status: "ready" as const, warnings: [], changes: [] };
  const tool = { ...TOOL, name: "get_mail" };
  const run = { id: "r_1", startCall: () => ({ end: () => 0, fail: () => 0 }), logOnce() {} };
  const answer = async () => ({
    value: null,
    content: [],
    from: { server: "mail", tool: "get_mail", callId: "c" },
  });
  const stage = createPermission(createPolicy([]), refuseUnasked);
  const call = {
    id: "c",
    run,
    session,
    server,
    tool,
    args: ARGS,
    timeoutMs: undefined,
    signal,
    number: undefined,
    hold: undefined,
    trace: { isSent: false },
  };
  const time = async (make: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let n = 0; n < ROUNDS / 10 + 200; n++) {
      const start = performance.now();
      for (let m = 0; m < 10; m++) await make();
      times.push((performance.now() - start) * 100);
    }
    return percentiles(times.slice(200));
  };
  return { without: await time(() => answer()), with: await time(() => stage(call, answer)) };
}

function rules(make: (n: number) => Partial<PermissionRule>): PermissionRule[] {
  return Array.from({ length: RULES }, (_, n) => ({ ...make(n), decision: n % 2 === 0 ? "deny" : "allow" }));
}

function last(written: PermissionRule[]): PermissionRule[] {
  return [...written.slice(0, -1), { tool: "send_*", decision: "ask" }];
}

/** Most speak of other tools; twenty are on arguments, sessions and times of this one. */
function mixed(): PermissionRule[] {
  return rules((n) => {
    if (n % 25 !== 0)
      return n % 3 === 0
        ? { server: "git*", tool: `*_${n}` }
        : { tool: `delete_${n}_*`, when: { destructive: true } };
    const conditions: Partial<PermissionRule>[] = [
      { args: { "$.to": { equals: `user${n}@corp.com` } } },
      { args: { "$.subject": { matches: `^Invoice ${n}\\b` } } },
      { principal: `user${n}` },
      { time: { days: "sat-sun", hours: "00:00-00:01", zone: "UTC" } },
    ];
    return { server: "mail", tool: "send_*", ...conditions[(n / 25) % conditions.length] };
  });
}

/** Addresses, subjects, long bodies, who asks, and when. */
function onThisTool(): PermissionRule[] {
  return rules((n) => {
    const conditions: Partial<PermissionRule>[] = [
      { args: { "$.to": { equals: `user${n}@corp.com` } } },
      { args: { "$.to": { matches: `@customer${n}\\.com$` } } },
      { args: { "$.subject": { matches: `^Invoice ${n}\\b` }, "$.urgent": { equals: true } } },
      { args: { "$.to": { equals: `team${n}@corp.com` }, "$.subject": { matches: "Numbers" } } },
      { principal: `user${n}` },
      { session: `s_${n}_*` },
      { client: `editor${n}` },
      { time: { days: "sat-sun", hours: "00:00-00:01", zone: "UTC" } },
    ];
    return { server: "mail", tool: "send_*", ...conditions[n % conditions.length] };
  });
}

function percentiles(times: readonly number[]): { p50: number; p95: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 100) / 100;
  return { p50: at(0.5), p95: at(0.95) };
}

function first<T>([value]: readonly T[]): T {
  if (value === undefined) throw new Error("There is none");
  return value;
}
