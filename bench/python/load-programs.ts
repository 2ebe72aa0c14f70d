import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { isRecord } from "../../src/text/is-record.ts";
import { type RawTool, read, toTools } from "../eval-tools.ts";

const PROGRAM = z.object({
  id: z.string(),
  /** The tools it uses, by the names of their servers. */
  servers: z.record(z.string(), z.array(z.string())),
  code: z.string(),
  answers: z.array(
    z.object({
      server: z.string(),
      tool: z.string(),
      when: z.record(z.string(), z.unknown()).optional(),
      result: z.unknown().optional(),
      error: z.string().optional(),
    }),
  ),
  expect: z.object({
    /** Failed ones too. */
    calls: z.number(),
    result: z.unknown().optional(),
    /** What is somewhere in the printed text. */
    prints: z.array(z.string()),
  }),
  tags: z.array(z.string()),
});

export type PythonProgram = z.infer<typeof PROGRAM>;

/** Programs as models write them, by somebody who had not seen the runner. The tools' definitions are in the evaluation data. */
export async function loadPrograms(): Promise<PythonProgram[]> {
  const text = await readFile(resolve("bench/python/programs.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => PROGRAM.parse(JSON.parse(line)));
}

/** All tools of each server that programs use: of several servers by one name the first that has what they use. */
export async function loadTools(
  dataDir: string,
  programs: readonly PythonProgram[],
): Promise<Map<string, RawTool[]>> {
  const all = await loadServers(dataDir);
  const used = new Map<string, Set<string>>();
  for (const { servers } of programs) {
    for (const [name, tools] of Object.entries(servers)) {
      used.set(name, new Set([...(used.get(name) ?? []), ...tools]));
    }
  }
  return new Map(
    [...used].map(([name, needed]) => {
      const has = (tools: RawTool[]) =>
        [...needed].every((tool) => tools.some((known) => known["name"] === tool));
      const found = all.filter((server) => server.name === name).find(({ tools }) => has(tools));
      if (found === undefined) throw new Error(`No server "${name}" with ${[...needed].join(", ")}`);
      return [name, found.tools];
    }),
  );
}

async function loadServers(dataDir: string): Promise<{ name: string; tools: RawTool[] }[]> {
  const live = new Map<string, RawTool[]>();
  for (const tool of toTools(JSON.parse(await read(dataDir, "livemcpbench/tools_flat.json")))) {
    const server = String(tool["server"]);
    live.set(server, [...(live.get(server) ?? []), tool]);
  }
  const lines = (await read(dataDir, join("toucan", "full_schema_servers.jsonl"))).split("\n");
  const rows = lines.filter((line) => line !== "").map((line): unknown => JSON.parse(line));
  return [
    { name: "github", tools: toTools(JSON.parse(await read(dataDir, "github/github_tools.json"))) },
    { name: "retail", tools: toTools(JSON.parse(await read(dataDir, "replay/tau_retail_tools.json"))) },
    ...[...live].map(([name, tools]) => ({ name, tools })),
    ...rows.filter(isRecord).map((row) => ({ name: String(row["name"]), tools: toTools(row["tools"]) })),
  ];
}
