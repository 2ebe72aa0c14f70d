import { toServerNames } from "../../src/catalog/names.ts";
import type { ServerRecord } from "../../src/catalog/tool.ts";
import { isRecord } from "../../src/text/is-record.ts";
import { loadEvalServers, type RawTool, read, toServer, toTools } from "../eval-tools.ts";

/** A query with the tools that answer it, each as `server/tool`. */
export type LabelledQuery = { readonly query: string; readonly relevant: readonly string[] };

export type Dataset = {
  readonly name: string;
  readonly servers: readonly ServerRecord[];
  readonly queries: readonly LabelledQuery[];
};

/** Every labelled query of the evaluation data, with the tools it is asked of. */
export async function loadDatasets(dataDir: string): Promise<Dataset[]> {
  const every = (await loadEvalServers(dataDir)).servers;
  const toucan = every.filter(({ name }) => name.startsWith("toucan-"));
  const azure = every.filter(({ name }) => name === "azure");
  const live = toLiveServers(await readList(dataDir, "livemcpbench/tools_flat.json"));
  const plugins = await loadPlugins(dataDir);
  const azureQueries = (await readList(dataDir, "azure_2025_08/queries.json"))
    .filter((entry) => entry["in_tools"] === true)
    .map((entry) => toLabelled(entry, entry["relevant"], "azure"));
  const load = async (file: string, label: string, server?: string) =>
    (await readList(dataDir, file)).map((entry) => toLabelled(entry, entry[label], server));
  return [
    { name: "Azure", servers: azure, queries: azureQueries },
    { name: "Azure among 2,657 others", servers: [...azure, ...toucan], queries: azureQueries },
    {
      name: "Live: steps",
      servers: live,
      queries: await load("livemcpbench/queries_step_level.json", "relevant"),
    },
    {
      name: "Live: tasks",
      servers: live,
      queries: await load("livemcpbench/queries_task_level.json", "relevant"),
    },
    {
      name: "Live: agents' searches",
      servers: live,
      queries: await load("livemcpbench/agent_search_queries_implicit.json", "used_tools"),
    },
    {
      name: "MetaTool: one tool",
      servers: plugins,
      queries: await load("metatool/queries_single_sample10pct.json", "relevant", PLUGINS),
    },
    {
      name: "MetaTool: two tools",
      servers: plugins,
      queries: await load("metatool/queries_multi.json", "relevant", PLUGINS),
    },
  ];
}

const PLUGINS = "metatool";

async function loadPlugins(dataDir: string): Promise<ServerRecord[]> {
  const plugins: unknown = JSON.parse(await read(dataDir, "metatool/plugin_des.json"));
  const tools = isRecord(plugins)
    ? Object.entries(plugins).map(([name, description]) => ({ name, description }))
    : [];
  return [toServer(PLUGINS, tools)];
}

function toLiveServers(tools: readonly RawTool[]): ServerRecord[] {
  const names = [...new Set(tools.map((tool) => String(tool["server"])))];
  const given = toServerNames(names);
  return names.map((name) => {
    const own = tools.filter((tool) => tool["server"] === name);
    return toServer(name, own, given.get(name));
  });
}

async function readList(dataDir: string, file: string): Promise<RawTool[]> {
  return toTools(JSON.parse(await read(dataDir, file)));
}

/** Labels are names of tools on the one server, or pairs of a server and its tool. */
function toLabelled(entry: RawTool, labels: unknown, server?: string): LabelledQuery {
  const list = Array.isArray(labels) ? labels : [];
  const relevant = list.map((label) => (Array.isArray(label) ? label.join("/") : `${server}/${label}`));
  return { query: String(entry["query"]), relevant: [...new Set(relevant)] };
}
