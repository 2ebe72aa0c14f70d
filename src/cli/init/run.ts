import type { LoadOptions } from "../../config/load.ts";
import { toPlaces } from "../../config/places.ts";
import type { ClientId } from "../../config/server-definition.ts";
import { KeyholeError } from "../../errors.ts";
import type { InitOptions } from "../init.ts";
import type { Output } from "../output.ts";
import { addSkill, printSkill, type SkillReport, settleSkill } from "./add-skill.ts";
import { askForSkill, chooseByFlags, chooseByPrompt } from "./choose.ts";
import { createDraft, type Draft, writeDraft } from "./config-file.ts";
import { checkProjectDir, type ExistingConfig, readExistingConfig } from "./existing-config.ts";
import { type Candidate, type Findings, findCandidates, noticesAbout } from "./find.ts";
import { createPaste, type Paste } from "./paste.ts";
import { printFindings, printPaste, toFoundJson } from "./print.ts";
import { literalSecrets } from "./secrets.ts";
import { trustWritten } from "./trust-written.ts";

type Written = {
  file: string;
  servers: string[];
  mode: "copy" | "link";
  backups: string[];
  dryRun: boolean;
  text?: string;
};

/** Finds, lists, chooses, writes, and says what to paste. Changes another program's file by `--write` alone. */
export async function runInit(options: InitOptions, where: LoadOptions, output: Output): Promise<number> {
  const places = toPlaces(where);
  await checkProjectDir(places.projectDir);
  if (options.undo && options.write) throw BOTH_WAYS;
  if (options.undo) return (await import("./takeover/run-undo.ts")).runUndo(options, places, output);
  const findings = await findCandidates(places);
  if (options.write)
    return (await import("./takeover/run-write.ts")).runWrite(options, places, findings, output);
  if (await isForSkillAlone(options, places.projectDir, findings, output)) {
    return addSkill(places.projectDir, options, output, toFoundJson(findings));
  }
  const report = createReport(findings, output);
  const chosen = chooseByFlags(findings.candidates, options);
  if (findings.candidates.length === 0) return report.stop(NOTHING_FOUND);
  if (chosen?.length === 0) return report.stop(nothingFrom(options.from ?? [], findings));
  if (chosen === undefined && !output.interactive) return report.stop(NO_CHOICE);

  const { force = false, add = false, dryRun = false, link = false } = options;
  const existing = await readExistingConfig(places.projectDir);
  const isConflict = existing !== undefined && !force && !add;
  if (isConflict && !dryRun) throw conflict(existing);
  const taken = chosen ?? (await chooseByPrompt(findings.candidates));
  const wantsSkill = options.skill ?? (chosen === undefined && (await askForSkill(isFromClaude(taken))));
  const skill = wantsSkill ? await settleSkill(places.projectDir, options, output) : undefined;
  const draft = await createDraft(places.projectDir, taken, { ...options, replace: force, existing });
  const isWritten = !dryRun && draft.put.length > 0;
  const backups = isWritten ? await writeDraft(draft) : [];
  const written: Written = {
    file: draft.file,
    servers: draft.put.map(({ name }) => name),
    mode: link ? "link" : "copy",
    backups,
    dryRun,
    ...(dryRun ? { text: draft.shown } : {}),
  };
  const notices = [...noticesAbout(findings.notes, taken), ...noticesFor(draft, link)];
  if (isWritten)
    notices.push(...(await trustWritten(draft, places, { output, yes: options.yes, named: options.server })));
  if (isConflict) {
    notices.push(`${existing.file} is there already: without --dry-run this needs --add or --force`);
  }
  const paste = clientsFor(options, taken).map((client) =>
    createPaste(client, taken, places, { link, configs: findings.configs }),
  );
  return report.finish(written, paste, notices, await skill?.write());
}

/**
 * Where Keyhole is set up, `--skill` without a choice of servers asks for the skill and nothing else. `--yes` chooses
 * servers only where a config can be written: where there is none yet, or by `--force`.
 */
async function isForSkillAlone(
  { skill = false, all, yes = false, server, from, add, force = false }: InitOptions,
  projectDir: string,
  { candidates }: Findings,
  output: Output,
): Promise<boolean> {
  if (!skill || [all, server, from, add].some((choice) => choice !== undefined)) return false;
  if ((await readExistingConfig(projectDir)) !== undefined) return !(yes && force);
  return (
    !yes && !output.interactive && candidates.some(({ server: { source } }) => source.client === "mcp-json")
  );
}

function isFromClaude(chosen: readonly Candidate[]): boolean {
  return chosen.some(({ place }) => place.client === "claude-code");
}

const NOTHING_FOUND = new KeyholeError("usage", "Found no MCP servers to take over", {
  hint: 'Define some in ".mcp.json" or in keyhole.config under "servers"',
});

const BOTH_WAYS = new KeyholeError("usage", "--write and --undo exclude each other", {
  hint: "Leave one of them out",
});

const NO_CHOICE = new KeyholeError("usage", "No servers were chosen, and there is no terminal to ask on", {
  hint: "Choose with --all, --server NAME or --from CLIENT",
});

function nothingFrom(clients: readonly ClientId[], { candidates }: Findings): KeyholeError {
  const found = namesBy(
    candidates.flatMap(({ name, place, others }) =>
      [place, ...others].map(({ client }) => ({ key: client, name })),
    ),
  );
  const list = found.map(([client, names]) => `${client} (${names})`);
  return new KeyholeError("usage", `Found no MCP servers of ${clients.join(" or ")}`, {
    hint: `Found servers of ${list.join(", ")}`,
  });
}

function conflict({ file }: ExistingConfig): KeyholeError {
  return new KeyholeError("file_conflict", `Cannot write the config: "${file}" is there already`, {
    hint: "Use --add to add the servers that it lacks, or --force to replace those of the same name too; a backup is kept",
  });
}

function createReport(findings: Findings, output: Output) {
  const found = toFoundJson(findings);
  if (!output.json) printFindings(findings, output);
  return {
    stop(error: KeyholeError): number {
      const notices = noticesAbout(findings.notes, undefined);
      if (!output.json) {
        for (const notice of notices) output.notice(notice);
        throw error;
      }
      output.printJson({ found, written: null, paste: [], notices, error });
      return error.exitCode;
    },
    finish(written: Written, paste: Paste[], notices: string[], skill: SkillReport | undefined): number {
      if (output.json) {
        output.printJson({ found, written, ...(skill ? { skill } : {}), paste, notices });
        return 0;
      }
      for (const notice of notices) output.notice(notice);
      printWritten(written, output);
      if (skill) printSkill(skill, output);
      printPaste(paste, output);
      return 0;
    },
  };
}

function printWritten({ file, servers, dryRun, text, backups }: Written, output: Output): void {
  if (servers.length === 0) {
    output.print(`Nothing to add: ${output.style("bold", file)} stays as it is`);
    return;
  }
  const verb = dryRun ? "Would write" : "Wrote";
  output.print(`${verb} ${output.style("bold", file)} with ${servers.join(", ")}`);
  if (text !== undefined) output.print(text);
  for (const backup of backups) output.print(`The old config is kept as ${backup}`);
}

function noticesFor({ put, kept, file }: Draft, link: boolean): string[] {
  const notices = link ? linkNotices(put) : copyNotices(put, file);
  if (kept.length > 0) {
    const names = kept.map(({ name }) => name).join(", ");
    notices.unshift(`${file} has ${names} already and keeps its own; --force replaces them`);
  }
  return notices;
}

function copyNotices(put: readonly Candidate[], file: string): string[] {
  const notices: string[] = [];
  const inProject = put.filter(({ server }) => server.source.client === "mcp-json").map(({ name }) => name);
  if (inProject.length > 0) {
    const why = "the copy lets you take them out there, so that the client lists Keyhole alone";
    notices.push(`Keyhole reads ${inProject.join(", ")} from .mcp.json anyway; ${why}`);
  }
  const secrets = put.flatMap(({ server }) => literalSecrets(server));
  if (secrets.length > 0) {
    notices.push(
      `These values look like secrets: ${secrets.join(", ")}. Better write \${VAR} and set VAR; keep ${file} out of git`,
    );
  }
  return notices;
}

function linkNotices(put: readonly Candidate[]): string[] {
  const byFile = namesBy(put.map(({ name, place }) => ({ key: place.file, name })));
  return byFile.map(
    ([file, names]) =>
      `Keyhole looks up ${names} in ${file} at each start: leave the entry there (it may be disabled there)`,
  );
}

/** The names that belong to each key, once each. */
function namesBy(items: readonly { key: string; name: string }[]): [string, string][] {
  const grouped = new Map<string, Set<string>>();
  for (const { key, name } of items) grouped.set(key, (grouped.get(key) ?? new Set()).add(name));
  return [...grouped].map(([key, names]) => [key, [...names].join(", ")]);
}

function clientsFor(options: InitOptions, chosen: readonly Candidate[]): ClientId[] {
  if (options.client !== undefined && options.client.length > 0) return [...new Set(options.client)];
  return [...new Set(chosen.map(({ place }) => place.client))];
}
