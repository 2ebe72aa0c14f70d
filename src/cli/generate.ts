import { relative, resolve } from "node:path";
import { assertOutFolder, generateTree } from "../engine/generate.ts";
import { toLanguageName } from "../engine/language-names.ts";
import { KeyholeError } from "../errors.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandHandler } from "./command.ts";
import { count, isAllFailed } from "./format.ts";
import { withCatalog } from "./read-catalog.ts";
import { describeServer } from "./servers.ts";

export const generate: CommandHandler = (context) =>
  writeWrappers(context).catch((error: unknown) => {
    throw withFlags(error);
  });

/** The rooms below know no flags. */
function withFlags(error: unknown): unknown {
  if (!(error instanceof KeyholeError) || error.code !== "file_conflict") return error;
  const hint = `${error.hint}. --out names another folder, --force takes one that has other files in it`;
  return new KeyholeError(error.code, error.message, { ...error, hint });
}

const writeWrappers: CommandHandler = async (context) => {
  const { output, options, projectDir } = context;
  const outDir = resolve(projectDir, String(options["out"]));
  await assertOutFolder(outDir, { projectDir, force: options["force"] === true });
  return withCatalog(context, async ({ entries }) => {
    const language = toLanguageName(options["lang"]);
    const report = await generateTree(outDir, entries, language);
    const failed = entries.filter(({ status }) => status === "failed");
    if (output.json) {
      output.printJson({ outDir, language, ...report, servers: entries.map(describeServer) });
    } else {
      for (const { server, tool, message } of report.warnings) output.notice(`${server} ${tool}: ${message}`);
      for (const { path, reason } of report.kept) output.notice(`kept ${toExcerpt(path)}: ${reason}`);
      for (const { error } of failed) if (error) output.fail(error);
      const changes = `${report.written.length} written, ${report.unchanged} unchanged, ${report.removed.length} removed`;
      const place = relative(process.cwd(), outDir) || ".";
      output.print(`${output.style("green", "✓")} ${count(report.tools, "tool")} in ${place}: ${changes}`);
    }
    return report.kept.length > 0 || isAllFailed(entries) ? 1 : 0;
  });
};
