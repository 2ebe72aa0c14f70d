import type { AuditEvent } from "../../event.ts";
import type { Scene } from "../anomaly.ts";
import { toBytesText, toRangeText, toWholeText } from "../figures.ts";
import { HOUR_MS, MINUTE_MS } from "../usual.ts";
import { toSpikeRule } from "./spike.ts";

const byPrincipal = (_: AuditEvent, { principal }: Scene) => principal;
const isMade = (event: AuditEvent) =>
  event.action === "call.ended" && event.details.isReplayed !== true ? event : undefined;

export const rateSpike = toSpikeRule({
  name: "rate-spike",
  about: "far more calls within ten minutes than this principal ever makes",
  severity: "warning",
  on: ["call.ended", "call.denied"],
  spanMs: 10 * MINUTE_MS,
  maturity: { count: 60, days: 4 },
  floor: 150,
  factor: 4,
  subjectOf: byPrincipal,
  amountOf: (event) => (event.action === "call.denied" || isMade(event) !== undefined ? 1 : 0),
  toText: (sum, usual) => `${toWholeText(sum)} calls within ten minutes; usual ${toRangeText(usual)}`,
});

export const toolRateSpike = toSpikeRule({
  name: "tool-rate-spike",
  about: "far more calls of one tool within an hour than there ever are",
  severity: "warning",
  on: ["call.ended"],
  spanMs: HOUR_MS,
  maturity: { count: 40, days: 4 },
  floor: 300,
  factor: 6,
  subjectOf: (event, { tool }) => (isMade(event) === undefined ? undefined : tool),
  amountOf: () => 1,
  toText: (sum, usual, tool) =>
    `${toWholeText(sum)} calls of "${tool}" within an hour; usual ${toRangeText(usual)}`,
});

export const volumeIn = toSpikeRule({
  name: "volume-in",
  about: "far more is read within an hour than this principal ever reads",
  severity: "warning",
  on: ["call.ended", "egress.connected"],
  spanMs: HOUR_MS,
  maturity: { count: 30, days: 4 },
  floor: 2_000_000,
  factor: 4,
  subjectOf: byPrincipal,
  amountOf: (event) =>
    event.action === "egress.connected"
      ? event.details.receivedBytes
      : (isMade(event)?.details.output?.bytes ?? 0),
  toText: (sum, usual) => `${toBytesText(sum)} read within an hour; usual ${toRangeText(usual, toBytesText)}`,
});

export const volumeOut = toSpikeRule({
  name: "volume-out",
  about: "far more is written or sent within an hour than this principal ever does",
  severity: "warning",
  on: ["call.ended", "egress.connected"],
  spanMs: HOUR_MS,
  maturity: { count: 30, days: 4 },
  floor: 500_000,
  factor: 4,
  subjectOf: byPrincipal,
  amountOf(event) {
    if (event.action === "egress.connected") return event.details.sentBytes;
    const call = isMade(event);
    return call?.details.isWrite ? call.details.input.bytes : 0;
  },
  toText: (sum, usual) =>
    `${toBytesText(sum)} written or sent within an hour; usual ${toRangeText(usual, toBytesText)}`,
});

export const spending = toSpikeRule({
  name: "spending",
  about: "far more tokens reach the model within an hour than this principal ever uses",
  severity: "warning",
  on: ["run.ended"],
  spanMs: HOUR_MS,
  maturity: { count: 30, days: 4 },
  floor: 200_000,
  factor: 4,
  subjectOf: byPrincipal,
  amountOf: (event) => (event.action === "run.ended" ? event.details.usage.seenTokens : 0),
  toText: (sum, usual) => `${toWholeText(sum)} tokens within an hour; usual ${toRangeText(usual)}`,
});

export const clientRate = toSpikeRule({
  name: "client-rate",
  about: "far more runs of one client within an hour than it ever starts",
  severity: "warning",
  on: ["run.started"],
  spanMs: HOUR_MS,
  maturity: { count: 40, days: 4 },
  floor: 300,
  factor: 5,
  subjectOf: (_, { client }) => client || undefined,
  amountOf: () => 1,
  toText: (sum, usual, client) =>
    `${toWholeText(sum)} runs of "${client}" within an hour; usual ${toRangeText(usual)}`,
});

export const personalData = toSpikeRule({
  name: "personal-data",
  about: "far more personal values are read or given out within an hour than this principal ever touches",
  severity: "warning",
  on: ["pii.found", "pii.revealed", "pii.shown"],
  spanMs: HOUR_MS,
  maturity: { count: 30, days: 4 },
  floor: 500,
  factor: 4,
  subjectOf: byPrincipal,
  amountOf(event) {
    if (event.action !== "pii.found" && event.action !== "pii.revealed" && event.action !== "pii.shown")
      return 0;
    let sum = 0;
    for (const count of Object.values(event.details.classes)) sum += count ?? 0;
    return sum;
  },
  toText: (sum, usual) => `${toWholeText(sum)} personal values within an hour; usual ${toRangeText(usual)}`,
});
