import { type ProjectAudit, parseFilter } from "../../engine/audit/audit-of-project.ts";
import { createExport } from "../../engine/audit/export-of-project.ts";
import { KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { count } from "../format.ts";
import { toOutFile, writeOutFile } from "../out-file.ts";

/** Writes events for somebody else, to a file as a whole or to standard output as they come. */
export async function exportEvents(
  { output, options }: CommandContext,
  audit: ProjectAudit,
): Promise<number> {
  const format = typeof options["format"] === "string" ? options["format"] : "jsonl";
  const target = toOutFile(options["out"]);
  if (output.json && target === undefined)
    throw new KeyholeError("usage", "With --json, the events need a file to go to", {
      hint: "Add --out FILE, or leave out --json: jsonl is JSON already",
    });
  const exported = await createExport(audit, format, parseFilter(options));
  const progress = output.progress(() => `${count(exported.count(), "event")} exported`);
  try {
    if (target !== undefined) await writeOutFile(target, exported.pieces, { beforeDone: exported.tell });
    else {
      for await (const piece of exported.pieces) await output.rawPiece(piece);
      await exported.tell();
    }
  } finally {
    progress.done();
  }
  const events = exported.count();
  if (output.json) output.printJson({ format: format.toLowerCase(), events, out: target });
  else if (target !== undefined)
    output.print(`${count(events, "event")} written to "${toExcerpt(target, 200)}"`);
  return 0;
}
