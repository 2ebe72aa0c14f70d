import type { CatalogEntry } from "../catalog/entry.ts";
import type { ToolRecord } from "../catalog/tool.ts";
import { toEffectMark } from "../engine/policy/effect-mark.ts";
import { type Probed, probeTools } from "../engine/probe.ts";
import { toolWarnings } from "../engine/tool-warnings.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandHandler } from "./command.ts";
import { changeLines, firstSentence, isAllFailed, serverHeading, serverRemarks, shorten } from "./format.ts";
import type { Output } from "./output.ts";
import { withCatalog } from "./read-catalog.ts";
import { describeServer } from "./servers.ts";

export const tools: CommandHandler = (context) => {
  const { output, args, options } = context;
  const [only] = args;
  const isProbe = options["probe"] === true;
  return withCatalog(
    context,
    async ({ project, entries }) => {
      if (isProbe) {
        let latest = "";
        const progress = output.progress(() => `Calling ${latest}`);
        const probed = await probeTools(project, entries, {
          onStart: (server, tool) => {
            latest = `${server} ${tool}`;
          },
          onNotice: output.notice,
        });
        progress.done();
        if (output.json) output.printJson({ probed, servers: entries.map(describeServer) });
        else printProbed(entries, probed, output);
      } else if (output.json)
        output.printJson({
          tools: entries.flatMap((entry) => toolsOf(entry).map((tool) => describeTool(entry, tool))),
          servers: entries.map(describeServer),
        });
      else printServers(entries, output);
      return isAllFailed(entries) ? 1 : 0;
    },
    // What is to be called is what the server lists now, not what it listed yesterday.
    { only, ...(isProbe ? { refresh: true } : {}) },
  );
};

function toolsOf(entry: CatalogEntry): readonly ToolRecord[] {
  return entry.record?.tools ?? [];
}

/** The name to write in a program. */
function functionOf({ identifiers }: CatalogEntry, tool: ToolRecord): string {
  return `${identifiers.typescript}.${tool.identifiers.typescript}`;
}

function describeTool(entry: CatalogEntry, tool: ToolRecord) {
  const { server, name, identifiers, contradictions: _told, ...details } = tool;
  return {
    server,
    tool: name,
    function: functionOf(entry, tool),
    pythonFunction: `${entry.identifiers.python}.${identifiers.python}`,
    ...details,
    warnings: toolWarnings(tool),
  };
}

function printProbed(entries: readonly CatalogEntry[], probed: readonly Probed[], output: Output): void {
  const { style } = output;
  const marks = { learned: style("green", "✓"), skipped: style("dim", "-"), failed: style("red", "✗") };
  for (const entry of entries) {
    output.print(serverHeading(entry, output));
    for (const { tool, status, detail } of probed.filter(({ server }) => server === entry.name))
      output.print(`  ${marks[status]} ${tool}  ${style("dim", toExcerpt(detail, 400))}`);
    output.print();
  }
}

function printServers(entries: readonly CatalogEntry[], output: Output): void {
  for (const entry of entries) printServer(entry, output);
  if (entries.every((entry) => toolsOf(entry).length === 0)) return;
  output.print(
    output.style(
      "dim",
      "r reads · w writes · ! destroys, sends, pays or publishes · ? nobody says: by its name and its server's word",
    ),
  );
}

function printServer(entry: CatalogEntry, output: Output): void {
  output.print(serverHeading(entry, output));
  const all = toolsOf(entry);
  const widest = all.reduce((most, tool) => Math.max(most, functionOf(entry, tool).length), 0);
  const width = Math.min(50, widest);
  for (const tool of all) {
    const name = functionOf(entry, tool).padEnd(width);
    const text = shorten(firstSentence(tool.description), output.columns - width - 8);
    output.print(`  ${name}  ${output.style("dim", `${toEffectMark(tool)}  ${text}`)}`);
  }
  for (const line of [...serverRemarks(entry, output), ...changeLines(entry, output)]) output.print(line);
  output.print();
}
