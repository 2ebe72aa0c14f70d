import type { ServerDefinition } from "../config/server-definition.ts";
import type { KeyholeError } from "../errors.ts";
import type { ServerInfo } from "../mcp/connection.ts";
import type { ToolChange } from "./changes.ts";
import type { ServerNames } from "./names.ts";
import type { ServerRecord } from "./tool.ts";

/** What is known of one configured server. */
export type CatalogEntry = ServerNames & {
  readonly name: string;
  /** Absent when the configuration itself is wrong. */
  readonly definition?: ServerDefinition;
  readonly status: "unread" | "ready" | "failed" | "disabled";
  /** Who said so: the server just now, or the cache. */
  readonly from?: "server" | "cache";
  /** When it was last read or tried (ISO 8601). */
  readonly at?: string;
  readonly info?: ServerInfo;
  /** A keyed hash of how it is reached, its credentials included: with others it may answer otherwise. */
  readonly fingerprint?: string;
  /** The connection's version of the list that was read; none of the cache's. */
  readonly listVersion?: number;
  /** The tools; of a server that fails now, those that it had when it last answered. */
  readonly record?: ServerRecord;
  readonly warnings: readonly string[];
  /** Newest first. */
  readonly changes: readonly ToolChange[];
  readonly error?: KeyholeError;
};
