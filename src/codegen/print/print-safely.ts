import type { ToolRecord } from "../../catalog/tool.ts";
import { toOneLine } from "../../text/doc-text.ts";

const MAX_REASON = 300;
const ANY_ARGUMENTS = { type: "object" };

/** Prints a tool. Where its types are too much for the printer, it is printed with open types: the other tools must not fail with it. */
export function printSafely<Made>(
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
