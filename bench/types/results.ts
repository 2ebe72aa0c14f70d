import { isRecord } from "../../src/text/is-record.ts";
import { read, toTools } from "../eval-tools.ts";
import { toValue } from "../recorded-value.ts";
import { unwrapRecorded } from "../tokens/recorded.ts";

export type RecordedResults = {
  readonly name: string;
  /** The values that a program would have got, by tool, in the order in which they were recorded. */
  readonly tools: ReadonlyMap<string, readonly unknown[]>;
  readonly note: string;
};

export async function loadLiveResults(dataDir: string): Promise<RecordedResults> {
  const tools = new Map<string, unknown[]>();
  let cut = 0;
  let failed = 0;
  for (const event of await readEvents(dataDir, "livemcpbench/recorded_trajectories.jsonl", "events")) {
    if (event["type"] !== "call") continue;
    const recorded = String(event["result"]);
    const { text, isCut } = unwrapRecorded(recorded);
    if (isCut) cut++;
    else if (event["isError"] === true || /"isError": true/.test(recorded) || !recorded.startsWith("meta="))
      failed++;
    else add(tools, `${String(event["server"])}__${String(event["tool"])}`, toValue(text));
  }
  return {
    name: "LiveMCPBench",
    tools,
    note: `LiveMCPBench: ${cut} results that its authors cut are left out, since they are no longer what a server sent, and ${failed} that failed`,
  };
}

export async function loadRetailResults(dataDir: string): Promise<RecordedResults> {
  const tools = new Map<string, unknown[]>();
  for (const call of await readEvents(dataDir, "replay/tau_retail_replays.jsonl", "calls"))
    add(tools, String(call["tool"]), toValue(String(call["result"])));
  return {
    name: "tau-bench retail",
    tools,
    note: 'tau-bench retail: its texts "Error: …" are results like others, since it knows no other kind',
  };
}

async function readEvents(dataDir: string, file: string, key: string) {
  const lines = (await read(dataDir, file)).split("\n").filter((line) => line !== "");
  return lines.flatMap((line) => {
    const task: unknown = JSON.parse(line);
    return isRecord(task) ? toTools(task[key]) : [];
  });
}

function add(tools: Map<string, unknown[]>, name: string, value: unknown): void {
  tools.set(name, [...(tools.get(name) ?? []), value]);
}
