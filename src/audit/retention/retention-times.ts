import { join } from "node:path";
import { atomicWrite } from "../../store/atomic-write.ts";
import { readWhole } from "../../store/held-file.ts";
import { makeFolders } from "../../store/make-folders.ts";

const FILE = "retention.json";
const MAX_BYTES = 1_000;
const DAY_MS = 86_400_000;

/** When old events were last looked for, in the user's folder: commands that live shortly do it once a day. */
export type RetentionTimes = {
  isDue(now?: number): Promise<boolean>;
  noteDone(now?: number): Promise<void>;
};

export function openRetentionTimes(logFolder: string): RetentionTimes {
  return {
    async isDue(now = Date.now()) {
      const held = { path: logFolder, shown: logFolder, close: async () => {} };
      const bytes = await readWhole(held, FILE, MAX_BYTES).catch(() => undefined);
      const at = parseAt(bytes?.toString("utf8"));
      // A clock that was set back must not stop it for good.
      return at === undefined || Math.abs(now - at) >= DAY_MS;
    },
    async noteDone(now = Date.now()) {
      await makeFolders(logFolder);
      await atomicWrite(join(logFolder, FILE), `${JSON.stringify({ at: now })}\n`, { mode: 0o600 });
    },
  };
}

function parseAt(text: string | undefined): number | undefined {
  try {
    const { at } = JSON.parse(text ?? "{}");
    return typeof at === "number" ? at : undefined;
  } catch {
    return undefined;
  }
}
