import { type ScanFinding, scanForPersonal } from "../../engine/privacy/scan.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { createPositionOf, type Position } from "../../text/position.ts";
import type { CommandContext } from "../command.ts";
import { count } from "../format.ts";
import type { Output } from "../output.ts";
import { readLargeText } from "./text-file.ts";

const MAX_SHOWN = 100;
/** More would be longer than a text can be. */
const MAX_LISTED = 1_000_000;
const MAX_VALUE = 60;

/** What would be found in a file. */
export async function scan({ output, projectDir, options }: CommandContext, file: string): Promise<number> {
  const text = await readLargeText(file);
  const size = `${(text.length / 1_000_000).toFixed(1)} million characters`;
  const progress = output.progress(() => `Looking through ${size}`);
  const all = options["all"] === true;
  const trust = options["trust"] === true;
  const { findings, notices } = await scanForPersonal(text, { projectDir, trust, all }).finally(
    progress.done,
  );
  for (const notice of notices) output.notice(notice);
  if (findings.length > MAX_LISTED)
    output.notice(`Only the first ${MAX_LISTED} of ${findings.length} values are listed: split the file`);
  if (output.json) output.printJson({ findings: findings.slice(0, MAX_LISTED) });
  else print(findings, text, output);
  return 0;
}

function print(findings: readonly ScanFinding[], text: string, output: Output): void {
  if (findings.length === 0) {
    output.print("Nothing personal was found");
    return;
  }
  const positionOf = createPositionOf(text);
  const rows = findings.slice(0, MAX_SHOWN).map((finding) => toRow(finding, positionOf));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    output.print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  if (findings.length > rows.length)
    output.print(`and ${findings.length - rows.length} more; --json lists them`);
  const counts = new Map<string, number>();
  for (const { class: kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const sums = [...counts].sort(([, a], [, b]) => b - a).map(([kind, sum]) => `${kind} ${sum}`);
  output.print(output.style("bold", `${count(findings.length, "value")}: ${sums.join(", ")}`));
}

function toRow(
  { class: kind, value, path, start, rule, confidence }: ScanFinding,
  positionOf: (offset: number) => Position,
): string[] {
  const { line, column } = positionOf(start ?? 0);
  return [
    kind,
    toExcerpt(value, MAX_VALUE),
    toExcerpt(path ?? `${line}:${column}`, MAX_VALUE),
    toExcerpt(rule, MAX_VALUE),
    confidence.toFixed(2),
  ];
}
