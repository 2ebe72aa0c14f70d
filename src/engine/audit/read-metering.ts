import { homedir } from "node:os";
import { join } from "node:path";
import { createMeter, type Meter, type MeterGrouping, type Metering } from "../../audit/metering/meter.ts";
import { METERED_ACTIONS, meterEvent } from "../../audit/metering/metered-events.ts";
import { createOpenRuns } from "../../audit/metering/open-runs.ts";
import { loadPrices } from "../../audit/metering/prices.ts";
import type { AuditReader } from "../../audit/reader.ts";
import { errorMessage } from "../../errors.ts";
import { readJournal } from "../journal/read-journal.ts";
import { userDir } from "../project.ts";
import { withAudit } from "./audit-of-project.ts";

export { METER_GROUPINGS, type MeterGrouping, type MeterRow } from "../../audit/metering/meter.ts";
export { parseTime } from "../../audit/query/parse-time.ts";

export type MeteringRequest = {
  readonly projectDir: string;
  readonly by: MeterGrouping;
  /** Milliseconds since 1970; `to` itself is not in it. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Believes the folder's config, this time. */
  readonly trust?: boolean;
  readonly onNotice: (text: string) => void;
  readonly homeDir?: string;
};

export type ProjectMetering = Metering & {
  /** How many runs are from the audit log, and how many from the journal: those that were before there was a log. */
  readonly runsFrom: { readonly audit: number; readonly journal: number };
  readonly underWay: number;
  /** Begun in the log, without an end there: under way, or killed. They are not among the runs. */
  readonly unended: number;
  /** The model that is meant where a client tells none. */
  readonly model?: string;
};

/** What the runs of a project cost and spared. No server is started for it. */
export async function readMetering(request: MeteringRequest): Promise<ProjectMetering> {
  const { projectDir, by, trust, onNotice, homeDir = homedir() } = request;
  const prices = await loadPrices(join(userDir({ homeDir, env: process.env }), "prices.json"));
  const place = { projectDir, onNotice, homeDir, ...(trust !== undefined && { trust }) };
  const readAll = async (reader: AuditReader | undefined, model: string | undefined) => {
    const meter = createMeter({ by, prices, model });
    const since = reader === undefined ? undefined : await firstEvent(reader);
    const to = Math.min(request.to ?? Number.POSITIVE_INFINITY, since ?? Number.POSITIVE_INFINITY);
    const span = { from: request.from, ...(Number.isFinite(to) && { to }) };
    const { runs, underWay } = await readJournal(
      projectDir,
      (journal) => journal.meter(meter, span),
      homeDir,
    );
    const log =
      reader && since !== undefined ? await meterLog(reader, meter, request) : { runs: 0, unended: 0 };
    const runsFrom = { audit: log.runs, journal: runs };
    return {
      ...meter.result(),
      runsFrom,
      underWay,
      unended: log.unended,
      ...(model !== undefined && { model }),
    };
  };
  try {
    return await withAudit(place, ({ reader, settings }) => readAll(reader, settings.model));
  } catch (error) {
    onNotice(`The audit log was not read, these numbers are the journal's alone: ${errorMessage(error)}`);
    return readAll(undefined, undefined);
  }
}

/** When the log begins: before the first run that is in it. */
async function firstEvent(reader: AuditReader): Promise<number | undefined> {
  const { events } = await reader.find({}, { limit: 1, order: "oldest" });
  return events[0]?.at;
}

async function meterLog(reader: AuditReader, meter: Meter, { from, to }: MeteringRequest) {
  let runs = 0;
  const open = createOpenRuns();
  const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  for await (const events of reader.scan({ actions: METERED_ACTIONS, ...span }))
    for (const event of events) {
      if (event.action === "run.ended" && event.outcome !== "waiting") runs++;
      meterEvent(meter, event);
      open.see(event);
    }
  return { runs, unended: open.count };
}
