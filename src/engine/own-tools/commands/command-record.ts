import type { CatalogEntry } from "../../../catalog/entry.ts";
import type { ToolRecord } from "../../../catalog/tool.ts";

/** Under which rules, approvals and records know it. */
const SERVER = "keyhole";
const TOOL = "runCommand";

/** What stands for Keyhole where a server does. */
export const OWN_SERVER_ENTRY: CatalogEntry = {
  name: SERVER,
  identifiers: { typescript: SERVER, python: SERVER },
  folder: SERVER,
  status: "ready",
  warnings: [],
  changes: [],
};

/** `runCommand` as a tool: one that can't write, and one that can, in ./workspace. */
export const READING_COMMAND = toRecord(true);
export const WRITING_COMMAND = toRecord(false);

function toRecord(readOnly: boolean): ToolRecord {
  const declared = { readOnly, destructive: false, idempotent: false, openWorld: false };
  return {
    server: SERVER,
    // No server's: theirs are hashes.
    fingerprint: SERVER,
    name: TOOL,
    identifiers: { typescript: TOOL, python: "run_command" },
    description: "Runs a command, walled in, in ./workspace",
    inputSchema: true,
    annotations: declared,
    declared,
    trusted: true,
    hash: TOOL,
    since: "",
    warnings: [],
  };
}
