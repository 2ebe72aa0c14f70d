import type { ServerRecord, ToolRecord } from "../../../catalog/tool.ts";
import { isIdentifier } from "../../../codegen/print/identifiers.ts";
import { isReliable } from "../../../codegen/print/response-type.ts";
import {
  type CheckedTypes,
  type CheckedTypesOptions,
  toCheckedTypes,
} from "../../../codegen/typescript/checked-types.ts";
import { toTypeScriptString } from "../../../text/doc-text.ts";
import type { Aliases, References } from "./references.ts";
import { serverNamespace, serverType, typeNamespace } from "./type-namespace.ts";

/** Declares the servers and tools that a program mentions: a global for each server, and `callMCPTool`. */
export function toDeclarations(
  references: References,
  options: CheckedTypesOptions = HINTS,
  aliases: Aliases = NO_ALIASES,
): string {
  const lines: string[] = [];
  const byName: string[] = [];
  for (const [server, tools] of references) {
    if (!isIdentifier(server.identifiers.typescript)) continue;
    const usable = [...tools].filter((tool) => isIdentifier(tool.identifiers.typescript));
    lines.push(
      `declare namespace ${serverNamespace(server)} {`,
      ...usable.map((tool) => toTypes(tool, server, options)),
    );
    lines.push(
      "}",
      `interface ${serverType(server)} {`,
      ...usable.flatMap((tool) => toMethods(tool, server, options, aliases.tools.get(tool))),
      "}",
    );
    lines.push(`declare var ${server.identifiers.typescript}: ${serverType(server)};`);
    for (const alias of aliases.servers.get(server) ?? [])
      if (isIdentifier(alias)) lines.push(`declare var ${alias}: ${serverType(server)};`);
    for (const tool of usable) byName.push(...toEntries(tool, server, options, aliases.calls.get(tool)));
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
type $Input<N extends string> = N extends keyof $Calls ? $Calls[N]["input"] : [input?: any, options?: $CallOptions];
type $Output<N extends string> = N extends keyof $Calls ? $Calls[N]["output"] : any;
declare function callMCPTool<T = $Inferred, N extends string = string>(
  name: N & $Known<N>, ...input: $Input<N>): Promise<[T] extends [$Inferred] ? $Output<N> : T>;
`;

const NO_ALIASES: Aliases = { servers: new Map(), tools: new Map(), calls: new Map() };
const HINTS: CheckedTypesOptions = { useHints: true };

type Cached = { readonly input: unknown; readonly response: unknown; readonly types: CheckedTypes };
const withHints = new WeakMap<ToolRecord, Cached>();
const withoutHints = new WeakMap<ToolRecord, Cached>();

/** A tool's types. Of a record nothing changes but what is learned of its results, so they are made once for each of those. */
export function checkedTypes(
  tool: ToolRecord,
  server: ServerRecord,
  options: CheckedTypesOptions = HINTS,
): CheckedTypes {
  const isHinted = options.useHints || isReliable(tool);
  const cache = isHinted ? withHints : withoutHints;
  const response = isHinted ? (tool.outputSchema ?? tool.observed?.schema) : undefined;
  const known = cache.get(tool);
  const input = tool.inputSchema;
  if (known !== undefined && known.input === input && known.response === response) return known.types;
  const types = toCheckedTypes(tool, server, options);
  cache.set(tool, { input, response, types });
  return types;
}

/** The tools whose response types are no more than hints. */
export function hintedTools(references: References): { tool: ToolRecord; server: ServerRecord }[] {
  return [...references].flatMap(([server, tools]) =>
    [...tools]
      .filter((tool) => !isReliable(tool) && (tool.outputSchema ?? tool.observed) !== undefined)
      .map((tool) => ({ tool, server })),
  );
}

function toTypes(tool: ToolRecord, server: ServerRecord, options: CheckedTypesOptions): string {
  return `namespace ${tool.identifiers.typescript} {\n${checkedTypes(tool, server, options).declarations}\n}`;
}

function toMethods(
  tool: ToolRecord,
  server: ServerRecord,
  options: CheckedTypesOptions,
  aliases: Iterable<string> = [],
): string[] {
  const { parameter, result } = toSignature(tool, server, options);
  const names = [tool.identifiers.typescript, ...aliases].filter(isIdentifier);
  return names.map((name) => `${name}(${parameter}, options?: $CallOptions): Promise<${result}>;`);
}

function toEntries(
  tool: ToolRecord,
  server: ServerRecord,
  options: CheckedTypesOptions,
  aliases: Iterable<string> = [],
): string[] {
  const { parameter, result } = toSignature(tool, server, options);
  const names = [`${server.name}__${tool.name}`, ...aliases].map(toTypeScriptString);
  return names.map(
    (name) => `${name}: { input: [${parameter}, options?: $CallOptions]; output: ${result} };`,
  );
}

function toSignature(tool: ToolRecord, server: ServerRecord, options: CheckedTypesOptions) {
  const types = checkedTypes(tool, server, options);
  const namespace = typeNamespace(tool, server);
  return {
    parameter: `input${types.canOmitInput ? "?" : ""}: ${namespace}.${types.input}`,
    result: `${namespace}.${types.response}`,
  };
}
