import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { hasCode } from "../../store/error-code.ts";
import { isRecord } from "../../text/is-record.ts";
import { ownValue } from "../../text/own-value.ts";
import type { LogStore } from "../log/log-store.ts";
import { isArchivePath } from "./write-archive.ts";

export type ComparedArchives = {
  /** Not the files that were written when their events were taken out. */
  readonly changed: readonly { readonly archive: string; readonly sequence: number }[];
  /** Somebody keeps them elsewhere, or nowhere. */
  readonly missing: readonly string[];
};

const PAGE = 500;

/** The files that a log names, by the hashes that it names them with. The log itself is verified by others. */
export async function compareArchives(
  store: Pick<LogStore, "find">,
  statePath: string,
): Promise<ComparedArchives> {
  const changed: { archive: string; sequence: number }[] = [];
  const missing: string[] = [];
  let after: number | undefined = 0;
  while (after !== undefined) {
    const page = await store.find({ actions: ["audit.pruned"] }, { after, limit: PAGE, order: "oldest" });
    for (const { body, sequence } of page.rows) {
      const { archive, archiveHash } = parseDetails(body);
      if (typeof archive !== "string" || !isArchivePath(archive)) continue;
      const hash = await hashFile(join(statePath, archive));
      if (hash === undefined) missing.push(archive);
      else if (hash !== archiveHash) changed.push({ archive, sequence });
    }
    after = page.next;
  }
  return { changed, missing };
}

function parseDetails(body: string | undefined): Record<string, unknown> {
  try {
    const details = ownValue(JSON.parse(body ?? ""), "details");
    return isRecord(details) ? details : {};
  } catch {
    return {};
  }
}

/** Nothing where there is none; no hash where it is no file that can be read: whatever stands there is others'. */
async function hashFile(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return "";
      const hash = createHash("sha256");
      await pipeline(file.createReadStream({ autoClose: false }), hash);
      return hash.digest("hex");
    } finally {
      await file.close();
    }
  } catch (error) {
    return hasCode(error, "ENOENT") ? undefined : "";
  }
}
