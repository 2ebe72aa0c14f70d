import type { ToolRecord } from "../../catalog/tool.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { isRecord } from "../../text/is-record.ts";

/**
 * Which definition of each tool a rule has allowed: the one with which it was first called, or that a person has seen since. It
 * is kept in the project's state, which is believed by its proof alone: one that a repository brings is none.
 */
export type AllowedTools = {
  ready(): Promise<void> | undefined;
  hashOf(tool: ToolRecord): string | undefined;
  note(tool: ToolRecord): void;
  /** Writes down what is left. */
  flush(): Promise<void>;
};

const FILE = "allowed-tools.json";
const FORMAT = 1;
const MAX_TOOLS = 20_000;

type Hashes = Map<string, string>;
type Stored = { readonly format: typeof FORMAT; readonly tools: readonly (readonly [string, string])[] };

export function createAllowedTools(state: Pick<StateDir, "readJson" | "updateJson">): AllowedTools {
  const hashes: Hashes = new Map();
  let unwritten: Hashes = new Map();
  let loading: Promise<void> | undefined;
  let isLoaded = false;
  let writing: Promise<unknown> = Promise.resolve();

  async function load(): Promise<void> {
    for (const [key, hash] of parse(await state.readJson(FILE))?.tools ?? [])
      if (!hashes.has(key)) hashes.set(key, hash);
    isLoaded = true;
  }

  function write(): void {
    if (unwritten.size === 0) return;
    const news = unwritten;
    unwritten = new Map();
    const merge = (current: Stored | undefined): Stored => ({
      format: FORMAT,
      tools: [...new Map([...(current?.tools ?? []), ...news])].slice(-MAX_TOOLS),
    });
    writing = writing.then(() => state.updateJson(FILE, parse, merge));
  }

  return {
    ready() {
      if (isLoaded) return undefined;
      loading ??= load();
      return loading;
    },
    hashOf: (tool) => hashes.get(keyOf(tool)),
    note(tool) {
      const key = keyOf(tool);
      if (hashes.get(key) === tool.hash || (hashes.size >= MAX_TOOLS && !hashes.has(key))) return;
      hashes.set(key, tool.hash);
      // Those of one turn are written at once.
      if (unwritten.size === 0) setImmediate(write);
      unwritten.set(key, tool.hash);
    },
    async flush() {
      write();
      await writing;
    },
  };
}

function keyOf({ server, name }: ToolRecord): string {
  return JSON.stringify([server, name]);
}

function parse(value: unknown): Stored | undefined {
  if (!isRecord(value) || value["format"] !== FORMAT || !Array.isArray(value["tools"])) return undefined;
  const tools = value["tools"].flatMap((entry: unknown) => {
    const [key, hash]: unknown[] = Array.isArray(entry) ? entry : [];
    return typeof key === "string" && typeof hash === "string" ? [[key, hash] as const] : [];
  });
  return { format: FORMAT, tools };
}
