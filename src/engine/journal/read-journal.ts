import { homedir } from "node:os";
import { openStateDir, type StateDir } from "../../store/state-dir.ts";
import { userDir } from "../project.ts";
import { type Journal, openJournal } from "./journal.ts";

/** Reads what the runs in a project left behind; nothing is started for it, and its configuration is not read. */
export async function readJournal<T>(
  projectDir: string,
  read: (journal: Journal, state: StateDir) => Promise<T>,
  homeDir = homedir(),
): Promise<T> {
  const state = await openStateDir(projectDir, userDir({ homeDir, env: process.env }));
  const journal = openJournal(state);
  try {
    return await read(journal, state);
  } finally {
    await journal.close();
  }
}
