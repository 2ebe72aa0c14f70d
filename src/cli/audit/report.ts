import { homedir } from "node:os";
import { extname, resolve } from "node:path";
import { type ProjectAudit, parseFilter } from "../../engine/audit/audit-of-project.ts";
import {
  FRAMEWORKS,
  makeProjectReport,
  REPORT_FORMATS,
  type ReportDocument,
  type ReportFormat,
  toReportData,
  toReportFile,
} from "../../engine/audit/report-of-project.ts";
import { KeyholeError } from "../../errors.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { toExcerpt, toVisibleText } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { count } from "../format.ts";
import { toOutFile, writeOutFile } from "../out-file.ts";

/** What the log supports of a framework's controls, for whoever has to show it. */
export async function report(context: CommandContext, audit: ProjectAudit): Promise<number> {
  const { output, options, projectDir } = context;
  const framework = choose("framework", options["framework"], FRAMEWORKS);
  const format = toFormat(options, output.json);
  const target = toOutFile(options["out"]);
  if (format === "pdf" && target === undefined)
    throw new KeyholeError("usage", "A PDF needs a file to go to", { hint: "Add --out report.pdf" });
  const { from, to = Date.now() } = parseFilter(options);
  if (from !== undefined && from >= to)
    throw new KeyholeError("usage", "--from is not before the report's end", {
      hint: options["to"] === undefined ? "Name a time that has passed" : "Swap --from and --to",
    });
  const progress = output.progress(() => "counting and verifying the log");
  let document: ReportDocument;
  try {
    document = await makeProjectReport(audit, {
      projectDir: resolve(projectDir),
      homeDir: homedir(),
      trust: options["trust"] === true,
      framework,
      from,
      to,
    });
  } finally {
    progress.done();
  }
  if (document.settings.isUntrusted === true)
    output.notice("This folder's settings are not used, since it is not trusted: the report says so");
  if (target !== undefined) await writeOutFile(target, [toContent(document, format)]);
  const data = toReportData(document);
  if (output.json)
    output.printJson(target === undefined ? data : { format, out: target, ...summaryOf(document) });
  else if (target !== undefined) {
    output.print(`The report is in "${toExcerpt(target, 200)}"`);
    output.print(`The log: ${document.verification.status}; ${count(document.gaps.length, "gap")} named`);
  } else if (format === "json") output.printJson(data);
  else output.raw(String(toReportFile(document, format === "pdf" ? "md" : format)));
  return document.verification.status === "broken" ? 1 : 0;
}

function summaryOf({ verification, gaps, framework, period }: ReportDocument) {
  return { framework, period, verification, gaps };
}

/** `--json` is the format, unless another one goes to a file. */
function toFormat(options: Readonly<Record<string, unknown>>, isJson: boolean): ReportFormat {
  const { format } = options;
  const target = toOutFile(options["out"]);
  if (format === undefined) return isJson ? "json" : (formatOf(target) ?? "md");
  const chosen = choose("format", format, REPORT_FORMATS);
  if (!isJson || chosen === "json" || target !== undefined) return chosen;
  throw new KeyholeError("usage", `With --json, a report as ${chosen} needs a file to go to`, {
    hint: "Add --out FILE, or leave out --json",
  });
}

/** By the end of the file's name, where it has one: what would be written otherwise is not what it says. */
function formatOf(target: string | undefined): ReportFormat | undefined {
  if (target === undefined) return undefined;
  const end = extname(target).slice(1);
  return end === "" || end.toLowerCase() === "markdown" ? undefined : choose("format", end, REPORT_FORMATS);
}

function choose<Name extends string>(option: string, written: unknown, names: readonly Name[]): Name {
  const text = typeof written === "string" ? written.toLowerCase() : "";
  const found = names.find((name) => name === text || (name === "md" && text === "markdown"));
  if (found !== undefined) return found;
  const message =
    written === undefined
      ? `keyhole audit report needs a ${option}`
      : `--${option} can't be "${toExcerpt(String(written), 40)}"`;
  const guess = text === "" ? undefined : didYouMean(text, names);
  throw new KeyholeError("usage", message, {
    hint: [guess, `Write --${option} with one of ${names.join(", ")}`].filter(Boolean).join(" "),
  });
}

function toContent(document: ReportDocument, format: ReportFormat): string | Buffer {
  return format === "json"
    ? `${toVisibleText(JSON.stringify(toReportData(document), null, 2))}\n`
    : toReportFile(document, format);
}
