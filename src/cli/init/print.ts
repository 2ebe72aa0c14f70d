import { describeBroughtServer } from "../../config/trust/describe-server.ts";
import { toExcerpt, toVisibleText } from "../../text/plain-text.ts";
import type { Output } from "../output.ts";
import { type Findings, isSamePlace } from "./find.ts";
import type { Paste } from "./paste.ts";
import { describeStart } from "./secrets.ts";

export const CLIENT_NAMES = {
  "claude-code": "Claude Code",
  "claude-desktop": "Claude Desktop",
  cursor: "Cursor",
  vscode: "VS Code",
  codex: "Codex",
  gemini: "Gemini CLI",
} as const;

export function toFoundJson({ configs, candidates }: Findings) {
  return configs.map(({ client, scope, file, invalidServers, error }) => ({
    client,
    scope,
    file,
    servers: candidates
      .filter(({ place }) => isSamePlace(place, { client, scope, file }))
      .map(({ name, server, others, isBrought }) => ({
        name,
        starts: describeStart(server),
        ...(isBrought ? { brought: describeBroughtServer(server) } : {}),
        enabled: server.settings.enabled,
        alsoIn: others.map((other) => ({ client: other.client, file: other.file, differs: other.differs })),
      })),
    invalidServers: invalidServers.map(({ name, error }) => ({
      name: toExcerpt(name),
      reason: toExcerpt(error.message, 500),
      hint: error.hint,
    })),
    ...(error === undefined ? {} : { error: error.message, hint: error.hint }),
  }));
}

export function printFindings(findings: Findings, output: Output): void {
  for (const { client, scope, file, servers, invalidServers, error, hint } of toFoundJson(findings)) {
    if (servers.length + invalidServers.length === 0 && error === undefined) continue;
    output.print(`${output.style("bold", CLIENT_NAMES[client])} (${scope}) ${output.style("dim", file)}`);
    if (error !== undefined) output.print(`  ${output.style("red", "unreadable")} ${error}`);
    printHint(hint, output);
    for (const { name, starts, brought, enabled, alsoIn } of servers) {
      const off = enabled ? "" : " (disabled)";
      if (brought === undefined) output.print(`  ${name}${off}  ${output.style("dim", starts)}`);
      else {
        output.print(`  ${name}${off}  ${output.style("yellow", "this folder brings it")}`);
        for (const line of brought.lines) output.print(`    ${toVisibleText(line)}`);
        for (const remark of brought.remarks)
          output.print(`    ${output.style("yellow", "!")} ${toVisibleText(remark)}`);
      }
      for (const other of alsoIn) {
        const differs = other.differs ? ", defined differently" : "";
        output.print(
          output.style("dim", `    also in ${CLIENT_NAMES[other.client]}: ${other.file}${differs}`),
        );
      }
    }
    for (const { name, reason, hint } of invalidServers) {
      output.print(`  ${output.style("red", "invalid")} ${JSON.stringify(name)}  ${reason}`);
      printHint(hint, output);
    }
  }
}

export function printPaste(paste: readonly Paste[], output: Output): void {
  for (const { client, file, snippet, commandLine, missing = [], replaces } of paste) {
    output.print();
    output.print(`${output.style("bold", CLIENT_NAMES[client])}: put this into ${file}`);
    output.print(snippet);
    if (commandLine !== undefined) output.print(`or run\n${commandLine}`);
    if (missing.length > 0) {
      const names = missing.join(", ");
      output.print(
        `and give it ${names}: this client hands on no variables of its own, so write them under "env"`,
      );
    }
    for (const moved of replaces) {
      const others = moved.affectsOtherProjects ? " (your other projects use that file too)" : "";
      output.print(`and take ${moved.servers.join(", ")} out of ${moved.file}${others}`);
    }
  }
}

function printHint(hint: string | undefined, output: Output): void {
  if (hint !== undefined) output.print(`    ${output.style("cyan", "→")} ${hint}`);
}
