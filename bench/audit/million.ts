import { stat } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { AuditEvent } from "../../src/audit/event.ts";
import { type OpenLog, openLog } from "../../src/audit/log/open-log.ts";
import { proveEvent } from "../../src/audit/log/proof.ts";
import { verifyLog } from "../../src/audit/log/verify.ts";
import { makeEvents } from "../../test/fixtures/audit/make-events.ts";
import { textSpool } from "../../test/fixtures/audit/text-spool.ts";
import type { AuditPart } from "../audit.ts";
import { measureAsking } from "./asking.ts";
import { toRounded, withLog } from "./log-folder.ts";

const EVENTS = 1_000_000;
const SPOOL_EVENTS = 20_000;
const TARGET_VERIFY_S = 30;
/** What the thread that takes spools must do so that it is never the slowest. */
const TARGET_ROWS = 40_000;

/** A log of a million ordinary events: taken into the tables, verified, one of them proved; asked, and reported on. */
export const measureMillion: AuditPart = async ({ scale, progress }) =>
  withLog(async (place, homeDir) => {
    const log = await openLog(place, { env: {} });
    try {
      progress("a million events");
      const written = await fill(log, Math.round(EVENTS * scale));
      const { size } = await stat(join(place.projectDir, ".keyhole/audit.db"));
      progress("verify");
      const verified = await verify(log);
      const proveMs = await prove(log, written.middle);
      progress("queries and report");
      const asked = await measureAsking(place.projectDir, homeDir);
      return {
        tables: [
          ...asked.tables,
          {
            title: "A log of many events",
            columns: [
              "events",
              "MB",
              "events/s into the tables",
              "target",
              "verify (s)",
              "target ",
              "verified",
              "prove one (ms)",
            ],
            rows: [
              [
                written.events,
                Math.round(size / 1e6),
                written.rate,
                TARGET_ROWS,
                toRounded(verified.seconds, 1),
                TARGET_VERIFY_S,
                verified.ok ? "yes" : "no",
                toRounded(proveMs, 1),
              ],
            ],
          },
        ],
        notes: asked.notes,
        misses: [
          ...asked.misses,
          ...(verified.ok ? [] : ["the log is not what was written"]),
          ...(verified.seconds > TARGET_VERIFY_S ? [`verify took ${toRounded(verified.seconds, 1)} s`] : []),
          ...(written.rate < TARGET_ROWS ? [`${written.rate} events/s into the tables`] : []),
        ],
      };
    } finally {
      await log.writer.close();
    }
  });

/** The lines are made beside the clock: another thread does that. */
async function fill(log: OpenLog, events: number): Promise<{ events: number; rate: number; middle: string }> {
  let [count, ms, middle] = [0, 0, ""];
  let lines: string[] = [];
  const take = async () => {
    const spool = textSpool(`spool-${count}`, lines.join(""));
    lines = [];
    const start = performance.now();
    await log.writer.take(spool);
    await log.writer.forget(spool.name);
    ms += performance.now() - start;
  };
  for (const event of everMore()) {
    lines.push(`${JSON.stringify(event)}\n`);
    if (++count === Math.ceil(events / 2)) middle = event.id;
    if (lines.length === SPOOL_EVENTS) await take();
    if (count === events) break;
  }
  if (lines.length > 0) await take();
  return { events: count, rate: Math.round((count / ms) * 1_000), middle };
}

function* everMore(): Generator<AuditEvent> {
  yield* makeEvents(Number.MAX_SAFE_INTEGER);
}

async function verify({
  logId,
  store,
  keys,
  remembered,
}: OpenLog): Promise<{ ok: boolean; seconds: number }> {
  const known = { knownKeys: await keys.known(), remembered: await remembered.read() };
  const start = performance.now();
  const { ok } = await verifyLog(store, { logId, ...known });
  return { ok, seconds: (performance.now() - start) / 1_000 };
}

async function prove({ store, logId }: OpenLog, id: string): Promise<number> {
  const start = performance.now();
  await proveEvent(store, logId, id);
  return performance.now() - start;
}
