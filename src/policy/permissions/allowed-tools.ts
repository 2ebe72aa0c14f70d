import { type SaidOfTool, toSaid } from "../../catalog/changes.ts";
import { foldName } from "../../catalog/name-index.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { isRecord } from "../../text/is-record.ts";
import { describeDifferences } from "./describe-differences.ts";

/**
 * Which definition of each tool a rule has allowed: the one with which it was first called, or that a person has seen since. It
 * is kept in the project's state, which is believed by its proof alone: one that a repository brings is none.
 */
export type AllowedTools = {
  ready(): Promise<void> | undefined;
  /** Of one that was never called, that of another which rules take for the same by its name. */
  hashOf(tool: ToolRecord): string | undefined;
  note(tool: ToolRecord): void;
  /** What is different from the one of `hashOf`, in words; nothing where that one is not kept any more. */
  describeChange(tool: ToolRecord): string | undefined;
  /** Writes down what is left. */
  flush(): Promise<void>;
};

const FILE = "allowed-tools.json";
const FORMAT = 1;
/** Each has two names: its own, and the one that all of its spellings fold into. */
const MAX_NAMES = 40_000;

/** Of so many the definition is kept beside its hash, the newest, for people who ask what changed. */
const MAX_DEFINITIONS = 200;
const MAX_DEFINITION_CHARS = 20_000;

type Hashes = Map<string, string>;
type Definitions = Map<string, SaidOfTool>;
type Stored = {
  readonly format: typeof FORMAT;
  readonly tools: readonly (readonly [string, string])[];
  /** By hash. */
  readonly definitions: readonly (readonly [string, SaidOfTool])[];
};

export function createAllowedTools(state: Pick<StateDir, "readJson" | "updateJson">): AllowedTools {
  const hashes: Hashes = new Map();
  const definitions: Definitions = new Map();
  let unwritten: Hashes = new Map();
  let loading: Promise<void> | undefined;
  let isLoaded = false;
  let writing: Promise<unknown> = Promise.resolve();

  async function load(): Promise<void> {
    const stored = parse(await state.readJson(FILE));
    for (const [key, hash] of stored?.tools ?? []) if (!hashes.has(key)) hashes.set(key, hash);
    for (const [hash, said] of stored?.definitions ?? []) definitions.set(hash, said);
    isLoaded = true;
  }

  function write(): void {
    if (unwritten.size === 0) return;
    const news = unwritten;
    unwritten = new Map();
    const kept = [...new Set(news.values())].flatMap((hash) => {
      const said = definitions.get(hash);
      return said === undefined ? [] : [[hash, said] as const];
    });
    const merge = (current: Stored | undefined): Stored => ({
      format: FORMAT,
      tools: [...new Map([...(current?.tools ?? []), ...news])].slice(-MAX_NAMES),
      definitions: [...new Map([...(current?.definitions ?? []), ...kept])].slice(-MAX_DEFINITIONS),
    });
    writing = writing.then(() => state.updateJson(FILE, parse, merge));
  }

  function hashOf(tool: ToolRecord): string | undefined {
    const [own, ...folded] = keysOf(tool);
    const known = hashes.get(own);
    if (known !== undefined) return known;
    const others = folded.flatMap((key) => hashes.get(key) ?? []);
    return others.find((hash) => hash !== tool.hash) ?? others[0];
  }

  return {
    ready() {
      if (isLoaded) return undefined;
      loading ??= load();
      return loading;
    },
    hashOf,
    describeChange(tool) {
      const before = definitions.get(hashOf(tool) ?? "");
      return before === undefined ? undefined : describeDifferences(before, tool);
    },
    note(tool) {
      const keys = keysOf(tool);
      if (hashes.get(keys[0]) === tool.hash) return;
      const said = toSaid(tool);
      if (JSON.stringify(said).length <= MAX_DEFINITION_CHARS) definitions.set(tool.hash, said);
      for (const key of keys) {
        if (hashes.size >= MAX_NAMES && !hashes.has(key)) continue;
        hashes.set(key, tool.hash);
        // Those of one turn are written at once.
        if (unwritten.size === 0) setImmediate(write);
        unwritten.set(key, tool.hash);
      }
    },
    async flush() {
      write();
      await writing;
    },
  };
}

/**
 * Its own name first, then those by which a rule finds it. A rule takes `sendMail` for `send_mail`, so a server must not get
 * another definition past it by another spelling.
 */
function keysOf({ server, name, identifiers }: ToolRecord): [own: string, ...folded: string[]] {
  const names = [name, identifiers.typescript, identifiers.python].map(foldName);
  const folded = [...new Set(names)].map((one) => JSON.stringify([foldName(server), one, "any spelling"]));
  return [JSON.stringify([server, name]), ...folded];
}

function parse(value: unknown): Stored | undefined {
  if (!isRecord(value) || value["format"] !== FORMAT || !Array.isArray(value["tools"])) return undefined;
  const tools = value["tools"].flatMap((entry: unknown) => {
    const [key, hash]: unknown[] = Array.isArray(entry) ? entry : [];
    return typeof key === "string" && typeof hash === "string" ? [[key, hash] as const] : [];
  });
  const definitions = Array.isArray(value["definitions"]) ? value["definitions"].flatMap(toDefinition) : [];
  return { format: FORMAT, tools, definitions };
}

function toDefinition(entry: unknown): (readonly [string, SaidOfTool])[] {
  const [hash, said]: unknown[] = Array.isArray(entry) ? entry : [];
  return typeof hash === "string" && isSaid(said) ? [[hash, said]] : [];
}

/** It is compared and shown, nothing else. */
function isSaid(value: unknown): value is SaidOfTool {
  return isRecord(value) && typeof value["name"] === "string" && typeof value["description"] === "string";
}
