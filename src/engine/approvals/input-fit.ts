import type { ToolDefinition } from "../../catalog/tool.ts";
import type { MisfitOf } from "../../policy/approvals/approvals.ts";
import { findMisfits } from "../../schema/misfits.ts";
import { parseInputSchema } from "../../schema/parse-schema.ts";

type KnownTool = Pick<ToolDefinition, "hash" | "inputSchema" | "hasUnusableInput">;

/**
 * Whether arguments that a person gave are ones that the tool takes, as far as its schema tells. Of a tool that is another one by now
 * nothing is said: it is asked for again.
 */
export function createInputFit(
  toolOf: (server: string, tool: string) => KnownTool | undefined | Promise<KnownTool | undefined>,
): MisfitOf {
  return async ({ server, tool, toolHash }, args) => {
    const known = await toolOf(server, tool);
    if (known?.hash !== toolHash || known.hasUnusableInput) return undefined;
    const [misfit] = findMisfits(args, parseInputSchema(known.inputSchema).type);
    if (misfit === undefined) return undefined;
    const { path, expected, seen } = misfit;
    if (seen === "nothing") return `"${path}" is missing`;
    return path === "" ? `it takes ${expected}` : `"${path}" must be ${expected}, and is ${seen}`;
  };
}
