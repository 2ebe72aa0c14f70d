import { Worker } from "node:worker_threads";

const EVERY_MS = 25;

/**
 * Ends this process when it takes more memory than it may. Linux does that itself (`ulimit -d`). Elsewhere nobody does,
 * and this thread can't look while the parser is at work: another one must.
 */
export function guardMemory(maxBytes: number, platform: string = process.platform): void {
  if (platform === "linux") return;
  const script = `setInterval(() => {
    if (process.memoryUsage.rss() > ${maxBytes}) process.kill(process.pid, "SIGABRT");
  }, ${EVERY_MS});`;
  new Worker(script, { eval: true }).unref();
}
