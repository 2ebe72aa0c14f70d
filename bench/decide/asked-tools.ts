import type { ServerRecord, ToolRecord } from "../../src/catalog/tool.ts";
import { SECURITY_LEVELS, type SecurityLevel } from "../../src/config/permissions/schema.ts";
import { createPolicy } from "../../src/policy/permissions/policy.ts";
import { toEffect } from "../../src/policy/permissions/verbs.ts";
import { loadEvalServers } from "../eval-tools.ts";
import type { BenchReport } from "../suite.ts";

const SAMPLED = 25;
const GROUPS = ["toucan", "live", "github", "azure", "reference"];

/** Of all tools of the evaluation data: how many would ask, under each level and with servers trusted or not. */
export async function countAsked(dataDir: string): Promise<BenchReport> {
  const { servers } = await loadEvalServers(dataDir);
  const tools = servers.flatMap((server) => server.tools);
  const rows = GROUPS.map((group) =>
    toRow(
      group,
      servers.filter(({ name }) => name.startsWith(group)),
    ),
  );
  const reading = servers
    .filter(({ name }) => name === "github")
    .flatMap((server) => server.tools)
    .filter((tool) => tool.declared?.readOnly === true && asks(tool, "moderate"));
  return {
    tables: [
      {
        title: "Tools that would ask, by securityLevel; in brackets when all servers are trusted",
        columns: ["", "tools", ...SECURITY_LEVELS],
        rows: [...rows, toRow("all", servers)],
      },
      sample(
        "Asked for at moderate, a sample",
        tools.filter((tool) => asks(tool, "moderate")),
      ),
      sample(
        "Not asked for at moderate and not reading, a sample",
        tools.filter((tool) => !asks(tool, "moderate") && toEffect(tool) !== "reads"),
      ),
    ],
    notes: [],
    misses: reading.map(({ name }) => `${name} of github only reads, and would ask at moderate`),
  };
}

function toRow(name: string, servers: readonly ServerRecord[]): (string | number)[] {
  const tools = servers.flatMap((server) => server.tools);
  const counts = SECURITY_LEVELS.map((level) => {
    const count = (trusted: boolean) => tools.filter((tool) => asks({ ...tool, trusted }, level)).length;
    return `${count(false)} (${count(true)})`;
  });
  return [name, tools.length, ...counts];
}

function asks(tool: ToolRecord, securityLevel: SecurityLevel): boolean {
  const policy = createPolicy([{ file: "bench", securityLevel }]);
  const call = { tool, args: {}, principal: "local", session: "", client: "", now: new Date(0) };
  return policy.decide(call).decision !== "allow";
}

/** Evenly over the data, always the same ones. */
function sample(title: string, tools: readonly ToolRecord[]) {
  const step = Math.max(1, Math.floor(tools.length / SAMPLED));
  const chosen = tools.filter((_, at) => at % step === 0).slice(0, SAMPLED);
  return {
    title: `${title} of ${tools.length}`,
    columns: ["tool", "taken for", "declared"],
    rows: chosen.map((tool) => [tool.name, toEffect(tool), JSON.stringify(tool.declared ?? {})]),
  };
}
