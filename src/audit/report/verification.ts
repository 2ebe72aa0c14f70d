import type { OpenLog } from "../log/open-log.ts";
import { verifyLog } from "../log/verify.ts";
import type { ReportVerification } from "./report-document.ts";

const MAX_SHOWN = 20;

/** Verifies a whole log by the keys that the user's folder knows, and tells what a report says of it. */
export async function verifyForReport(
  log: Pick<OpenLog, "logId" | "store" | "keys" | "remembered">,
): Promise<ReportVerification> {
  const begun = performance.now();
  // Before the log: what is added meanwhile is no gap.
  const remembered = await log.remembered.read();
  const knownKeys = await log.keys.known();
  const { ok, events, problems, problemCount } = await verifyLog(log.store, {
    logId: log.logId,
    knownKeys,
    remembered,
  });
  return {
    status: ok ? "intact" : "broken",
    events,
    problems: problems
      .slice(0, MAX_SHOWN)
      .map(({ kind, sequence, message }) =>
        sequence === undefined ? `${kind}: ${message}` : `${kind}, event ${sequence}: ${message}`,
      ),
    problemCount,
    tookMs: Math.round(performance.now() - begun),
  };
}
