import type { Stats } from "node:fs";
import { KeyholeError } from "../errors.ts";
import { toExcerpt } from "../text/plain-text.ts";

const MAX_PATH = 4_096;

/** Links lead elsewhere, and what belongs to others can be changed by them: nothing of Keyhole's own is either. */
export function assertOwn(stats: Stats, kind: "file" | "folder", path: string): void {
  const fault = findFault(stats, kind);
  if (fault === undefined) return;
  const [what, fix] = fault;
  // A name, too, can be made to fake lines on a terminal.
  throw new KeyholeError("file_conflict", `"${toExcerpt(path, MAX_PATH)}" ${what}: ${fix}`);
}

type Fault = readonly [what: string, fix: string];

const DELETE = "delete it, Keyhole makes its own";

function findFault(stats: Stats, kind: "file" | "folder"): Fault | undefined {
  if (stats.isSymbolicLink()) return ["is a link, which is not followed here", DELETE];
  if (kind === "folder" && !stats.isDirectory()) return ["is not a folder", DELETE];
  if (kind === "file" && !stats.isFile()) return ["is not a plain file", DELETE];
  if (isForeign(stats))
    return [`belongs to another user (uid ${stats.uid})`, "delete it, or make it yours with chown"];
  if (kind === "file" && stats.nlink > 1) return ["has a second name elsewhere (a hard link)", DELETE];
  return undefined;
}

/** What root made, nobody else has planted. Where the platform knows no owners, everything is the user's. */
function isForeign({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}
