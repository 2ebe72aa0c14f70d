import { parentPort } from "node:worker_threads";
import { type ScanJob, scanText } from "./scan-job.ts";

/** The thread that looks through a large file, so that whoever waits can be told. */
parentPort?.once("message", (job: ScanJob) => parentPort?.postMessage(scanText(job)));
