import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { isCallableWithoutInput } from "../../schema/object-keys.ts";
import { parseInputSchema } from "../../schema/parse-schema.ts";
import type { TypeNode } from "../../schema/type-tree.ts";
import { createPrintBudget, MAX_PRINTED } from "../print/print-budget.ts";
import { printSafely } from "../print/print-safely.ts";
import { toResponseMark, toResponseType } from "../print/response-type.ts";
import type { Signature, SignatureStyle } from "../print/signature.ts";
import { createTypeNames } from "../print/type-names.ts";
import { type TypeScriptContext, toTypeScriptType } from "./typescript.ts";

/** What goes in matters more than what comes out. `parts` bounds what is printed, whatever a schema holds. */
const STYLES = {
  documented: { comments: true, depth: 100, members: 1000, optionalTypes: true, parts: [MAX_PRINTED, 2000] },
  whole: { comments: false, depth: 6, members: 30, optionalTypes: true, parts: [120, 40] },
  short: { comments: false, depth: 2, members: 4, optionalTypes: true, parts: [50, 20] },
  shortest: { comments: false, depth: 1, members: 3, optionalTypes: false, parts: [24, 10] },
} as const;

/** How a program calls a tool, with only the types that it needs. */
export function toTypeScriptSignature(
  tool: ToolRecord,
  server: ServerRecord,
  style: SignatureStyle,
): Signature {
  return printSafely(tool, (one) => sign(one, server, style)).made;
}

function sign(tool: ToolRecord, server: ServerRecord, style: SignatureStyle): Signature {
  const input = parseInputSchema(tool.inputSchema).type;
  const output = toResponseType(tool).type;
  const names = createTypeNames(["Promise", "Record", "Object"], "Part");
  const { parts, ...shape } = STYLES[style];
  let isCut = false;
  const brief = {
    ...shape,
    onCut: () => {
      isCut = true;
    },
  };
  const declarations: string[] = [];

  function print(type: TypeNode, direction: "input" | "output"): string {
    const budget = createPrintBudget(parts[direction === "input" ? 0 : 1]);
    const context: TypeScriptContext = { direction, names, budget, brief };
    const text = toTypeScriptType(type, context);
    for (let due = names.nextDue(); due !== undefined; due = names.nextDue()) {
      declarations.push(`type ${due.name} = ${toTypeScriptType(due.target.type, context)};`);
    }
    return text;
  }

  const parameter = `input${isCallableWithoutInput(input) ? "?" : ""}: ${print(input, "input")}`;
  const takesNothing = input.kind === "object" && input.properties.length === 0 && input.extra === "closed";
  const result = print(output, "output");
  const call = `${server.identifiers.typescript}.${tool.identifiers.typescript}(${takesNothing ? "" : parameter})`;
  const mark = toResponseMark(tool);
  const code = [`${call}: Promise<${result}>${mark && ` // ${mark}`}`, ...declarations].join("\n");
  return { code, isCut };
}
