import type { ToolRecord } from "../../catalog/tool.ts";
import { toOneLine } from "../../text/doc-text.ts";

const MAX_REASON = 300;
const ANY_ARGUMENTS = { type: "object" };

/**
 * What is made of a tool's types, or the same of the tool with open types when these cannot be printed: a schema that
 * is too much for a printer is the matter of its own tool, never of the others beside it.
 */
export function orOpenTypes<Made>(
  tool: ToolRecord,
  make: (tool: ToolRecord) => Made,
): { readonly made: Made; readonly warnings: readonly string[] } {
  try {
    return { made: make(tool), warnings: [] };
  } catch (error) {
    const { outputSchema: _, observed: __, ...rest } = tool;
    const reason = error instanceof Error ? toOneLine(error.message, MAX_REASON) : "unknown reason";
    return {
      made: make({ ...rest, inputSchema: ANY_ARGUMENTS }),
      warnings: [`its types cannot be printed and are left open: ${reason}`],
    };
  }
}
