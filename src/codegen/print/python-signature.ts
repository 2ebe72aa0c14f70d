import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { toObjects } from "../schema/object-keys.ts";
import { parseInputSchema } from "../schema/parse-schema.ts";
import type { TypeNode } from "../schema/type-tree.ts";
import { toHashComment, toOneLine } from "./doc-text.ts";
import { orOpenTypes } from "./open-types.ts";
import { createPrintBudget, type PrintBudget } from "./print-budget.ts";
import { PYTHON_KEYWORDS, type PythonContext, toPythonType } from "./python.ts";
import { toResponseType } from "./response-type.ts";
import type { Signature } from "./signature.ts";
import { createTypeNames } from "./type-names.ts";

/** Parts of a type that are shown of what goes in and of what comes out. */
const PARTS = { input: 200, output: 60 };
const MAX_PARAMETER_DOC = 300;

/** How a Python program calls a tool: by keywords, with the classes that its types need. */
export function toPythonSignature(
  tool: ToolRecord,
  server: ServerRecord,
  { comments }: { readonly comments: boolean },
): Signature {
  return orOpenTypes(tool, (one) => sign(one, server, comments)).made;
}

function sign(tool: ToolRecord, server: ServerRecord, comments: boolean): Signature {
  const input = parseInputSchema(tool.inputSchema).type;
  const output = toResponseType(tool).type;
  const declarations: string[] = [];
  const names = createTypeNames([], "Part");
  const budgets = { input: createPrintBudget(PARTS.input), output: createPrintBudget(PARTS.output) };
  const toContext = (direction: "input" | "output"): PythonContext => ({
    direction,
    names,
    declarations,
    use: (name) => name,
    budget: budgets[direction],
    classes: new Map(),
    comments,
  });
  const parameters = toKeywords(input, toContext("input"), comments);
  const result = toPythonType(output, toContext("output"), "Result").text;
  const isCut = [budgets.input, budgets.output].some((budget: PrintBudget) => budget.isSpent());
  const call = `await ${server.identifier}.${tool.identifiers.python}(${parameters}) -> ${result}`;
  return { code: [call, ...declarations].join("\n"), isCut };
}

/** One keyword for each property of an object; anything else is one argument. */
function toKeywords(type: TypeNode, context: PythonContext, comments: boolean): string {
  const [object, ...others] = toObjects(type) ?? [];
  const isKeywords =
    object !== undefined &&
    others.length === 0 &&
    object.properties.every(({ name }) => /^[A-Za-z_]\w*$/.test(name) && !PYTHON_KEYWORDS.has(name));
  if (!isKeywords) return `arguments: ${toPythonType(type, context, "Arguments").text}`;
  const sorted = [
    ...object.properties.filter(({ required }) => required),
    ...object.properties.filter(({ required }) => !required),
  ];
  const keywords = sorted.map(({ name, type: of, required, doc }) => ({
    text: `${name}: ${toPythonType(of, context, `${name[0]?.toUpperCase()}${name.slice(1)}`).text}${required ? "" : " = ..."}`,
    doc: comments ? toHashComment(toOneLine(doc, MAX_PARAMETER_DOC)) : "",
  }));
  if (keywords.every(({ doc }) => doc === "")) return keywords.map(({ text }) => text).join(", ");
  const lines = keywords.map(({ text, doc }) => (doc === "" ? `    ${text},` : `    ${text},  # ${doc}`));
  return `\n${lines.join("\n")}\n`;
}
