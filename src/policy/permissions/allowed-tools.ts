import { foldName } from "../../catalog/name-index.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { isRecord } from "../../text/is-record.ts";

/**
 * Which definition of each tool a rule has allowed: the one with which it was first called, or that a person has seen since. It
 * is kept in the project's state, which is believed by its proof alone: one that a repository brings is none.
 */
export type AllowedTools = {
  ready(): Promise<void> | undefined;
  /** Of one that was never called, that of another which rules take for the same by its name. */
  hashOf(tool: ToolRecord): string | undefined;
  note(tool: ToolRecord): void;
  /** Writes down what is left. */
  flush(): Promise<void>;
};

const FILE = "allowed-tools.json";
const FORMAT = 1;
/** Each has two names: its own, and the one that all of its spellings fold into. */
const MAX_NAMES = 40_000;

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
      tools: [...new Map([...(current?.tools ?? []), ...news])].slice(-MAX_NAMES),
    });
    writing = writing.then(() => state.updateJson(FILE, parse, merge));
  }

  return {
    ready() {
      if (isLoaded) return undefined;
      loading ??= load();
      return loading;
    },
    hashOf(tool) {
      const [own, ...folded] = keysOf(tool);
      const known = hashes.get(own);
      if (known !== undefined) return known;
      const others = folded.flatMap((key) => hashes.get(key) ?? []);
      return others.find((hash) => hash !== tool.hash) ?? others[0];
    },
    note(tool) {
      const keys = keysOf(tool);
      if (hashes.get(keys[0]) === tool.hash) return;
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
  return { format: FORMAT, tools };
}
