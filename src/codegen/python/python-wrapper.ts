import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { toObjects, toParameters } from "../../schema/object-keys.ts";
import { parseInputSchema } from "../../schema/parse-schema.ts";
import type { ObjectNode, TypeNode } from "../../schema/type-tree.ts";
import { toDocstringLine, toLines, toOneLine, toPythonString } from "../../text/doc-text.ts";
import { toAnnotationNote } from "../print/annotation-note.ts";
import { createPrintBudget, MAX_PRINTED } from "../print/print-budget.ts";
import { toResponseNote, toResponseType } from "../print/response-type.ts";
import { createTypeNames } from "../print/type-names.ts";
import { MAX_DESCRIPTION, MAX_PARAMETER_DOC, type Wrapper } from "../print/wrapper.ts";
import {
  declarePythonType,
  declareReferenced,
  isTypedDict,
  type PythonContext,
  toPythonType,
  withOpenDict,
} from "./python.ts";

/** One overload for each shape that keyword arguments can have; beyond this, any keyword is taken. */
const MAX_KEYWORD_FORMS = 8;
const BUILTINS = new Set(["str", "int", "float", "bool", "list", "dict", "tuple"]);
const TYPING = ["Any", "Literal", "Never", "NotRequired", "TypeAlias", "TypedDict", "Unpack", "Mapping"];

/** The file of one tool: its input and response types and a function that calls it. */
export function toPythonWrapper(tool: ToolRecord, server: ServerRecord): Wrapper {
  const name = tool.identifiers.python;
  const { input: inputName, response: responseName } = toPythonTypeNames(tool);
  const input = parseInputSchema(tool.inputSchema);
  const output = toResponseType(tool);
  const warnings = [...input.warnings, ...output.warnings.map((warning) => `output ${warning}`)];
  const imports = createImports(name);
  const declarations: string[] = [];
  const budget = createPrintBudget();
  const shared = {
    names: createTypeNames([...TYPING, name, inputName, responseName], `${inputName}Part`),
    declarations,
    use: imports.use,
    budget,
    classes: new Map<TypeNode, string>(),
  };
  const inputContext: PythonContext = { ...shared, direction: "input" };
  declarePythonType(inputName, input.type, inputContext, false);
  declareReferenced(inputContext);
  const forms = keywordForms(inputName, input.type, inputContext);
  declareReferenced(inputContext);
  const outputContext: PythonContext = { ...shared, direction: "output", classes: new Map() };
  declarePythonType(responseName, output.type, outputContext);
  declareReferenced(outputContext);
  if (budget.isSpent()) warnings.push(`schema: its type is longer than ${MAX_PRINTED} parts; cut off`);
  const positional =
    input.type.kind === "object" ? withOpenDict(inputName, input.type, inputContext) : inputName;
  const body = [
    ...declarations.map((declaration) => `\n\n${declaration}`),
    ...functionLines(tool, server, { imports, positional, forms, responseName, input: input.type }),
  ];
  return { code: `${imports.lines().join("\n")}\n${body.join("\n")}\n`, warnings };
}

/** Names of a tool's two types. They start with a capital, so no function of the server is called the same. */
export function toPythonTypeNames(tool: ToolRecord): { readonly input: string; readonly response: string } {
  const base = pythonTypeBase(tool.identifiers.python);
  return { input: `${base}Input`, response: `${base}Response` };
}

/** Each character counts, so that two functions never share a type name: `a_1` and `a1` become `A_1` and `A1`. */
function pythonTypeBase(name: string): string {
  if (!/^[a-z]/.test(name) || /[A-Z]/.test(name)) return `T_${name}_`;
  return name.replace(/(^|_)([a-z])/g, (_, _before: string, letter: string) => letter.toUpperCase());
}

type Imports = { use(name: string): string; lines(): string[] };

/** The imports of one file; a name that the file's own function bears is imported under another. */
function createImports(functionName: string): Imports {
  const used = new Set(["Any", "overload"]);
  const local = (name: string) => (name === functionName ? `_${name}` : name);
  const from = (module: string, names: string[]) => {
    const parts = names.sort().map((name) => (local(name) === name ? name : `${name} as ${local(name)}`));
    return parts.length === 0 ? [] : [`from ${module} import ${parts.join(", ")}`];
  };
  return {
    use(name) {
      used.add(name);
      return local(name);
    },
    lines() {
      const builtins = [...used].filter((name) => BUILTINS.has(name) && local(name) !== name);
      const typing = [...used].filter((name) => !BUILTINS.has(name) && name !== "call_mcp_tool");
      return [
        "from __future__ import annotations",
        "",
        ...from("builtins", builtins),
        ...from("typing", typing),
        "",
        ...from(".._keyhole", ["call_mcp_tool"]),
      ];
    },
  };
}

/** The types of `**kwargs`, one for each shape the arguments can have. */
function keywordForms(inputName: string, type: TypeNode, context: PythonContext): string[] {
  const any = [context.use("Any")];
  if (type.kind === "object") return isTypedDict(type) ? [unpack(inputName, context)] : any;
  const objects = toObjects(type) ?? [];
  if (objects.length === 0 || objects.length > MAX_KEYWORD_FORMS || !objects.every(isTypedDict)) return any;
  return objects.map((object) => unpack(className(object, inputName, context), context));
}

function className(object: ObjectNode, hint: string, context: PythonContext): string {
  const known = context.classes.get(object);
  if (known !== undefined) return known;
  toPythonType(object, context, hint);
  return context.classes.get(object) ?? context.use("Any");
}

function unpack(name: string, context: PythonContext): string {
  return `${context.use("Unpack")}[${name}]`;
}

type FunctionParts = {
  readonly imports: Imports;
  readonly positional: string;
  readonly forms: readonly string[];
  readonly responseName: string;
  readonly input: TypeNode;
};

function functionLines(tool: ToolRecord, server: ServerRecord, parts: FunctionParts): string[] {
  const name = tool.identifiers.python;
  const { use } = parts.imports;
  const wire = toPythonString(`${server.name}__${tool.name}`);
  const overload = `@${use("overload")}`;
  const result = parts.responseName;
  return [
    "\n",
    overload,
    `async def ${name}(arguments: ${parts.positional}, /) -> ${result}: ...`,
    ...parts.forms.flatMap((form) => [overload, `async def ${name}(**kwargs: ${form}) -> ${result}: ...`]),
    `async def ${name}(arguments: ${use("Any")} = None, /, **kwargs: ${use("Any")}) -> ${result}:`,
    ...docstring(tool, parts.input),
    `    return await ${use("call_mcp_tool")}(${wire}, kwargs if arguments is None else arguments)`,
  ];
}

function docstring(tool: ToolRecord, input: TypeNode): string[] {
  const lines = toLines(tool.description || (tool.title ?? ""), MAX_DESCRIPTION);
  const args = toParameters(input).flatMap((property) => {
    const doc = toOneLine(property.doc, MAX_PARAMETER_DOC);
    return doc === "" ? [] : [`    ${toOneLine(property.name, 200)}: ${doc}`];
  });
  const note = toResponseNote(tool);
  const sections = [
    ...(lines.join("") === "" ? [] : [lines]),
    ...(args.length === 0 ? [] : [["Args:", ...args]]),
    [...(note === undefined ? [] : [note]), toAnnotationNote(tool)],
  ];
  const text = sections.flatMap((section, index) => (index === 0 ? section : ["", ...section]));
  const safe = text.map((line) => (line === "" ? "" : `    ${toDocstringLine(line)}`));
  const [first = "", ...rest] = safe;
  return [`    """${first.trimStart()}`, ...rest, '    """'];
}
