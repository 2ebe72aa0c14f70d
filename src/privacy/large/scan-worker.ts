import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import { KeyholeError } from "../../errors.ts";
import type { FoundValue, ScanJob, ScanReply, ScanRequest } from "./scan-messages.ts";
import { scanValue, type ValueScan } from "./scan-value.ts";

/** What whoever reads it takes in one turn of its event loop. */
const MAX_PART_VALUES = 1_000;
const MAX_PART_LETTERS = 500_000;

type Current = { readonly scan: ValueScan; told: number; readonly replacements: string[] };

let current: Current | undefined;

/** The thread that looks at large values, one at a time. What it throws ends it. */
parentPort?.on("message", (request: ScanRequest) => {
  switch (request.kind) {
    case "scan":
      return parentPort?.postMessage(begin(request.job));
    case "next":
      return parentPort?.postMessage(tellNext());
    case "replacements":
      for (const replacement of request.part) current?.replacements.push(replacement);
      return undefined;
    case "rewrite": {
      const json = rewrite();
      const reply: ScanReply = { kind: "rewritten", json };
      return parentPort?.postMessage(reply, [json.buffer]);
    }
    case "forget":
      current = undefined;
      return undefined;
  }
});

function begin(job: ScanJob): ScanReply {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(job.json));
  } catch {
    // The error's own words would have a piece of the value in them.
    return { kind: "refused", reason: "unreadable" };
  }
  if (isOver(job)) return { kind: "refused", reason: "out of memory" };
  try {
    current = { scan: scanValue(value, job), told: 0, replacements: [] };
  } catch (error) {
    if (error instanceof RangeError || (error instanceof KeyholeError && error.code === "too_large"))
      return { kind: "refused", reason: "nested" };
    throw error;
  }
  return isOver(job) ? { kind: "refused", reason: "out of memory" } : tellNext();
}

/** A thread at its limit can take the process with it, in the midst of what the engine does by itself. */
function isOver({ budgetMb }: ScanJob): boolean {
  return getHeapStatistics().used_heap_size > budgetMb * 1024 * 1024;
}

function tellNext(): ScanReply {
  if (current === undefined) throw new Error("Nothing was looked at");
  const { scan, told } = current;
  const part: FoundValue[] = [];
  let letters = 0;
  for (let at = told; at < scan.found.length && part.length < MAX_PART_VALUES; at++) {
    const found = scan.found[at];
    if (found === undefined || letters > MAX_PART_LETTERS) break;
    letters += found.value.length;
    part.push(found);
  }
  current.told += part.length;
  return { kind: "found", part, isLast: current.told === scan.found.length, isCut: scan.isCut };
}

/** Bytes that no other buffer shares, so that they can be handed over. */
function rewrite(): Uint8Array<ArrayBuffer> {
  if (current === undefined) throw new Error("Nothing was looked at");
  const { scan, replacements } = current;
  const json = JSON.stringify(scan.rewrite(replacements.splice(0)));
  return new TextEncoder().encode(json);
}
