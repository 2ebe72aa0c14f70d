import type { ToolRecord } from "../../../catalog/tool.ts";
import { toPythonSignature } from "../../../codegen/python/python-signature.ts";
import type { NamedTool } from "../check/check-python.ts";

const MAX_SIGNATURE = 600;

/** How a tool is called, or with what it gives, as `search_tools` shows it. */
export function toToolSignature({ tool, server }: NamedTool, isResult: boolean): string {
  const { code } = toPythonSignature(isResult ? tool : withoutResult(tool), server, "short");
  const shown = isResult ? code : code.replace(/ -> Any$/m, "");
  return shown.length > MAX_SIGNATURE ? `${shown.slice(0, MAX_SIGNATURE)}…` : shown;
}

function withoutResult({ outputSchema, observed, contradictions, ...tool }: ToolRecord): ToolRecord {
  return tool;
}
