import type { Anomaly } from "../../src/audit/anomaly/anomaly.ts";
import { createDetector } from "../../src/audit/anomaly/detector.ts";
import type { AuditEvent } from "../../src/audit/event.ts";
import type { BenchReport } from "../suite.ts";
import { ATTACKS, type Attack, type AttackKind, EXPECTED, makeAttack } from "./attacks.ts";
import { type Half, loadRecordedWork, type RecordedWork } from "./recorded-work.ts";
import { makeTraffic, type Traffic } from "./traffic.ts";

const DAYS = 7;
const MAX_FALSE_A_DAY = 1;
const MAX_EVENTS = 10;
const MAX_EVENT_US = 5;

type HalfResult = {
  readonly half: Half;
  readonly events: number;
  readonly falseCold: readonly Anomaly[];
  readonly falseLater: readonly Anomaly[];
  readonly weeks: number;
  readonly found: Readonly<Record<AttackKind, { found: number; of: number; most: number }>>;
  readonly missed: readonly string[];
  /** After how many events attacks were found that take more events for the same. */
  readonly wide: readonly number[];
  readonly eventUs: number;
};

/** What is told of ordinary weeks, and of attacks in them. */
export function measureAnomalies(
  dataDir: string,
  { weeks = 4, halves = ["tuned", "held-out"] }: { weeks?: number; halves?: readonly Half[] } = {},
): BenchReport {
  const results = halves.map((half) => measureHalf(dataDir, half, weeks));
  const round = (value: number) => Math.round(value * 100) / 100;
  const misses: string[] = [];
  for (const { half, falseCold, falseLater, missed, eventUs } of results) {
    const aDay = falseCold.length / (weeks * DAYS);
    if (aDay > MAX_FALSE_A_DAY) misses.push(`${half}: ${round(aDay)} false alarms a day`);
    if (falseLater.length / (weeks * DAYS) > MAX_FALSE_A_DAY)
      misses.push(`${half}: false alarms in the second week`);
    if (missed.length > 0)
      misses.push(`${half}: ${missed.length} attacks not found within ${MAX_EVENTS} events`);
    if (eventUs > MAX_EVENT_US) misses.push(`${half}: ${round(eventUs)} µs an event`);
  }
  return {
    tables: [
      {
        title: `Ordinary weeks (${weeks} of each; the first from a cold start), and what an event costs`,
        columns: ["half", "events", "false alarms a day, first week", "second week", "µs an event"],
        rows: results.map(({ half, events, falseCold, falseLater, eventUs }) => [
          half,
          events,
          round(falseCold.length / (weeks * DAYS)),
          round(falseLater.length / (weeks * DAYS)),
          round(eventUs),
        ]),
      },
      {
        title: `Attacks found within ${MAX_EVENTS} of their own events`,
        columns: ["half", "attack", "found", "of", "after at most"],
        rows: results.flatMap(({ half, found }) =>
          ATTACKS.map((kind) => [half, kind, found[kind].found, found[kind].of, found[kind].most]),
        ),
      },
    ],
    notes: results.flatMap(({ half, falseCold, falseLater, missed, wide }) => [
      `${half}: of ${wide.length} attacks in short runs, or with two reads for each that is sent, ${wide.filter(Number.isFinite).length} found, after at most ${Math.max(0, ...wide.filter(Number.isFinite))} events`,
      `${half}: false alarms by rule: ${countRules([...falseCold, ...falseLater])}`,
      ...(missed.length === 0 ? [] : [`${half}: missed: ${missed.slice(0, 12).join("; ")}`]),
    ]),
    misses,
  };
}

function measureHalf(dataDir: string, half: Half, weeks: number): HalfResult {
  const work = loadRecordedWork(dataDir, half);
  const falseCold: Anomaly[] = [];
  const falseLater: Anomaly[] = [];
  const found = toCounts();
  const missed: string[] = [];
  const wide: number[] = [];
  let events = 0;
  let eventUs = 0;
  const first = half === "tuned" ? 1_000 : 500_000;
  for (let week = 0; week < weeks; week++) {
    const seed = first + week;
    const ordinary = makeTraffic(work, seed, 2 * DAYS);
    const middle = (ordinary.events[0]?.at ?? 0) + DAYS * 86_400_000;
    if (week === 0) eventUs = measureEvent(ordinary.events);
    const detector = createDetector();
    for (const event of ordinary.events)
      for (const anomaly of detector.observe(event))
        (event.at < middle ? falseCold : falseLater).push(anomaly);
    events += ordinary.events.length;
    for (let round = 0; round < 6; round++) attackWeek(work, seed * 100 + round, found, missed, wide);
  }
  return {
    half,
    events,
    falseCold,
    falseLater,
    weeks,
    found,
    missed,
    wide,
    eventUs,
  };
}

/** One attack of each kind in a week of its own traffic. */
function attackWeek(
  work: RecordedWork,
  seed: number,
  found: HalfResult["found"],
  missed: string[],
  wide: number[],
): void {
  const traffic = makeTraffic(work, seed, DAYS);
  const attacks = ATTACKS.map((kind) => makeAttack(kind, traffic, work, seed));
  const after = observeAttacks(traffic, attacks);
  for (const attack of attacks) {
    const events = after.get(attack.kind);
    if (attack.isWide) {
      wide.push(events ?? Number.POSITIVE_INFINITY);
      continue;
    }
    const total = found[attack.kind];
    total.of++;
    if (events !== undefined && events <= MAX_EVENTS) {
      total.found++;
      total.most = Math.max(total.most, events);
    } else
      missed.push(
        `${attack.kind} (${attack.form}${events === undefined ? "" : `, after ${events}`}, seed ${seed})`,
      );
  }
}

function observeAttacks(traffic: Traffic, attacks: readonly Attack[]): Map<AttackKind, number> {
  const stream: AuditEvent[] = [...traffic.events, ...attacks.flatMap(({ events }) => events)].sort(
    (a, b) => a.at - b.at,
  );
  const detector = createDetector();
  const passed = new Map<AttackKind, number>();
  const after = new Map<AttackKind, number>();
  for (const event of stream) {
    const anomalies = detector.observe(event);
    const attack = attacks.find(({ own }) => own.has(event.id));
    if (attack === undefined) continue;
    const count = (passed.get(attack.kind) ?? 0) + 1;
    passed.set(attack.kind, count);
    if (after.has(attack.kind)) continue;
    if (anomalies.some(({ rule }) => rule === EXPECTED[attack.kind])) after.set(attack.kind, count);
  }
  return after;
}

function toCounts(): HalfResult["found"] {
  const none = () => ({ found: 0, of: 0, most: 0 });
  return { exfiltration: none(), probing: none(), polling: none(), deletion: none() };
}

function countRules(anomalies: readonly Anomaly[]): string {
  const counts = new Map<string, number>();
  for (const { rule } of anomalies) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].map(([rule, count]) => `${rule} ${count}`).join(", ") || "none";
}

/** Of code that has run before, as in a gateway that is up; the fastest of some passes, since others use the machine too. */
function measureEvent(events: readonly AuditEvent[]): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < 6; pass++) {
    const detector = createDetector();
    const startedAt = process.cpuUsage();
    for (const event of events) detector.observe(event);
    const { user, system } = process.cpuUsage(startedAt);
    fastest = Math.min(fastest, (user + system) / events.length);
  }
  return fastest;
}
