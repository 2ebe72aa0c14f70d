import type { LoadOptions } from "../../config/load.ts";
import { toPlaces } from "../../config/places.ts";
import type { ClientId } from "../../config/server-definition.ts";
import { KeyholeError } from "../../errors.ts";
import type { InitOptions } from "../init.ts";
import type { Output } from "../output.ts";
import { chooseByFlags, chooseByPrompt } from "./choose.ts";
import { checkConflict, createDraft, writeDraft } from "./config-file.ts";
import { type Candidate, type Findings, findCandidates } from "./find.ts";
import { createPaste, type Paste } from "./paste.ts";
import { printFindings, printPaste, toFoundJson } from "./print.ts";
import { literalSecrets } from "./secrets.ts";

type Written = {
  file: string;
  servers: string[];
  mode: "copy" | "link";
  backups: string[];
  dryRun: boolean;
  text?: string;
};

/** Finds, lists, chooses, writes, and says what to paste. Never changes another program's file. */
export async function runInit(options: InitOptions, where: LoadOptions, output: Output): Promise<number> {
  const places = toPlaces(where);
  const findings = await findCandidates(places);
  const report = createReport(findings, output);
  const chosen = chooseByFlags(findings.candidates, options);
  if (findings.candidates.length === 0 || chosen?.length === 0) return report.stop(NOTHING_FOUND);
  if (chosen === undefined && !output.interactive) return report.stop(NO_CHOICE);

  const { force = false, dryRun = false, link = false } = options;
  const existing = await checkConflict(places.projectDir, force || dryRun);
  const taken = chosen ?? (await chooseByPrompt(findings.candidates));
  const draft = await createDraft(places.projectDir, taken, options);
  const backups = dryRun ? [] : await writeDraft(draft, existing);
  const written: Written = {
    file: draft.file,
    servers: taken.map(({ name }) => name),
    mode: link ? "link" : "copy",
    backups,
    dryRun,
    ...(dryRun ? { text: draft.shown } : {}),
  };
  report.notices.push(...noticesFor(taken, link, draft.file));
  if (dryRun && !force && existing.length > 0) {
    report.notices.push(`${existing.join(" and ")} is there already: without --dry-run this needs --force`);
  }
  const paste = clientsFor(options, findings, taken).map((client) => createPaste(client, taken, places));
  return report.finish(written, paste);
}

const NOTHING_FOUND = new KeyholeError("usage", "Found no MCP servers to take over", {
  hint: 'Define some in ".mcp.json" or in keyhole.config under "servers"',
});

const NO_CHOICE = new KeyholeError("usage", "No servers were chosen, and there is no terminal to ask on", {
  hint: "Choose with --all, --server NAME or --from CLIENT",
});

function createReport(findings: Findings, output: Output) {
  const notices = [...findings.notices];
  const found = toFoundJson(findings);
  if (!output.json) printFindings(findings, output);
  return {
    notices,
    stop(error: KeyholeError): number {
      if (!output.json) {
        for (const notice of notices) output.notice(notice);
        throw error;
      }
      output.printJson({ found, written: null, paste: [], notices, error });
      return error.exitCode;
    },
    finish(written: Written, paste: Paste[]): number {
      if (output.json) {
        output.printJson({ found, written, paste, notices });
        return 0;
      }
      for (const notice of notices) output.notice(notice);
      const verb = written.dryRun ? "Would write" : "Wrote";
      output.print(`${verb} ${output.style("bold", written.file)} with ${written.servers.join(", ")}`);
      if (written.text !== undefined) output.print(written.text);
      for (const backup of written.backups) output.print(`The old config is kept as ${backup}`);
      printPaste(paste, output);
      return 0;
    },
  };
}

function noticesFor(chosen: readonly Candidate[], link: boolean, file: string): string[] {
  const notices: string[] = [];
  const inProject = chosen
    .filter(({ server }) => server.source.client === "mcp-json")
    .map(({ name }) => name);
  if (inProject.length > 0) {
    notices.push(
      `Keyhole reads ${inProject.join(", ")} from .mcp.json anyway; the copy lets you take them out there, so that the client lists Keyhole alone`,
    );
  }
  const secrets = link ? [] : chosen.flatMap(({ server }) => literalSecrets(server));
  if (secrets.length > 0) {
    notices.push(
      `These values look like secrets: ${secrets.join(", ")}. Better write \${VAR} and set VAR; keep ${file} out of git`,
    );
  }
  return notices;
}

function clientsFor(options: InitOptions, { configs }: Findings, chosen: readonly Candidate[]): ClientId[] {
  if (options.client !== undefined && options.client.length > 0) return [...new Set(options.client)];
  const found = [...configs.map(({ client }) => client), ...chosen.map(({ place }) => place.client)];
  return [...new Set(found)];
}
