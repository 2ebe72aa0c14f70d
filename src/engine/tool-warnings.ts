import type { ToolRecord } from "../catalog/tool.ts";
import { toContradictionText } from "../codegen/print/response-type.ts";

/** What is wrong with a tool: its definition, as far as it had to be mended, and results that contradict it. */
export function toolWarnings({ warnings, contradictions = [] }: ToolRecord): string[] {
  return [
    ...warnings,
    ...contradictions.map((one) => `results contradict "outputSchema": ${toContradictionText(one)}`),
  ];
}
