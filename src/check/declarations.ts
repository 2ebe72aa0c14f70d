import type { ServerRecord, ToolRecord } from "../catalog/tool.ts";
import { type CheckedTypes, toCheckedTypes } from "../codegen/print/checked-types.ts";
import { toTypeScriptString } from "../codegen/print/doc-text.ts";
import { isIdentifier } from "../codegen/print/identifiers.ts";
import type { References } from "./references.ts";
import { serverNamespace, serverType, typeNamespace } from "./type-namespace.ts";

/** Declares the servers and tools that a program mentions: a global for each server, and `callMCPTool`. */
export function toDeclarations(references: References): string {
  const lines: string[] = [];
  const byName: string[] = [];
  for (const [server, tools] of references) {
    if (!isIdentifier(server.identifier)) continue;
    const usable = [...tools].filter((tool) => isIdentifier(tool.identifiers.typescript));
    lines.push(
      `declare namespace ${serverNamespace(server)} {`,
      ...usable.map((tool) => toTypes(tool, server)),
    );
    lines.push(
      "}",
      `interface ${serverType(server)} {`,
      ...usable.map((tool) => toMethod(tool, server)),
      "}",
    );
    lines.push(`declare var ${server.identifier}: ${serverType(server)};`);
    for (const tool of usable) byName.push(toEntry(tool, server));
  }
  return `${lines.join("\n")}\ninterface $Calls {\n${byName.join("\n")}\n}\n${CALL}`;
}

/**
 * A name written out must be a tool's, and its arguments are that tool's; a name that is only known when the program
 * runs takes anything. With a type argument, as the generated files call it, the program says what it gets.
 */
const CALL = `
declare class $Inferred { #inferred }
type $Known<N extends string> = N extends keyof $Calls ? N : {} extends Record<N, 1> ? string : keyof $Calls;
type $Input<N extends string> = N extends keyof $Calls ? $Calls[N]["input"] : [input?: any];
type $Output<N extends string> = N extends keyof $Calls ? $Calls[N]["output"] : any;
declare function callMCPTool<T = $Inferred, N extends string = string>(
  name: N & $Known<N>, ...input: $Input<N>): Promise<[T] extends [$Inferred] ? $Output<N> : T>;
`;

const cache = new WeakMap<ToolRecord, CheckedTypes>();

/** A tool's types; a record is never changed, so they are made once. */
export function checkedTypes(tool: ToolRecord, server: ServerRecord): CheckedTypes {
  const known = cache.get(tool);
  if (known !== undefined) return known;
  const types = toCheckedTypes(tool, server);
  cache.set(tool, types);
  return types;
}

function toTypes(tool: ToolRecord, server: ServerRecord): string {
  return `namespace ${tool.identifiers.typescript} {\n${checkedTypes(tool, server).declarations}\n}`;
}

function toMethod(tool: ToolRecord, server: ServerRecord): string {
  const { parameter, result } = toSignature(tool, server);
  return `${tool.identifiers.typescript}(${parameter}): Promise<${result}>;`;
}

function toEntry(tool: ToolRecord, server: ServerRecord): string {
  const { parameter, result } = toSignature(tool, server);
  return `${toTypeScriptString(`${server.name}__${tool.name}`)}: { input: [${parameter}]; output: ${result} };`;
}

function toSignature(tool: ToolRecord, server: ServerRecord) {
  const types = checkedTypes(tool, server);
  const namespace = typeNamespace(tool, server);
  return {
    parameter: `input${types.canOmitInput ? "?" : ""}: ${namespace}.${types.input}`,
    result: `${namespace}.${types.response}`,
  };
}
