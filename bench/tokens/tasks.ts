import { toServerNames } from "../../src/catalog/names.ts";
import type { ServerRecord, ToolRecord } from "../../src/catalog/tool.ts";
import { isRecord } from "../../src/text/is-record.ts";
import { type RawTool, read, toServer, toTools } from "../eval-tools.ts";
import { unwrapRecorded } from "./recorded.ts";

export type TaskCall = {
  readonly server: string;
  readonly tool: string;
  readonly args: unknown;
  /** What a client would hand its model of the result. */
  readonly result: string;
  readonly isError: boolean;
};

export type Task = {
  readonly id: string;
  readonly calls: readonly TaskCall[];
  /** The searches that the recorded agent made; one where none were recorded. */
  readonly searches: readonly string[];
  /** What the answer must contain, where the data says so. */
  readonly expected: readonly string[];
};

export type DataSet = {
  readonly name: string;
  readonly tasks: readonly Task[];
  readonly servers: readonly ServerRecord[];
  readonly notes: readonly string[];
};

export async function loadLiveTasks(dataDir: string): Promise<DataSet> {
  const servers = toServers(toTools(JSON.parse(await read(dataDir, "livemcpbench/tools_flat.json"))));
  let cut = 0;
  const tasks = parseLines(await read(dataDir, "livemcpbench/recorded_trajectories.jsonl")).map(
    (line): Task => {
      const events = toTools(line["events"]);
      const calls = events
        .filter((event) => event["type"] === "call")
        .map((event) => {
          const { text, isCut } = unwrapRecorded(String(event["result"]));
          if (isCut) cut++;
          return {
            server: String(event["server"]),
            tool: String(event["tool"]),
            args: event["arguments"],
            result: text,
            isError: event["isError"] === true,
          };
        });
      const searches = events
        .filter((event) => event["type"] === "search")
        .map((event) => `${String(event["server_query"])}: ${String(event["tool_query"])}`);
      return { id: String(line["task_id"]).slice(0, 8), calls, searches, expected: [] };
    },
  );
  const known = new Set(
    servers.flatMap((server) => server.tools.map((tool) => toKey(tool.server, tool.name))),
  );
  const all = tasks.flatMap((task) => task.calls);
  const unknown = all.filter((call) => !known.has(toKey(call.server, call.tool))).length;
  return {
    name: "LiveMCPBench",
    tasks: tasks.filter((task) => task.calls.length > 0),
    servers,
    notes: [
      `LiveMCPBench: ${all.length} recorded calls; the results of ${cut} were cut at 10,000 characters by its authors, so the direct way is counted too low there; ${unknown} calls name a tool that the catalogue does not have; tasks without calls are left out`,
    ],
  };
}

export async function loadRetailTasks(dataDir: string): Promise<DataSet> {
  const raw = toTools(JSON.parse(await read(dataDir, "replay/tau_retail_tools.json")));
  const servers = [toServer("retail", raw)];
  const tasks = parseLines(await read(dataDir, "replay/tau_retail_replays.jsonl")).map((line): Task => {
    const calls = toTools(line["calls"]).map((call) => ({
      server: "retail",
      tool: String(call["tool"]),
      args: call["arguments"],
      result: String(call["result"]),
      isError: String(call["result"]).startsWith("Error"),
    }));
    const expected = Array.isArray(line["expected_outputs"]) ? line["expected_outputs"].map(String) : [];
    const names = [...new Set(calls.map((call) => call.tool.replaceAll("_", " ")))];
    return { id: String(line["task_id"]), calls, searches: [names.join(", ")], expected };
  });
  return {
    name: "tau-bench retail",
    tasks: tasks.filter((task) => task.calls.length > 0),
    servers,
    notes: [
      "tau-bench retail: the ground-truth calls with their recorded results; its searches are not recorded, so one is assumed, for the names of the tools as words; tasks without calls are left out",
    ],
  };
}

export type CatalogPool = {
  readonly name: string;
  readonly size: number;
  readonly tools: readonly ToolRecord[];
};

/** The catalogues that tasks are put in: real servers' tools, in the order of their files. */
export async function loadPools(dataDir: string): Promise<CatalogPool[]> {
  const live = toServers(toTools(JSON.parse(await read(dataDir, "livemcpbench/tools_flat.json"))));
  const liveTools = live.flatMap((server) => server.tools);
  const github = toServer(
    "github",
    toTools(JSON.parse(await read(dataDir, "github/github_tools.json"))),
  ).tools;
  const toucan = parseLines(await read(dataDir, "toucan/full_schema_servers.jsonl")).flatMap(
    (line) => toServer(String(line["server"]), toTools(line["tools"])).tools,
  );
  return [
    { name: "LiveMCPBench's first", size: 10, tools: liveTools },
    { name: "LiveMCPBench's first", size: 50, tools: liveTools },
    { name: "GitHub's", size: 117, tools: github },
    { name: "LiveMCPBench's", size: 527, tools: liveTools },
    { name: "LiveMCPBench's and Toucan's", size: 3000, tools: [...liveTools, ...toucan] },
  ];
}

export function toKey(server: string, tool: string): string {
  return `${server}__${tool}`;
}

function toServers(tools: readonly RawTool[]): ServerRecord[] {
  const byServer = new Map<string, RawTool[]>();
  for (const tool of tools) {
    const name = String(tool["server"]);
    byServer.set(name, [...(byServer.get(name) ?? []), tool]);
  }
  const names = toServerNames([...byServer.keys()]);
  return [...byServer].map(([name, list]) => toServer(name, list, names.get(name)));
}

function parseLines(text: string): RawTool[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line))
    .filter(isRecord);
}
