import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { errorMessage } from "../../errors.ts";
import type { OpenLog } from "../log/open-log.ts";
import type { LogPlace } from "../log-place.ts";
import type { ReportVerification } from "./report-document.ts";
import { verifyForReport } from "./verification.ts";

/** The built file, also when this one runs as it was written. */
const WORKER = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../../dist/audit/report/verify-worker.js" : "./verify-worker.js",
    import.meta.url,
  ),
);
const MAX_HEAP_MB = 1_024;

export type ReportVerifier = { readonly result: Promise<ReportVerification>; end(): Promise<void> };

/** In a thread, so that it takes no longer than the counting; in this one where no other can be started. */
export function verifyBeside(
  place: LogPlace,
  log: Pick<OpenLog, "logId" | "store" | "keys" | "remembered">,
): ReportVerifier {
  const worker = startWorker(place);
  if (worker === undefined) return { result: verifyForReport(log), end: async () => {} };
  const result = new Promise<ReportVerification>((resolve) => {
    worker.once("message", resolve);
    worker.once("error", (error) => resolve(toUnverified(error)));
    worker.once("exit", () => resolve(toUnverified("the thread that verifies ended")));
  });
  return {
    result,
    end: async () => {
      await worker.terminate();
    },
  };
}

function startWorker(place: LogPlace): Worker | undefined {
  if (!existsSync(WORKER)) return undefined;
  try {
    return new Worker(WORKER, {
      workerData: place,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
  } catch {
    return undefined;
  }
}

function toUnverified(cause: unknown): ReportVerification {
  return { status: "not verified", reason: typeof cause === "string" ? cause : errorMessage(cause) };
}
