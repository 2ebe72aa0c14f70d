import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { isCallableWithoutInput } from "../schema/object-keys.ts";
import { parseInputSchema } from "../schema/parse-schema.ts";
import type { TypeNode } from "../schema/type-tree.ts";
import { createPrintBudget, MAX_PRINTED } from "./print-budget.ts";
import { toCalls, toResponseType } from "./response-type.ts";
import { createTypeNames } from "./type-names.ts";
import { type TypeScriptContext, toTypeScriptType } from "./typescript.ts";

export type Signature = {
  readonly code: string;
  /** Whether a part of a type had to be left out (it then says `unknown`). */
  readonly isCut: boolean;
};

/** Parts of a type that a compact signature shows: what goes in matters more than what comes out, least what was observed. */
const COMPACT_PARTS = { input: 120, output: 40, observed: 20 };

/** How a program calls a tool, with only the types it needs: as it is in a wrapper, or on one line without comments. */
export function toTypeScriptSignature(
  tool: ToolRecord,
  server: ServerRecord,
  { compact }: { readonly compact: boolean },
): Signature {
  const input = parseInputSchema(tool.inputSchema).type;
  const output = toResponseType(tool).type;
  const names = createTypeNames(["Promise", "Record", "Object"], "Part");
  const isCut: boolean[] = [];
  const declarations: string[] = [];

  function print(type: TypeNode, direction: "input" | "output"): string {
    const part = direction === "output" && tool.observed ? "observed" : direction;
    const budget = createPrintBudget(compact ? COMPACT_PARTS[part] : MAX_PRINTED);
    const context: TypeScriptContext = { direction, names, budget, compact };
    const text = toTypeScriptType(type, context);
    for (let due = names.nextDue(); due !== undefined; due = names.nextDue()) {
      declarations.push(`type ${due.name} = ${toTypeScriptType(due.target.type, context)};`);
    }
    isCut.push(budget.isSpent());
    return text;
  }

  const parameter = `input${isCallableWithoutInput(input) ? "?" : ""}: ${print(input, "input")}`;
  const takesNothing = input.kind === "object" && input.properties.length === 0 && input.extra === "closed";
  const result = print(output, "output");
  const call = `${server.identifier}.${tool.identifiers.typescript}(${takesNothing ? "" : parameter})`;
  const mark = tool.observed ? ` // result observed in ${toCalls(tool.observed.calls)}` : "";
  const code = [`${call}: Promise<${result}>${mark}`, ...declarations].join("\n");
  return { code, isCut: isCut.includes(true) };
}
