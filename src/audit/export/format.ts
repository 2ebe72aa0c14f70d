import { KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { LoggedEvent } from "../reader.ts";

/** How events are written for somebody else: each on its own, so that any number of them needs no more memory than one. */
export type EventFormat = {
  /** What stands before the first. */
  start?(): string;
  line(event: LoggedEvent): string;
};

export const EXPORT_FORMATS = ["jsonl", "csv", "cef", "ocsf"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Each is loaded when it is asked for. */
export async function loadFormat(name: ExportFormat): Promise<EventFormat> {
  switch (name) {
    case "jsonl":
      return { line: (event) => `${JSON.stringify(event)}\n` };
    case "csv":
      return (await import("./csv.ts")).csvFormat;
    case "cef":
      return (await import("./cef.ts")).cefFormat;
    case "ocsf":
      return (await import("./ocsf.ts")).ocsfFormat;
  }
}

export function toExportFormat(written: string): ExportFormat {
  const found = EXPORT_FORMATS.find((name) => name === written.toLowerCase());
  if (found !== undefined) return found;
  throw new KeyholeError("usage", `--format can't be "${toExcerpt(written, 40)}"`, {
    hint: `Write one of ${EXPORT_FORMATS.join(", ")}`,
  });
}
