import type { CatalogEntry } from "../catalog/entry.ts";
import { type Check, checkMachine, checkProject } from "../engine/doctor.ts";
import { openExplainer } from "../engine/policy/explain-tool.ts";
import type { CommandHandler } from "./command.ts";
import { changeLines, count, serverHeading, serverRemarks } from "./format.ts";
import type { Output } from "./output.ts";
import { withCatalog } from "./read-catalog.ts";
import { describeServer } from "./servers.ts";

/** Tries everything for real (what takes long only when it may), and exits with 1 when something that is configured does not work. */
export const doctor: CommandHandler = async (context) => {
  const { output, projectDir, options } = context;
  let latest = "Trying what works on this machine";
  const progress = output.progress(() => latest);
  const onProgress = (text: string) => {
    latest = text;
  };
  const checked = { projectDir, trust: options["trust"] === true };
  const isQuick = options["quick"] === true;
  const machine = await checkMachine({ ...checked, isQuick }, onProgress);
  const checks = [...machine, ...(await checkProject(checked))];
  progress.done();
  if (!output.json) for (const check of checks) printCheck(check, output);
  const isSound = checks.every(({ status }) => status !== "failed");
  if (!checks.some(({ id, status }) => id === "servers" && status === "ok")) {
    if (output.json) output.printJson({ ok: isSound, checks, servers: [] });
    return isSound ? 0 : 1;
  }
  return withCatalog(
    context,
    async ({ project, entries }) => {
      const unmatched = (await openExplainer(project))
        .unmatched()
        .map((title): Check => ({ id: "rules", status: "limited", title }));
      const failed = entries.filter(({ status }) => status === "failed");
      const isWell = isSound && failed.length === 0;
      if (output.json)
        output.printJson({
          ok: isWell,
          checks: [...checks, ...unmatched],
          servers: entries.map(describeServer),
          contradictions: entries.flatMap(contradictionsOf),
        });
      else {
        printServers(entries, failed.length, output);
        for (const check of unmatched) printCheck(check, output);
      }
      return isWell ? 0 : 1;
    },
    { refresh: true, told: true },
  );
};

/** Results that were not what their tools declare. */
function contradictionsOf({ name, record }: CatalogEntry) {
  return (record?.tools ?? []).flatMap((tool) =>
    (tool.contradictions ?? []).map((contradiction) => ({ server: name, tool: tool.name, ...contradiction })),
  );
}

function printCheck({ status, title, detail, fix }: Check, { print, style }: Output): void {
  const mark = { ok: style("green", "✓"), limited: style("yellow", "!"), failed: style("red", "✗") }[status];
  print(`${mark} ${title}${detail === undefined ? "" : style("dim", `  ${detail}`)}`);
  if (fix !== undefined) print(`  ${style("cyan", "→")} ${fix}`);
}

function printServers(entries: readonly CatalogEntry[], failures: number, output: Output): void {
  for (const entry of entries) {
    const mark = entry.status === "ready" ? output.style("green", "✓") : output.style("red", "✗");
    output.print(`${entry.status === "disabled" ? "-" : mark} ${serverHeading(entry, output)}`);
    for (const line of [...serverRemarks(entry, output), ...changeLines(entry, output)]) output.print(line);
  }
  const verdict =
    failures === 0 ? "All servers answer" : `${count(failures, "server")} of ${entries.length} failed`;
  output.print(verdict);
}
