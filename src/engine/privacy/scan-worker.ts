import { parentPort } from "node:worker_threads";
import { scanText, type TextScanJob } from "./scan-job.ts";

/** The thread that looks through a large file, so that whoever waits can be told. */
parentPort?.once("message", (job: TextScanJob) => parentPort?.postMessage(scanText(job)));
