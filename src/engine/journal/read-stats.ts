import { homedir } from "node:os";
import { openStateDir } from "../../store/state-dir.ts";
import { userDir } from "../project.ts";
import { openJournal } from "./journal.ts";
import type { Stats } from "./stats.ts";

/** What the runs in a project left behind; nothing is started for it, and its configuration is not read. */
export async function readStats(projectDir: string): Promise<Stats> {
  const keyDir = userDir({ homeDir: homedir(), env: process.env });
  const journal = openJournal(await openStateDir(projectDir, keyDir));
  try {
    return await journal.stats();
  } finally {
    await journal.close();
  }
}
