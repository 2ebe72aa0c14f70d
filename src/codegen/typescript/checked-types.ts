import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { isCallableWithoutInput } from "../../schema/object-keys.ts";
import { parseInputSchema } from "../../schema/parse-schema.ts";
import { type TypeNode, UNKNOWN } from "../../schema/type-tree.ts";
import { createPrintBudget } from "../print/print-budget.ts";
import { printSafely } from "../print/print-safely.ts";
import { isReliable, toResponseType } from "../print/response-type.ts";
import { createTypeNames } from "../print/type-names.ts";
import { type TypeScriptContext, toTypeScriptDeclaration, toTypeScriptType } from "./typescript.ts";
import { toTypeScriptTypeNames } from "./typescript-wrapper.ts";

/** A tool's types as a program is checked against them: bare, and loose where the server says nothing. */
export type CheckedTypes = {
  readonly input: string;
  readonly response: string;
  readonly canOmitInput: boolean;
  /** Both types and those that they refer to. */
  readonly declarations: string;
  /** The same two types written out, for a reader. */
  readonly inputText: string;
  readonly responseText: string;
};

export type CheckedTypesOptions = {
  /** Whether a response type is used that is only a hint: observed, or contradicted by what was observed. */
  readonly useHints: boolean;
};

export function toCheckedTypes(
  tool: ToolRecord,
  server: ServerRecord,
  { useHints }: CheckedTypesOptions,
): CheckedTypes {
  return printSafely(tool, (one) => print(one, server, useHints)).made;
}

function print(tool: ToolRecord, server: ServerRecord, useHints: boolean): CheckedTypes {
  const { input, response } = toTypeScriptTypeNames(tool, server);
  const inputType = parseInputSchema(tool.inputSchema).type;
  const responseType = useHints || isReliable(tool) ? toResponseType(tool).type : UNKNOWN;
  const names = createTypeNames(["Promise", "Record", "Object", input, response], `${input}Part`);
  const budget = createPrintBudget();
  const inputContext: TypeScriptContext = { direction: "input", names, budget, forCheck: true };
  const outputContext: TypeScriptContext = { direction: "output", names, budget, forCheck: true };
  const declarations = [
    ...declare(input, inputType, inputContext),
    ...declare(response, responseType, outputContext),
  ].join("\n");
  return {
    input,
    response,
    canOmitInput: isCallableWithoutInput(inputType),
    declarations,
    inputText: toText(inputType, "input"),
    responseText: toText(responseType, "output"),
  };
}

function declare(name: string, type: TypeNode, context: TypeScriptContext): string[] {
  const declarations = [toTypeScriptDeclaration(name, type, context)];
  for (let due = context.names.nextDue(); due !== undefined; due = context.names.nextDue()) {
    declarations.push(toTypeScriptDeclaration(due.name, due.target.type, context));
  }
  return declarations;
}

/** A text of its own, with names and a budget of its own: what is printed here must not use up what is checked. */
function toText(type: TypeNode, direction: "input" | "output"): string {
  const context: TypeScriptContext = {
    direction,
    names: createTypeNames([], "Part"),
    budget: createPrintBudget(),
    forCheck: true,
  };
  // Split and joined: a pattern for "line end with space around" takes quadratic time on long runs of space.
  const lines = toTypeScriptType(type, context).split("\n");
  return lines.map((line) => line.trim()).join(" ");
}
