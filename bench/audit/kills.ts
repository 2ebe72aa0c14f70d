import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { LogPlace } from "../../src/audit/log-place.ts";
import type { AuditPart } from "../audit.ts";
import { inspectLog, openAuditIn, toPercentile, toRounded, withLog } from "./log-folder.ts";
import { startWriter } from "./writers.ts";

const KILLS = 200;
/** Verified after each kill, so it is not let grow. */
const KILLS_A_LOG = 20;
const MAX_WORK_MS = 200;
const TARGET_START_MS = 1_000;

type Totals = {
  committed: number;
  missing: number;
  doubles: number;
  unsound: number;
  starts: number[];
  settles: number[];
};

/** Processes that are killed at any moment of their work; after each, another one starts, and the whole log is verified. */
export const measureKills: AuditPart = async ({ progress, scale }) => {
  const kills = Number(process.env["KEYHOLE_BENCH_KILLS"] ?? Math.ceil(KILLS * scale));
  const totals: Totals = { committed: 0, missing: 0, doubles: 0, unsound: 0, starts: [], settles: [] };
  for (let done = 0; done < kills; done += KILLS_A_LOG) {
    progress(`kills: ${done} of ${kills}`);
    await withLog((place) => killSome(place, Math.min(KILLS_A_LOG, kills - done), totals));
  }
  const { committed, missing, doubles, unsound, starts, settles } = totals;
  const slowest = toRounded(Math.max(...starts), 1);
  return {
    tables: [
      {
        title: "Processes killed with SIGKILL while they write",
        columns: ["kills", "events acknowledged", "of them lost", "twice", "chains not verified"],
        rows: [[kills, committed, missing, doubles, unsound]],
      },
      {
        title: "Start after a kill (ms)",
        columns: ["", "p50", "most", "target"],
        rows: [
          [
            "until an event can be acknowledged",
            toRounded(toPercentile(starts, 0.5), 1),
            slowest,
            TARGET_START_MS,
          ],
          [
            "until all that was left is in the tables",
            toRounded(toPercentile(settles, 0.5), 1),
            toRounded(Math.max(...settles), 1),
            "",
          ],
        ],
      },
    ],
    notes: [],
    misses: [
      ...(missing > 0 ? [`${missing} acknowledged events were lost`] : []),
      ...(doubles > 0 ? [`${doubles} events are in the log twice`] : []),
      ...(unsound > 0 ? [`${unsound} logs were not verified`] : []),
      ...(slowest > TARGET_START_MS ? [`start after a kill: ${slowest} ms`] : []),
    ],
  };
};

async function killSome(place: LogPlace, kills: number, totals: Totals): Promise<void> {
  const committed: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const writer = startWriter(place, "1000000", "stop", ...(kill % 2 === 0 ? ["settle"] : []));
    await once(writer.child.stdout, "data");
    await delay(Math.random() * MAX_WORK_MS);
    writer.child.kill("SIGKILL");
    committed.push(...(await writer.told()).ids);

    const start = performance.now();
    const audit = await openAuditIn(place);
    await audit.ready();
    const { id } = audit.add({ action: "session.opened", outcome: "ok", details: { front: "bench" } });
    await audit.commit();
    totals.starts.push(performance.now() - start);
    await audit.settled();
    totals.settles.push(performance.now() - start);
    await audit.close();
    committed.push(id);

    const { missing, doubles, isSound } = await inspectLog(place, committed);
    totals.missing += missing;
    totals.doubles += doubles;
    if (!isSound) totals.unsound++;
  }
  totals.committed += committed.length;
}
