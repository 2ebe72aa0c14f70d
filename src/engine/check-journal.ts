import { constants, existsSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { KeyholeConfig } from "../config/schema.ts";
import { KeyholeError, toKeyholeError } from "../errors.ts";
import { DATABASE_FILE } from "../store/database/open-database.ts";
import { openStateDir, STATE_FOLDER } from "../store/state-dir.ts";
import type { Check } from "./doctor.ts";
import { type JournalOptions, openJournal } from "./journal/journal.ts";
import { toJournalOptions } from "./journal/journal-options.ts";
import { userDir } from "./project.ts";

const TITLE = "What programs did is written down";

/** Opens the journal, as a run would, and reads it. In a project without a `.keyhole` none is made: it leaves no trace. */
export async function checkJournal(dir: string, config: KeyholeConfig, homeDir = homedir()): Promise<Check> {
  const options = toJournalOptions(config);
  const path = join(dir, STATE_FOLDER, DATABASE_FILE);
  if (options.enabled === false)
    return { id: "journal", status: "ok", title: 'Nothing is written down: "journal.enabled" is false' };
  try {
    if (!existsSync(join(dir, STATE_FOLDER))) {
      await assertWritable(dir);
      return { id: "journal", status: "ok", title: TITLE, detail: `none yet: ${path}` };
    }
    const { runs, notices } = await tryJournal(dir, options, homeDir);
    const bytes = await sizeOf(path);
    const detail = [path, toMegabytes(bytes), `${runs} runs`, ...notices].join(", ");
    return { id: "journal", status: notices.length === 0 ? "ok" : "limited", title: TITLE, detail };
  } catch (error) {
    const { message, hint } = toKeyholeError(error);
    const isNeeded = options.onFailure === "stop";
    return {
      id: "journal",
      status: isNeeded ? "failed" : "limited",
      title: isNeeded ? "No program runs: what it does can't be written down" : "Nothing can be written down",
      detail: message,
      fix: hint ?? `Make "${path}" a file that can be written to, or move it away`,
    };
  }
}

async function assertWritable(dir: string): Promise<void> {
  await access(dir, constants.W_OK).catch((cause: unknown) => {
    throw new KeyholeError("store_unusable", `Nothing can be made in "${dir}"`, {
      hint: `Make "${dir}" a folder that can be written to: programs need it for their workspace, too`,
      cause,
    });
  });
}

async function tryJournal(
  dir: string,
  options: JournalOptions,
  homeDir: string,
): Promise<{ runs: number; notices: readonly string[] }> {
  const notices: string[] = [];
  const state = await openStateDir(dir, userDir({ homeDir, env: process.env }));
  const journal = openJournal(state, {
    ...options,
    onFailure: "stop",
    onNotice: (text) => notices.push(text),
  });
  try {
    await journal.ready();
    return { runs: (await journal.stats()).runs, notices };
  } finally {
    await journal.close();
  }
}

/** With what is not yet merged into it. */
async function sizeOf(path: string): Promise<number> {
  const sizes = await Promise.all(
    [path, `${path}-wal`].map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
