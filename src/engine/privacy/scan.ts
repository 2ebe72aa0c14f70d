import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { loadConfig } from "../../config/load.ts";
import { KeyholeError } from "../../errors.ts";
import { toPrivacySettings } from "../../privacy/settings.ts";
import { hasCode } from "../../store/error-code.ts";
import { type ScanFinding, scanText, type TextScanJob } from "./scan-job.ts";

export type { ScanFinding } from "./scan-job.ts";

export type ScanOptions = {
  readonly projectDir: string;
  readonly trust: boolean;
  /** Also what would be kept. */
  readonly all: boolean;
  readonly homeDir?: string;
};

/** Longer ones take a second and more. */
const LARGE = 1_000_000;

/** What would be found in a text, by what the project's config says. No server is started, and no vault opened. */
export async function scanForPersonal(
  text: string,
  { projectDir, trust, all, homeDir }: ScanOptions,
): Promise<{ findings: ScanFinding[]; notices: readonly string[] }> {
  const loaded = await loadConfig({ projectDir, trust, ...(homeDir === undefined ? {} : { homeDir }) });
  const { region, actionOf } = toPrivacySettings(loaded);
  const job: TextScanJob = { text, region };
  const found = text.length < LARGE ? scanText(job) : await scanInThread(job);
  const findings = all ? found : found.filter(({ class: kind }) => actionOf(kind) !== "keep");
  return { findings, notices: loaded.notices };
}

async function scanInThread(job: TextScanJob): Promise<ScanFinding[]> {
  const file = import.meta.url.endsWith(".ts")
    ? "../../../dist/engine/privacy/scan-worker.js"
    : "./scan-worker.js";
  const worker = new Worker(new URL(file, import.meta.url));
  try {
    worker.postMessage(job);
    const [findings] = await once(worker, "message");
    return findings;
  } catch (error) {
    if (!hasCode(error, "ERR_WORKER_OUT_OF_MEMORY")) throw error;
    throw new KeyholeError("too_large", "There is more in this text than fits into memory", {
      hint: "Split it",
    });
  } finally {
    await worker.terminate();
  }
}
