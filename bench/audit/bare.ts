import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditLog } from "../../src/audit/audit-log.ts";
import { makeEvents } from "../../test/fixtures/audit/make-events.ts";
import type { AuditPart } from "../audit.ts";
import { openAuditIn, toPercentile, toRounded, withLog } from "./log-folder.ts";

const ROUNDS = 200;
const EVENTS_A_ROUND = 250;
const TARGET_ADD_US = 5;
const TARGET_COMMIT_US = 10;

/** What the host's thread spends on an event: by itself, and on the disk. */
export const measureBare: AuditPart = async ({ scale }) =>
  withLog(async (place) => {
    const audit = await openAuditIn(place);
    await audit.ready();
    const events = [...makeEvents(200)].map(({ id: _, at: __, ...event }) => event);
    const eventAt = (at: number) => events[at % events.length] ?? events[0] ?? fail();
    const rounds = Math.ceil(ROUNDS * scale);
    const add = await time(rounds, audit, (at) => void audit.add(eventAt(at)));
    const commit = await time(rounds, audit, (at) => {
      audit.add(eventAt(at));
      audit.commit();
    });
    const hash = await time(rounds, audit, (at) => void audit.hash(`the arguments of call ${at}`));
    const start = performance.now();
    await audit.close();
    const closeMs = performance.now() - start;
    const misses = [
      ...(add.p50 > TARGET_ADD_US ? [`add: ${add.p50} µs, target ${TARGET_ADD_US}`] : []),
      ...(commit.p50 > TARGET_COMMIT_US
        ? [`add and commit: ${commit.p50} µs, target ${TARGET_COMMIT_US}`]
        : []),
    ];
    return {
      tables: [
        {
          title: `An event, in the host's thread (µs, means of ${EVENTS_A_ROUND})`,
          columns: ["", "p50", "p95", "target p50"],
          rows: [
            ["add", add.p50, add.p95, TARGET_ADD_US],
            ["add and commit: it survives a kill", commit.p50, commit.p95, TARGET_COMMIT_US],
            ["hash of a short text", hash.p50, hash.p95, ""],
          ],
        },
      ],
      notes: [`closing it, with what was left taken into the log: ${toRounded(closeMs, 0)} ms`],
      misses,
    };
  });

/** The log is emptied between rounds: what its thread does then is not what is measured. */
async function time(rounds: number, audit: AuditLog, work: (at: number) => void) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let at = 0; at < EVENTS_A_ROUND; at++) work(round * EVENTS_A_ROUND + at);
    times.push(((performance.now() - start) * 1_000) / EVENTS_A_ROUND);
    await audit.commit();
    if (round % 20 === 19) await audit.settled();
    else await nextTurn();
  }
  const warm = times.slice(Math.floor(rounds / 10));
  return { p50: toRounded(toPercentile(warm, 0.5)), p95: toRounded(toPercentile(warm, 0.95)) };
}

function fail(): never {
  throw new Error("There are no events");
}
