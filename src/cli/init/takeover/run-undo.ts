import type { Places } from "../../../config/places.ts";
import type { InitOptions } from "../../init.ts";
import type { Output } from "../../output.ts";
import { type Undone, undoTakeover } from "./undo.ts";

/** Puts the clients' files back. Asks nothing: it only takes back what `--write` did, and loses nothing since. */
export async function runUndo(
  { dryRun = false }: InitOptions,
  places: Places,
  output: Output,
): Promise<number> {
  const undone = await undoTakeover(places, dryRun);
  const isDone = undone.every(({ status }) => status !== "failed");
  if (output.json) output.printJson({ undone, dryRun });
  else if (undone.length === 0)
    output.print("Nothing to undo: Keyhole is in no client's file by `init --write`");
  else for (const file of undone) print(file, dryRun, output);
  return isDone ? 0 : 1;
}

function print({ file, status, back, notices, backup }: Undone, dryRun: boolean, output: Output): void {
  const are = dryRun ? "would be" : back.length === 1 ? "is" : "are";
  const names = back.length === 0 ? "" : `: ${back.join(", ")} ${are} back`;
  const would = dryRun ? "Would be " : "";
  const texts: Record<Undone["status"], string> = {
    restored: `${would}${dryRun ? "as" : "As"} it was before`,
    merged: `${would}${dryRun ? "merged" : "Merged"}, since it was changed meanwhile: the rest stays`,
    removed: `${would}${dryRun ? "removed" : "Removed"}, since it was Keyhole's alone`,
    unchanged: "Has nothing of it any more",
    failed: "Stays as it is",
  };
  output.print(`${output.style("bold", file)}  ${texts[status]}${names}`);
  if (backup !== undefined) output.print(`  What it was until now is kept as ${backup}`);
  for (const notice of notices) output.notice(notice);
}
