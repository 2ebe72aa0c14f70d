import type { SyntaxNode } from "@lezer/common";
import { nameIndexOf } from "../../../catalog/name-index.ts";
import type { ToolRecord } from "../../../catalog/tool.ts";
import { parseInputSchema } from "../../../schema/parse-schema.ts";
import type { TypeNode } from "../../../schema/type-tree.ts";
import { didYouMean, nearNames } from "../../../text/did-you-mean.ts";
import { troubleOf } from "../../reading/unavailable.ts";
import { bareNode, type CallArguments, callArguments, type KeywordArgument } from "../syntax-nodes.ts";
import type { CheckedPython, NamedTool, PythonMistake } from "./check-python.ts";
import { findUnfit, type Unfit, type WrittenInput } from "./fit.ts";
import type { WrittenValue } from "./known-values.ts";

const MAX_NAME = 100;
/** More are not looked for. */
const MAX_MISTAKES = 100;

/** Calls of tools that there are not, and arguments that they do not take. */
export function findWrongCalls(
  program: CheckedPython,
  written: (node: SyntaxNode) => WrittenValue,
): PythonMistake[] {
  const { nodes, meanings, bindings } = program;
  const { of, textOf } = meanings;
  const found: PythonMistake[] = [];
  const inputs = new Map<ToolRecord, TypeNode>();
  /** Names that are used otherwise than to be given to a function. */
  const changed = new Set(
    bindings.reads.filter(({ parent }) => parent?.name !== "ArgList").map((read) => textOf(read)),
  );
  for (const node of nodes) {
    if (found.length >= MAX_MISTAKES) break;
    if (node.name === "MemberExpression") found.push(...unknownFunction(node, program));
    if (node.name !== "CallExpression" || !node.firstChild) continue;
    const called = of(node.firstChild);
    if (called?.kind === "tool") {
      const name = `${called.tool.identifiers.python}()`;
      found.push(...withTool(wrongArguments(node, called, name, callArguments(node)), called));
    }
    if (called?.kind === "call by name") found.push(...callByName(node));
  }
  return found;

  function inputOf(tool: ToolRecord): TypeNode {
    const type = inputs.get(tool) ?? parseInputSchema(tool.inputSchema).type;
    inputs.set(tool, type);
    return type;
  }

  /** Keywords, one dict, or both; beside a dict there may be options. */
  function wrongArguments(call: SyntaxNode, { tool }: NamedTool, name: string, args: CallArguments): Unfit[] {
    const { positional, keywords, hasMore, hasMoreKeywords } = args;
    if (tool.hasUnusableInput || hasMore) return [];
    const [first, second] = positional;
    const wrong = [first, second].find((given) => given !== undefined && isNoDict(written(given)));
    const hint = wrong === undefined ? "" : byKeywords(inputOf(tool));
    if (wrong) return [{ node: wrong, message: `${name} takes keyword arguments or one dict`, hint }];
    const dict = first && toInput(first);
    if (first && !dict) return [];
    const named = keywords
      .map((one) => ({ key: textOf(one.name), at: one.name, value: one.value }))
      .filter(({ key }) => first === undefined || key !== "timeout_ms");
    const input: WrittenInput = {
      node: first ?? call,
      entries: [...(dict?.entries ?? []), ...named],
      hasMore: hasMoreKeywords || dict?.hasMore === true,
    };
    return findUnfit(input, inputOf(tool), name, { written });
  }

  /** A dict that was given a name may have been changed since. */
  function toInput(node: SyntaxNode): WrittenInput | undefined {
    const value = written(node);
    if (value.kind === "none") return { node, entries: [], hasMore: false };
    if (value.kind !== "dict") return undefined;
    if (value.entries) return { node, entries: value.entries, hasMore: value.hasMore };
    const bare = bareNode(node);
    if (bare.name !== "VariableName") return undefined;
    const source = changed.has(textOf(bare)) ? undefined : meanings.constantOf(bare);
    const whole = source && written(source);
    return whole?.kind === "dict" && whole.entries
      ? { node, entries: whole.entries, hasMore: whole.hasMore }
      : undefined;
  }

  /** `call_mcp_tool("github__create_issue", {…})` */
  function callByName(call: SyntaxNode): PythonMistake[] {
    const { positional, keywords, ...rest } = callArguments(call);
    const keyword = (name: string) => keywords.find((one) => textOf(one.name) === name)?.value;
    const name = positional[0] ?? keyword("name");
    const value = name && written(name);
    if (!name || value?.kind !== "text" || value.text === undefined) return [];
    const index = nameIndexOf(program.servers);
    const meant = index.tool(value.text);
    if (meant.kind === "many") return [];
    if (meant.kind === "none") {
      const second = positional[1] && written(positional[1]);
      const tool = second?.kind === "text" ? second.text : undefined;
      const server = index.server(value.text);
      if (server.kind !== "one" || tool === undefined) return [unknownTool(name, value.text, program)];
      const whole = shorten(`${server.value.name}__${tool}`);
      const hint = `Write call_mcp_tool("${whole}", {…})`;
      return [{ node: name, message: "call_mcp_tool takes the server and the tool as one name", hint }];
    }
    // What else it may be given is its own, where it is that: a tool's argument may have the name.
    const isOwn = ({ name: own, value: kept }: KeywordArgument) => {
      const word = textOf(own);
      if (word === "timeout_ms") return true;
      if (word === "name") return positional.length === 0;
      return (word === "args" || word === "arguments") && !isNoDict(written(kept));
    };
    const given =
      positional[1] ?? keywords.find((one) => isOwn(one) && textOf(one.name).startsWith("arg"))?.value;
    const args = {
      ...rest,
      positional: [...(given ? [given] : []), ...positional.slice(2)],
      keywords: keywords.filter((one) => !isOwn(one)),
    };
    return withTool(
      wrongArguments(call, meant.value, `${meant.value.tool.identifiers.python}()`, args),
      meant.value,
    );
  }
}

function isNoDict({ kind }: WrittenValue): boolean {
  return kind === "text" || kind === "number" || kind === "boolean" || kind === "list";
}

function withTool(found: readonly Unfit[], { server, tool }: NamedTool): PythonMistake[] {
  return found.map((one) => ({ ...one, tool: { server, tool } }));
}

function byKeywords(type: TypeNode): string {
  const names = type.kind === "object" ? type.properties.map(({ name }) => name) : [];
  const [first = "name"] = names;
  return `Name each argument: ${first}=…`;
}

/** What a server does not have. */
function unknownFunction(node: SyntaxNode, { meanings }: CheckedPython): PythonMistake[] {
  const meant = meanings.of(node);
  // What is taken of it is told of once.
  if (meant?.kind !== "no tool" || bareNode(node) !== node) return [];
  const { server, name } = meant;
  const names = server.tools.map((tool) => tool.identifiers.python);
  const [nearest] = nearNames(name, names);
  const tool = server.tools.find((one) => one.identifiers.python === nearest);
  return [
    {
      node: node.lastChild ?? node,
      message: `'${shorten(name)}' does not exist on server '${server.identifiers.python}'`,
      hint: didYouMean(name, names) ?? 'Find its functions with search_tools("…")',
      ...(tool && { tool: { server, tool } }),
    },
  ];
}

function unknownTool(node: SyntaxNode, name: string, { servers, unavailable }: CheckedPython): PythonMistake {
  const [server = ""] = name.replace(/^mcp__/, "").split(/__|\./);
  const trouble = troubleOf(server, unavailable);
  if (trouble !== undefined) return { node, message: trouble };
  const hint = didYouMean(
    name,
    servers.flatMap((one) => one.tools.map((tool) => `${one.name}__${tool.name}`)),
  );
  return { node, message: `There is no tool '${shorten(name)}'`, ...(hint !== undefined && { hint }) };
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
