import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { toObjects } from "../../schema/object-keys.ts";
import { parseInputSchema } from "../../schema/parse-schema.ts";
import type { TypeNode } from "../../schema/type-tree.ts";
import { toHashComment, toOneLine } from "../../text/doc-text.ts";
import { toPascalCase } from "../print/identifiers.ts";
import { createPrintBudget, type PrintBudget } from "../print/print-budget.ts";
import { printSafely } from "../print/print-safely.ts";
import { toResponseMark, toResponseType } from "../print/response-type.ts";
import type { Signature, SignatureStyle } from "../print/signature.ts";
import { createTypeNames } from "../print/type-names.ts";
import { declareReferenced, PYTHON_KEYWORDS, type PythonContext, toPythonType } from "./python.ts";

/** Parts of a type that are shown of what goes in and of what comes out. */
const PARTS = {
  documented: { input: 2000, output: 400 },
  whole: { input: 120, output: 40 },
  short: { input: 50, output: 20 },
  shortest: { input: 24, output: 10 },
};
const MAX_PARAMETER_DOC = 300;
const LONGEST_TEXT = 100;

/** How a Python program calls a tool: by keywords, with the classes that its types need. */
export function toPythonSignature(tool: ToolRecord, server: ServerRecord, style: SignatureStyle): Signature {
  return printSafely(tool, (one) => sign(one, server, style)).made;
}

function sign(tool: ToolRecord, server: ServerRecord, style: SignatureStyle): Signature {
  const input = parseInputSchema(tool.inputSchema).type;
  const output = toResponseType(tool).type;
  const declarations: string[] = [];
  const names = createTypeNames([], "Part");
  const comments = style === "documented";
  const parts = PARTS[style];
  const budgets = { input: createPrintBudget(parts.input), output: createPrintBudget(parts.output) };
  const toContext = (direction: "input" | "output"): PythonContext => ({
    direction,
    names,
    declarations,
    use: (name) => name,
    budget: budgets[direction],
    classes: new Map(),
    comments,
    longestText: LONGEST_TEXT,
  });
  const inputContext = toContext("input");
  const { text: parameters, isWhole } = toKeywords(input, inputContext, comments);
  declareReferenced(inputContext);
  const outputContext = toContext("output");
  const result = toPythonType(output, outputContext, `${toPascalCase(tool.identifiers.python)}Result`).text;
  declareReferenced(outputContext);
  const isSpent = [budgets.input, budgets.output].some((budget: PrintBudget) => budget.isSpent());
  const mark = toResponseMark(tool);
  const call = `await ${server.identifiers.python}.${tool.identifiers.python}(${parameters}) -> ${result}${mark && `  # ${mark}`}`;
  return { code: [call, ...declarations].join("\n"), isCut: isSpent || !isWhole };
}

/** One keyword for each property of an object; anything else is one argument. */
function toKeywords(
  type: TypeNode,
  context: PythonContext,
  comments: boolean,
): { readonly text: string; readonly isWhole: boolean } {
  const [object, ...others] = toObjects(type) ?? [];
  const isKeywords =
    object !== undefined &&
    others.length === 0 &&
    object.properties.every(({ name }) => /^[A-Za-z_]\w*$/.test(name) && !PYTHON_KEYWORDS.has(name));
  if (!isKeywords)
    return { text: `arguments: ${toPythonType(type, context, "Arguments").text}, /`, isWhole: true };
  const shown = object.properties.filter(({ name }) => name.length <= LONGEST_TEXT);
  const sorted = [...shown.filter(({ required }) => required), ...shown.filter(({ required }) => !required)];
  const isWhole = shown.length === object.properties.length;
  const keywords = sorted.map(({ name, type: of, required, doc }) => ({
    text: `${name}: ${toPythonType(of, context, `${name[0]?.toUpperCase()}${name.slice(1)}`).text}${required ? "" : " = ..."}`,
    doc: comments ? toHashComment(toOneLine(doc, MAX_PARAMETER_DOC)) : "",
  }));
  if (!isWhole) keywords.push({ text: "...", doc: "" });
  if (keywords.every(({ doc }) => doc === ""))
    return { text: keywords.map(({ text }) => text).join(", "), isWhole };
  const lines = keywords.map(({ text, doc }) => (doc === "" ? `    ${text},` : `    ${text},  # ${doc}`));
  return { text: `\n${lines.join("\n")}\n`, isWhole };
}
