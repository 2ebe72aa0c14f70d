import { KeyholeError } from "../errors.ts";
import type { ServerInfo } from "../mcp/connection.ts";
import type { StateDir } from "../store/state-dir.ts";
import { isRecord } from "../text/is-record.ts";
import type { DatedDefinition, ToolChange } from "./changes.ts";

/** What is remembered of a server between starts: its tools when it last answered, and how the last attempt failed. */
export type StoredServer = {
  readonly format: typeof FORMAT;
  /** The definition as it is written in the configuration: with another one this is another server. */
  readonly definition: string;
  /** Configuration and credentials under which this was learned: with others it may offer other tools. */
  readonly fingerprint: string;
  readonly reading?: Reading;
  readonly failure?: { readonly at: string; readonly error: StoredError };
  /** Newest first. */
  readonly changes: readonly ToolChange[];
};

export type Reading = {
  readonly at: string;
  readonly info: ServerInfo;
  readonly tools: readonly DatedDefinition[];
  readonly warnings: readonly string[];
};

type StoredError = Pick<KeyholeError, "code" | "message" | "hint" | "details">;

const FORMAT = 4;
const MAX_CHANGES = 100;

export type CatalogStore = {
  load(folder: string): Promise<StoredServer | undefined>;
  save(folder: string, stored: Omit<StoredServer, "format">): Promise<void>;
};

/** One file a server, written as a whole. The folder is the user's own, so its files are believed once the format fits. */
export function createCatalogStore(state: StateDir): CatalogStore {
  const file = (folder: string) => `catalog/${folder}.json`;
  return {
    async load(folder) {
      const stored = await state.readJson(file(folder));
      return isStored(stored) ? stored : undefined;
    },
    save: (folder, stored) =>
      state.writeJson(file(folder), {
        format: FORMAT,
        ...stored,
        changes: stored.changes.slice(0, MAX_CHANGES),
      }),
  };
}

export function toStoredError({ code, message, hint, details }: KeyholeError): StoredError {
  return { code, message, hint, details };
}

export function fromStoredError(server: string, { code, message, hint, details }: StoredError): KeyholeError {
  return new KeyholeError(code, message, { server, hint, details });
}

/** A file that somebody has edited, or that an older version wrote, must not break a start. */
function isStored(value: unknown): value is StoredServer {
  if (!isRecord(value) || value["format"] !== FORMAT || !Array.isArray(value["changes"])) return false;
  const { reading, failure } = value;
  if (failure !== undefined && !(isRecord(failure) && isRecord(failure["error"]))) return false;
  if (reading === undefined) return true;
  if (!isRecord(reading) || !isRecord(reading["info"]) || !Array.isArray(reading["warnings"])) return false;
  return Array.isArray(reading["tools"]) && reading["tools"].every(isDefinition);
}

function isDefinition(tool: unknown): boolean {
  if (!isRecord(tool) || !isRecord(tool["annotations"]) || !Array.isArray(tool["warnings"])) return false;
  return ["name", "description", "hash", "since"].every((key) => typeof tool[key] === "string");
}
