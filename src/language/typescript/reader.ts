/**
 * The process that reads programs: it parses them, checks their types and makes what runs of them. Texts made against a
 * parser or a compiler can crash it, fill it and keep it busy, and no more than that. It is told names and schemas of
 * tools, nothing else of the host; it serves one program at a time.
 */
import type { ServerRecord } from "../../../catalog/tool.ts";
import type { FoundTool } from "../check/called-tool.ts";
import { type Checker, type CheckResult, createChecker } from "../check/checker.ts";
import { toRenamedHint } from "../explain/renamed-servers.ts";
import type { ReadFailure, ReadProgram } from "./answer.ts";
import { guardMemory } from "./guard-memory.ts";
import { MAX_MEMORY_BYTES } from "./limits.ts";
import { type Message, readMessages, sendMessage } from "./messages.ts";
import { type FromHost, type ToolName, type ToolTypes, toRecord } from "./names.ts";

type Known = { readonly record: ServerRecord; readonly types: Map<string, ToolTypes> };

const MAX_MESSAGE = 256 * 1024 * 1024;

const known = new Map<string, Known>();
let servers: readonly ServerRecord[] = [];
let unavailable: ReadonlyMap<string, string> = new Map();
let gotTypes: (() => void) | undefined;

guardMemory(MAX_MEMORY_BYTES);
const checker = createChecker({ servers: () => servers, unavailable: () => unavailable, load });

readMessages<FromHost>(process.stdin, MAX_MESSAGE, hear, () => process.exit(1));
process.stdin.on("end", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
send({ kind: "ready" });
const warming = process.argv.includes("types") ? checker.warm() : Promise.resolve();
// Without a compiler the check is skipped, which the answers say.
void warming.catch(() => {}).then(() => send({ kind: "warm" }));

// What the host says is its own word: it is not looked at twice.
function hear({ header, parts }: Message<FromHost>): void {
  if (header.kind === "news") learnNames(header);
  if (header.kind === "types") learnTypes(header);
  if (header.kind === "read") void read(String(parts[0]), header.types);
}

function learnNames({ changed, stale, order, unavailable: trouble }: FromHost & { kind: "news" }): void {
  for (const names of changed) {
    const types = new Map<string, ToolTypes>();
    known.set(names.name, { record: toRecord(names, ([, tool]) => types.get(tool)), types });
  }
  for (const [server, tool] of stale) known.get(server)?.types.delete(tool);
  servers = order.flatMap((name) => known.get(name)?.record ?? []);
  unavailable = new Map(trouble);
}

function learnTypes({ tools }: FromHost & { kind: "types" }): void {
  for (const [server, tool, types] of tools) known.get(server)?.types.set(tool, types);
  gotTypes?.();
}

async function load(tools: Iterable<FoundTool>): Promise<void> {
  const missing: ToolName[] = [];
  for (const { server, tool } of tools) {
    if (!known.get(server.name)?.types.has(tool.name)) missing.push([server.name, tool.name]);
  }
  if (missing.length === 0) return;
  await new Promise<void>((done) => {
    gotTypes = done;
    send({ kind: "need", tools: missing });
  });
}

async function read(source: string, withTypes: boolean): Promise<void> {
  const renamed = toRenamedHint(source, servers);
  const { program, checkMs } = await make(source, withTypes, checker);
  const facts = { ...(renamed !== undefined && { renamed }), checkMs };
  if (!program.ok) return send({ kind: "answer", result: { ...program, ...facts } });
  const { code, places, ...rest } = program;
  const bytes = new Uint8Array(places.buffer, places.byteOffset, places.byteLength);
  send({ kind: "answer", result: { ...rest, ...facts } }, [Buffer.from(code), bytes]);
}

async function make(
  source: string,
  withTypes: boolean,
  by: Checker,
): Promise<{ program: ReadProgram | ReadFailure; checkMs: number }> {
  const prepared = by.prepare(source);
  if (!prepared.ok) return { program: prepared, checkMs: 0 };
  send({ kind: "prepared" });
  const start = performance.now();
  const checked: CheckResult = withTypes ? await by.check(source, prepared) : { ok: true };
  const checkMs = performance.now() - start;
  // The check has had it made already, while the compiler was at work.
  const finished = prepared.finish();
  if (!finished.ok) return { program: finished, checkMs };
  if (!checked.ok) return { program: checked, checkMs };
  const { skipped, hints } = checked;
  const remarks = { ...(skipped !== undefined && { skipped }), ...(hints !== undefined && { hints }) };
  return { program: { ...finished, ...remarks }, checkMs };
}

function send(header: object, parts?: readonly Uint8Array[]): void {
  sendMessage(process.stdout, JSON.stringify(header), parts);
}
