import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { isCallableWithoutInput, toParameters } from "../../schema/object-keys.ts";
import { parseInputSchema } from "../../schema/parse-schema.ts";
import type { Property, TypeNode } from "../../schema/type-tree.ts";
import { toCommentLine, toLines, toOneLine, toTypeScriptString } from "../../text/doc-text.ts";
import { toAnnotationNote } from "../print/annotation-note.ts";
import { isAsciiIdentifier } from "../print/identifiers.ts";
import { createPrintBudget, MAX_PRINTED } from "../print/print-budget.ts";
import { toResponseNote, toResponseType } from "../print/response-type.ts";
import { createTypeNames } from "../print/type-names.ts";
import { MAX_DESCRIPTION, MAX_PARAMETER_DOC, type Wrapper } from "../print/wrapper.ts";
import { type TypeScriptContext, toTypeScriptDeclaration } from "./typescript.ts";

const GLOBALS = ["Promise", "Record", "Object", "callMCPTool", "call"];

/** The file of one tool: its input and response types and a function that calls it. */
export function toTypeScriptWrapper(tool: ToolRecord, server: ServerRecord): Wrapper {
  const name = tool.identifiers.typescript;
  const { input: inputName, response: responseName } = toTypeScriptTypeNames(tool, server);
  const input = parseInputSchema(tool.inputSchema);
  const output = toResponseType(tool);
  const warnings = [...input.warnings, ...output.warnings.map((warning) => `output ${warning}`)];
  const names = createTypeNames([...GLOBALS, name, inputName, responseName], `${inputName}Part`);
  const budget = createPrintBudget();
  const declarations = [
    `export ${toTypeScriptDeclaration(inputName, input.type, { direction: "input", names, budget }, false)}`,
    ...referencedTypes({ direction: "input", names, budget }),
    `export ${toTypeScriptDeclaration(responseName, output.type, { direction: "output", names, budget })}`,
    ...referencedTypes({ direction: "output", names, budget }),
  ];
  if (budget.isSpent()) warnings.push(`schema: its type is longer than ${MAX_PRINTED} parts; cut off`);
  const call = name === "callMCPTool" ? "call" : "callMCPTool";
  const wire = toTypeScriptString(`${server.name}__${tool.name}`);
  const code = [
    `import { ${call === "call" ? "callMCPTool as call" : call} } from "../_keyhole.js";`,
    ...declarations.map((declaration) => `\n${declaration}`),
    "",
    ...docBlock(tool, input.type),
    `export async function ${name}(input: ${inputName}${isCallableWithoutInput(input.type) ? " = {}" : ""}): Promise<${responseName}> {`,
    `  return ${call}<${responseName}>(${wire}, input);`,
    "}",
    "",
  ].join("\n");
  return { code, warnings };
}

/** Names of a tool's two types; a server's index exports them together with all its functions, so none may be alike. */
export function toTypeScriptTypeNames(
  tool: ToolRecord,
  server: ServerRecord,
): { readonly input: string; readonly response: string } {
  const name = tool.identifiers.typescript;
  const base = name.charAt(0).toUpperCase() + name.slice(1);
  const functions = functionNames(server);
  const free = (wish: string): string => (functions.has(wish) ? free(`${wish}_`) : wish);
  return { input: free(`${base}Input`), response: free(`${base}Response`) };
}

const typesByServer = new WeakMap<ServerRecord, ReadonlyMap<string, ToolRecord>>();

/** The tool whose input or response type is called so in its server's index. */
export function findTypeOwner(server: ServerRecord, type: string): ToolRecord | undefined {
  const known = typesByServer.get(server);
  if (known !== undefined) return known.get(type);
  const owners = new Map<string, ToolRecord>();
  for (const tool of server.tools) {
    const { input, response } = toTypeScriptTypeNames(tool, server);
    owners.set(input, tool).set(response, tool);
  }
  typesByServer.set(server, owners);
  return owners.get(type);
}

const namesByServer = new WeakMap<ServerRecord, ReadonlySet<string>>();

function functionNames(server: ServerRecord): ReadonlySet<string> {
  const known = namesByServer.get(server);
  if (known !== undefined) return known;
  const names = new Set(server.tools.map((tool) => tool.identifiers.typescript));
  namesByServer.set(server, names);
  return names;
}

function referencedTypes(context: TypeScriptContext): string[] {
  const declarations: string[] = [];
  for (let due = context.names.nextDue(); due !== undefined; due = context.names.nextDue()) {
    const text = toOneLine(due.target.doc, MAX_PARAMETER_DOC);
    const comment = text === "" ? "" : `/** ${toCommentLine(text)} */\n`;
    declarations.push(`${comment}${toTypeScriptDeclaration(due.name, due.target.type, context)}`);
  }
  return declarations;
}

function docBlock(tool: ToolRecord, input: TypeNode): string[] {
  const lines = toLines(tool.description || (tool.title ?? ""), MAX_DESCRIPTION).filter(
    (line, index, all) => {
      return line !== "" || (index > 0 && index < all.length - 1);
    },
  );
  if (lines.length > 0) lines.push("");
  const parameters = toParameters(input).flatMap(parameterLine);
  const note = toResponseNote(tool);
  const returned = note === undefined ? [] : [`@returns ${toCommentLine(note)}`];
  const tags = [...parameters, ...returned, `@remarks ${toAnnotationNote(tool)}`];
  const safe = [...lines.map(toCommentLine), ...tags];
  return ["/**", ...safe.map((line) => (line === "" ? " *" : ` * ${line}`)), " */"];
}

function parameterLine(property: Property): string[] {
  const integer = property.type.kind === "primitive" && property.type.name === "integer" ? "integer" : "";
  const doc = toOneLine(property.doc, MAX_PARAMETER_DOC);
  if (doc === "" && integer === "") return [];
  const name = isAsciiIdentifier(property.name)
    ? `.${property.name}`
    : `[${toTypeScriptString(property.name)}]`;
  const text = doc === "" || integer === "" ? doc || integer : `${doc} (${integer})`;
  return [`@param input${name} ${text}`.replaceAll("*/", "*\\/")];
}
