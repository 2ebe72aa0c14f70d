import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MissingDataError } from "../suite.ts";
import { unwrapRecorded } from "../tokens/recorded.ts";

export type RecordedCall = {
  readonly server: string;
  readonly tool: string;
  readonly args: unknown;
  readonly outputBytes: number;
  readonly isFailed: boolean;
  /** Personal values in its result, about. */
  readonly personal: number;
};

/** What was recorded of agents at work: tasks, each with its calls. */
export type RecordedWork = {
  readonly office: readonly (readonly RecordedCall[])[];
  readonly shop: readonly (readonly RecordedCall[])[];
};

/** Rules were made with the one half in view, and never with the other. */
export type Half = "tuned" | "held-out";

const isIn = (half: Half) => (_: unknown, index: number) => (index % 2 === 0) === (half === "tuned");

export function loadRecordedWork(dataDir: string, half: Half): RecordedWork {
  const office = readLines(join(dataDir, "livemcpbench", "recorded_trajectories.jsonl"))
    .map((line) => toOffice(line))
    .filter((calls) => calls.length > 0);
  const shop = readLines(join(dataDir, "replay", "tau_retail_replays.jsonl"))
    .map((line) => toShop(line))
    .filter((calls) => calls.length > 0);
  return { office: office.filter(isIn(half)), shop: shop.filter(isIn(half)) };
}

type OfficeLine = {
  readonly events: readonly {
    readonly type: string;
    readonly server?: string;
    readonly tool?: string;
    readonly arguments?: unknown;
    readonly isError?: boolean;
    readonly result?: string;
  }[];
};
type ShopLine = {
  readonly calls: readonly { readonly tool: string; readonly arguments: unknown; readonly result: string }[];
};

function toOffice(line: unknown): RecordedCall[] {
  return (line as OfficeLine).events
    .filter(({ type }) => type === "call")
    .map(({ server = "", tool = "", arguments: args, isError, result = "" }) => ({
      server,
      tool,
      args,
      outputBytes: Buffer.byteLength(unwrapRecorded(result).text),
      isFailed: isError === true,
      personal: 0,
    }));
}

function toShop(line: unknown): RecordedCall[] {
  return (line as ShopLine).calls.map(({ tool, arguments: args, result }) => ({
    server: "shop",
    tool,
    args,
    outputBytes: Buffer.byteLength(String(result)),
    isFailed: String(result).startsWith("Error"),
    personal: /user|order/.test(tool) ? 4 : 0,
  }));
}

function readLines(file: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new MissingDataError(`${file} is missing: give the evaluation data by --data DIR`);
  }
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}
