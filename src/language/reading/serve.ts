import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import type { ProgramFacts } from "../../policy/program-facts.ts";
import type { ReadFailure, ReadProgram } from "../language.ts";
import type { PlaceTable } from "../place-table.ts";
import type { SkillExport } from "../skill-export.ts";
import { guardMemory } from "./guard-memory.ts";
import { createKnownSkills, type KnownSkills } from "./known-skills.ts";
import { MAX_MEMORY_BYTES } from "./limits.ts";
import { type Message, readMessages, sendMessage } from "./messages.ts";
import { type FromHost, type ToolName, type ToolTypes, toRecord } from "./names.ts";
import type { Unavailable } from "./unavailable.ts";

/** What the process knows of the host's catalogue: names from the beginning, schemas when it asks for them. */
export type ReaderCatalog = {
  servers(): readonly ServerRecord[];
  unavailable(): Unavailable;
  /** Fetches the schemas of tools; until then the records have but their names. */
  load(tools: Iterable<{ readonly server: ServerRecord; readonly tool: ToolRecord }>): Promise<void>;
  readonly skills: Pick<KnownSkills, "find" | "names">;
};

/** What a language does in the process. */
export type Reader = {
  read(
    source: string,
    options: {
      readonly types: boolean;
      /** Of the skill that it is read as. */
      readonly skill?: string | undefined;
      /** Told when it is sure that the text is a program: from then on the time is the check's. */
      onPrepared(): void;
    },
  ): Promise<{
    readonly program: ReadProgram | ReadFailure;
    readonly checkMs: number;
    readonly renamed?: string | undefined;
    readonly facts?: ProgramFacts | undefined;
    readonly exports?: readonly SkillExport[] | undefined;
  }>;
  /** Starts what checks types ahead of the first program. */
  warm(): Promise<void>;
  /** Reads a program of its own, at once. */
  practise?(): void;
};

type Known = { readonly record: ServerRecord; readonly types: Map<string, ToolTypes> };

/** By then it is compiled to machine code, and the first programs are read as fast as later ones. */
const PRACTICE_ROUNDS = 200;
/** It takes a second of CPU or two: only where more programs will come, and not in the way of the first. */
const PRACTICE_AFTER_MS = 3_000;
const PRACTICE_EVERY_MS = 5;

const MAX_MESSAGE = 256 * 1024 * 1024;

/**
 * The process that reads programs of one language. Texts made against a parser or a compiler can crash it, fill it and keep
 * it busy, and no more than that. It is told names and schemas of tools, nothing else of the host; it serves one program at a
 * time.
 */
export function serveReader(create: (catalog: ReaderCatalog) => Reader): void {
  const known = new Map<string, Known>();
  let servers: readonly ServerRecord[] = [];
  let unavailable: Unavailable = new Map();
  let gotTypes: (() => void) | undefined;
  let practised = 0;
  let reading = 0;

  guardMemory(MAX_MEMORY_BYTES);
  const skills = createKnownSkills((names) => send({ kind: "needSkills", names }));
  const reader = create({ servers: () => servers, unavailable: () => unavailable, load, skills });

  readMessages<FromHost>(process.stdin, MAX_MESSAGE, hear, () => process.exit(1));
  process.stdin.on("end", () => process.exit(0));
  process.stdout.on("error", () => process.exit(0));
  send({ kind: "ready" });
  const warming = process.argv.includes("types") ? reader.warm() : Promise.resolve();
  // Without a compiler the check is skipped, which the answers say.
  void warming
    .catch(() => {})
    .then(() => {
      send({ kind: "warm" });
      if (process.argv.includes("stays")) setTimeout(practise, PRACTICE_AFTER_MS);
    });

  /** A round a turn, and none while a program is read. */
  function practise(): void {
    if (reading === 0) {
      reader.practise?.();
      practised++;
    }
    if (practised < PRACTICE_ROUNDS) setTimeout(practise, PRACTICE_EVERY_MS);
  }

  // What the host says is its own word: it is not looked at twice.
  function hear({ header, parts }: Message<FromHost>): void {
    if (header.kind === "news") learnNames(header);
    if (header.kind === "types") learnTypes(header);
    if (header.kind === "skills") skills.learn(header, parts);
    if (header.kind === "read") void read(String(parts[0]), header);
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

  async function load(tools: Parameters<ReaderCatalog["load"]>[0]): Promise<void> {
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

  async function read(source: string, { types, skill }: FromHost & { kind: "read" }): Promise<void> {
    const onPrepared = () => send({ kind: "prepared" });
    reading++;
    skills.begin();
    const { program, ...said } = await reader.read(source, { types, skill, onPrepared });
    reading--;
    const { checkMs, renamed, facts, exports } = said;
    const about = {
      ...(renamed !== undefined && { renamed }),
      ...(facts && { facts }),
      ...(exports && { exports }),
      checkMs,
    };
    if (!program.ok) return send({ kind: "answer", result: { ...program, ...about } });
    const { code, places, skills: used, ...rest } = program;
    const names = used.map(({ name }) => name);
    const parts = [{ code, places }, ...used].flatMap((one) => [Buffer.from(one.code), toBytes(one.places)]);
    send({ kind: "answer", result: { ...rest, skills: names, ...about } }, parts);
  }
}

function toBytes(places: PlaceTable): Uint8Array {
  return new Uint8Array(places.buffer, places.byteOffset, places.byteLength);
}

function send(header: object, parts?: readonly Uint8Array[]): void {
  sendMessage(process.stdout, JSON.stringify(header), parts);
}
