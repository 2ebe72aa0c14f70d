import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditLog } from "../../src/audit/audit-log.ts";
import { openLog } from "../../src/audit/log/open-log.ts";
import { verifyLog } from "../../src/audit/log/verify.ts";
import type { LogPlace } from "../../src/audit/log-place.ts";
import { openAudit } from "../../src/audit/open-audit.ts";
import { userDir } from "../../src/engine/project.ts";
import { openStateDir } from "../../src/store/state-dir.ts";

/** A log of its own, gone after the work. */
export async function withLog<T>(work: (place: LogPlace, homeDir: string) => Promise<T>): Promise<T> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "keyhole-bench-")));
  const keyDir = userDir({ homeDir: dir, env: process.env });
  const place = { projectDir: join(dir, "project"), userDir: keyDir, store: "sqlite" };
  await mkdir(place.projectDir);
  try {
    return await work(place, dir);
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function openAuditIn({ projectDir, userDir, store }: LogPlace): Promise<AuditLog> {
  return openAudit({
    state: await openStateDir(projectDir, userDir),
    userDir,
    settings: { store, onFailure: "stop", encrypt: false },
    env: {},
    onNotice: (text) => console.error(text),
  });
}

/** Which of these ids are not in the log, which are twice, and what verify says. */
export async function inspectLog(place: LogPlace, ids: readonly string[]) {
  const { logId, store, keys, remembered, writer } = await openLog(place);
  try {
    const start = performance.now();
    const known = { knownKeys: await keys.known(), remembered: await remembered.read() };
    const verification = await verifyLog(store, { logId, ...known });
    const verifyMs = performance.now() - start;
    const found = new Set<string>();
    let events = 0;
    for (let from = 1; ; from += 2_000) {
      const rows = await store.rows(from, 2_000);
      for (const { columns } of rows) found.add(columns.id);
      events += rows.length;
      if (rows.length < 2_000) break;
    }
    const missing = ids.filter((id) => !found.has(id)).length;
    return { events, missing, doubles: events - found.size, isSound: verification.ok, verifyMs };
  } finally {
    await writer.close();
  }
}

export function toPercentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function toRounded(value: number, digits = 2): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
