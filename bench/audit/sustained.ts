import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { makeEvents } from "../../test/fixtures/audit/make-events.ts";
import type { AuditPart } from "../audit.ts";
import { inspectLog, openAuditIn, toRounded, withLog } from "./log-folder.ts";

const SECONDS = 10;
const EVENTS_A_COMMIT = 8;
const TARGET = 20_000;

/** As many events as go through to the tables, chained and signed. */
export const measureSustained: AuditPart = async ({ scale }) =>
  withLog(async (place) => {
    const audit = await openAuditIn(place);
    await audit.ready();
    const events = [...makeEvents(500)].map(({ id: _, at: __, ...event }) => event);
    const start = performance.now();
    let added = 0;
    while (performance.now() - start < SECONDS * 1_000 * scale) {
      for (let at = 0; at < EVENTS_A_COMMIT; at++) {
        const event = events[added++ % events.length];
        if (event !== undefined) audit.add(event);
      }
      await audit.commit();
      if (added % 64 === 0) await nextTurn();
    }
    await audit.settled();
    const seconds = (performance.now() - start) / 1_000;
    await audit.close();
    const { events: found, isSound, verifyMs } = await inspectLog(place, []);
    const rate = Math.round(added / seconds);
    return {
      tables: [
        {
          title: "Events a second through to the tables, one process, until all of them are there",
          columns: ["events", "seconds", "events/s", "target", "in the log", "verified", "verify (s)"],
          rows: [
            [
              added,
              toRounded(seconds, 1),
              rate,
              TARGET,
              found,
              isSound ? "yes" : "no",
              toRounded(verifyMs / 1_000, 1),
            ],
          ],
        },
      ],
      notes: [],
      misses: [
        ...(rate < TARGET ? [`${rate} events/s, target ${TARGET}`] : []),
        ...(isSound && found === added ? [] : ["the log is not what was written"]),
      ],
    };
  });
