import type { Output } from "../output.ts";
import type { Findings, Place } from "./find.ts";
import type { Paste } from "./paste.ts";
import { describeStart } from "./secrets.ts";

const CLIENT_NAMES = {
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
      .filter(({ place }) => isSame(place, { client, scope, file }))
      .map(({ name, server, others }) => ({
        name,
        starts: describeStart(server),
        enabled: server.settings.enabled,
        alsoIn: others.map((other) => ({ client: other.client, file: other.file, differs: other.differs })),
      })),
    invalidServers: invalidServers.map(({ name, error }) => ({ name, reason: error.message })),
    ...(error === undefined ? {} : { error: error.message }),
  }));
}

export function printFindings(findings: Findings, output: Output): void {
  for (const { client, scope, file, servers, invalidServers, error } of toFoundJson(findings)) {
    if (servers.length + invalidServers.length === 0 && error === undefined) continue;
    output.print(`${output.style("bold", CLIENT_NAMES[client])} (${scope}) ${output.style("dim", file)}`);
    if (error !== undefined) output.print(`  ${output.style("red", "unreadable")} ${error}`);
    for (const { name, starts, enabled, alsoIn } of servers) {
      const off = enabled ? "" : " (disabled)";
      output.print(`  ${name}${off}  ${output.style("dim", starts)}`);
      for (const other of alsoIn) {
        const differs = other.differs ? ", defined differently" : "";
        output.print(
          output.style("dim", `    also in ${CLIENT_NAMES[other.client]}: ${other.file}${differs}`),
        );
      }
    }
    for (const { name, reason } of invalidServers) {
      output.print(`  ${output.style("red", "invalid")} ${JSON.stringify(name)}  ${reason}`);
    }
  }
}

export function printPaste(paste: readonly Paste[], output: Output): void {
  for (const { client, file, snippet, replaces } of paste) {
    output.print();
    output.print(`${output.style("bold", CLIENT_NAMES[client])}: put this into ${file}`);
    output.print(snippet);
    for (const moved of replaces) output.print(`and take ${moved.servers.join(", ")} out of ${moved.file}`);
  }
}

function isSame(one: Place, other: Place): boolean {
  return one.client === other.client && one.scope === other.scope && one.file === other.file;
}
