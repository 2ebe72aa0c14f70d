import type { ToolRecord } from "../../catalog/tool.ts";

/** One sentence on what a call may do. A claim that makes a tool look safer is marked when nobody vouches for it. */
export function toAnnotationNote(tool: ToolRecord): string {
  const { readOnly, destructive, idempotent } = tool.annotations;
  const source = tool.trusted ? "" : " (the server's own word)";
  if (readOnly) return `Read-only${source}.`;
  const repeat = idempotent ? ` Repeating a call changes nothing more${source}.` : "";
  if (!destructive) return `Changes data, but only adds to it${source}.${repeat}`;
  return `Changes data; may be destructive.${repeat}`;
}
