import type { CatalogEntry } from "../../../catalog/entry.ts";
import type { ToolRecord } from "../../../catalog/tool.ts";
import { toCommandHash } from "../../../policy/approvals/command-call.ts";

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

/** What a person approves of it for a run or a session holds for the same command alone, and not for one that can do more. */
export function toCommandRecord(command: string, readOnly: boolean): ToolRecord {
  return { ...(readOnly ? READING_COMMAND : WRITING_COMMAND), hash: toCommandHash(command, readOnly) };
}

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
    // By which a plan makes up what it might have answered.
    outputSchema: {
      type: "object",
      properties: { code: { const: 0 }, stdout: { type: "string" }, stderr: { const: "" } },
    },
    annotations: declared,
    declared,
    trusted: true,
    hash: TOOL,
    since: "",
    warnings: [],
  };
}
