import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LogPlace, toLogFolder } from "../../audit/log-place.ts";
import { releaseParty } from "./anomaly-parties.ts";

/**
 * How a person lets a session go on that another process has stopped: a file in the user's own folder, which no program and
 * no project can write to. It says when: what is found after that counts again.
 */
export function isReleased(place: LogPlace, session: string, since: number): boolean {
  try {
    return Number(readFileSync(fileOf(place, session), "utf8")) >= since;
  } catch {
    return false;
  }
}

/** With all that is held for what it did: whoever comes back, and what was counted for them. */
export async function releaseSession(place: LogPlace, session: string): Promise<void> {
  await mkdir(folderOf(place), { recursive: true, mode: 0o700 });
  for (const one of new Set([session, ...releaseParty(place, session)])) {
    const file = fileOf(place, one);
    await rm(file, { force: true });
    await writeFile(file, String(Date.now()), { flag: "wx", mode: 0o600 });
  }
}

function folderOf(place: LogPlace): string {
  return join(toLogFolder(place), "released");
}

function fileOf(place: LogPlace, session: string): string {
  return join(folderOf(place), createHash("sha256").update(session).digest("hex").slice(0, 32));
}
