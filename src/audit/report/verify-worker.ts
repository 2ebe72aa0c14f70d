import { parentPort, workerData } from "node:worker_threads";
import { errorMessage } from "../../errors.ts";
import { openLog } from "../log/open-log.ts";
import type { LogPlace } from "../log-place.ts";
import type { ReportVerification } from "./report-document.ts";
import { verifyForReport } from "./verification.ts";

/** The thread that verifies a log while its report is counted in another. */
async function verify(place: LogPlace): Promise<ReportVerification> {
  const log = await openLog(place);
  try {
    return await verifyForReport(log);
  } finally {
    await log.writer.close();
  }
}

verify(workerData as LogPlace).then(
  (result) => parentPort?.postMessage(result),
  (error: unknown) => parentPort?.postMessage({ status: "not verified", reason: errorMessage(error) }),
);
