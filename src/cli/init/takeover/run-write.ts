import type { Places } from "../../../config/places.ts";
import type { ClientId } from "../../../config/server-definition.ts";
import { KeyholeError } from "../../../errors.ts";
import type { InitOptions } from "../../init.ts";
import type { Output } from "../../output.ts";
import { printSkill, settleSkill } from "../add-skill.ts";
import { askToWrite, chooseByFlags, chooseByPrompt } from "../choose.ts";
import { readExistingConfig } from "../existing-config.ts";
import { type Candidate, type Findings, noticesAbout } from "../find.ts";
import { CLIENT_NAMES, printFindings, toFoundJson } from "../print.ts";
import { literalSecrets } from "../secrets.ts";
import { trustWritten } from "../trust-written.ts";
import { type Applied, applyTakeover } from "./apply.ts";
import { type FileChange, planTakeover, type Takeover } from "./plan.ts";
import { loadRecord } from "./record.ts";

/** Puts Keyhole into the clients' own files in the place of the chosen servers, once the user has seen what changes. */
export async function runWrite(
  options: InitOptions,
  places: Places,
  findings: Findings,
  output: Output,
): Promise<number> {
  if (!output.json) printFindings(findings, output);
  const { yes = false, dryRun = false, link = false, client: asked = [] } = options;
  if (link) {
    throw new KeyholeError(
      "usage",
      "--link and --write exclude each other: a link needs the entry in the client's file",
      {
        hint: "Leave one of them out",
      },
    );
  }
  const chosen = await choose(options, places, findings, output);
  const takeover = await planTakeover({
    chosen,
    asked,
    from: clientsToChange(options, chosen),
    force: options.force ?? false,
    ...(options.format === undefined ? {} : { format: options.format }),
    existing: await readExistingConfig(places.projectDir),
    findings,
    places,
  });
  const skill = options.skill === true ? await settleSkill(places.projectDir, options, output) : undefined;
  const notices = [
    ...noticesAbout(findings.notes, chosen),
    ...takeover.notices,
    ...noticesFor(takeover, findings),
  ];
  const isNothing = takeover.config === undefined && takeover.clients.length === 0;
  if (!output.json) printPlan(takeover, notices, output);
  if (!isNothing && !dryRun) {
    if (!yes && !output.interactive) throw NO_TERMINAL;
    if (!yes && !(await askToWrite())) {
      output.print("Nothing was written");
      return 1;
    }
  }
  const applied = isNothing || dryRun ? undefined : await applyTakeover(takeover, places);
  if (applied !== undefined)
    for (const notice of await trustWritten(takeover.draft, places, { output, yes })) output.notice(notice);
  const skillReport = await skill?.write();
  if (output.json) {
    const written = toWrittenJson(takeover, applied, dryRun);
    const rest = skillReport === undefined ? {} : { skill: skillReport };
    output.printJson({ found: toFoundJson(findings), ...written, ...rest, notices });
    return 0;
  }
  if (applied !== undefined) printApplied(takeover, applied, output);
  if (skillReport !== undefined) printSkill(skillReport, output);
  return 0;
}

/** Nobody is chosen where all of it was done before, or where Keyhole alone is wanted. */
async function choose(
  options: InitOptions,
  places: Places,
  { candidates }: Findings,
  output: Output,
): Promise<Candidate[]> {
  const record = await loadRecord(places);
  const moved = new Set(
    record.flatMap(({ files }) =>
      files.flatMap(({ blocks }) => blocks.flatMap(({ removed }) => removed.map(([name]) => name))),
    ),
  );
  const isThere = (name: string) => candidates.some((candidate) => candidate.name === name);
  const server = options.server?.filter((name) => isThere(name) || !moved.has(name));
  const isAllMoved = options.server !== undefined && server?.length === 0;
  const isSetUp = record.length > 0 || (await readExistingConfig(places.projectDir)) !== undefined;
  if (isAllMoved || (candidates.length === 0 && isSetUp)) return [];
  if (candidates.length === 0) {
    throw new KeyholeError("usage", "Found no MCP servers to take over", {
      hint: 'Define some in ".mcp.json" or in keyhole.config under "servers"',
    });
  }
  const chosen = chooseByFlags(candidates, { ...options, ...(server === undefined ? {} : { server }) });
  if (chosen !== undefined) return chosen;
  if (output.interactive) return chooseByPrompt(candidates);
  throw new KeyholeError("usage", "No servers were chosen, and there is no terminal to ask on", {
    hint: "Choose with --all, --server NAME or --from CLIENT",
  });
}

/** The clients named; without any, all that have a chosen server. */
function clientsToChange({ client = [], from = [] }: InitOptions, chosen: readonly Candidate[]): ClientId[] {
  if (client.length + from.length > 0) return [...new Set([...client, ...from])];
  return [...new Set(chosen.flatMap(({ place, others }) => [place, ...others].map((at) => at.client)))];
}

function noticesFor({ draft, clients }: Takeover, { configs }: Findings): string[] {
  const notices: string[] = [];
  const secrets = draft.put.flatMap(({ server }) => literalSecrets(server));
  if (secrets.length > 0) {
    notices.push(
      `These values look like secrets: ${secrets.join(", ")}. Better write \${VAR} and set VAR; keep ${draft.file} out of git`,
    );
  }
  const shared = clients.filter(({ before, blocks }) =>
    configs.some(
      ({ file, scope, path }) =>
        file === before.file &&
        scope === "user" &&
        blocks.some((block) => String(block.path) === String(path)),
    ),
  );
  for (const { before } of shared)
    notices.push(
      `Your other projects use ${before.file} too: they reach these servers through this project's Keyhole`,
    );
  return notices;
}

function printPlan({ config, draft, clients }: Takeover, notices: readonly string[], output: Output): void {
  for (const notice of notices) output.notice(notice);
  if (config === undefined && clients.length === 0) {
    output.print("Nothing to do: Keyhole stands before these servers already");
    return;
  }
  for (const change of clients) {
    output.print();
    const name = change.client === undefined ? "" : `${CLIENT_NAMES[change.client]} `;
    output.print(`${output.style("bold", name)}${change.before.file}`);
    for (const { mark, text } of change.diff) {
      const line = `${mark} ${text}`;
      output.print(mark === " " ? line : output.style(mark === "-" ? "red" : "green", line));
    }
  }
  output.print();
  const names = draft.put.map(({ name }) => name).join(", ");
  if (config !== undefined)
    output.print(`${names} ${draft.put.length === 1 ? "goes" : "go"} into ${draft.file}`);
}

function printApplied({ config, clients }: Takeover, { backups, hidden }: Applied, output: Output): void {
  for (const { before } of [...clients, ...(config === undefined ? [] : [config])]) {
    const backup = backups.get(before.file);
    const kept = backup === undefined ? "" : `; as it was: ${backup}`;
    output.print(`Wrote ${output.style("bold", before.file)}${kept}`);
  }
  if (hidden.length > 0) output.print(`Git passes over ${hidden.join(", ")} (.git/info/exclude)`);
  output.print("`keyhole init --undo` puts all of it back. Restart the client to see Keyhole");
}

function toWrittenJson({ config, draft, clients }: Takeover, applied: Applied | undefined, dryRun: boolean) {
  const backupOf = ({ before }: FileChange) => applied?.backups.get(before.file);
  return {
    written:
      config === undefined
        ? null
        : {
            file: draft.file,
            servers: draft.put.map(({ name }) => name),
            mode: "copy",
            backup: backupOf(config),
            dryRun,
          },
    clients: clients.map((change) => ({
      client: change.client,
      file: change.before.file,
      keyhole: change.blocks.flatMap(({ added }) => added.map(([name]) => name)),
      taken: change.blocks.flatMap(({ removed }) => removed.map(([name]) => name)),
      diff: change.diff.map(({ mark, text }) => `${mark} ${text}`).join("\n"),
      backup: backupOf(change),
      dryRun,
    })),
  };
}

const NO_TERMINAL = new KeyholeError("usage", "There is no terminal to ask on, so nothing was written", {
  hint: "Look at the change with --dry-run, then write it with --yes",
});
