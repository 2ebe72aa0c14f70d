import type { SyntaxNode } from "@lezer/common";
import { findTool, nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord, ToolRecord } from "../../../catalog/tool.ts";
import { toResponseType } from "../../../codegen/print/response-type.ts";
import type { TypeNode } from "../../../schema/type-tree.ts";
import { PYTHON_BUILTINS } from "../builtins.ts";
import { readString } from "../facts/read-string.ts";
import { toImported } from "../skills/imports.ts";
import { SKILLS_PACKAGE } from "../skills/module-names.ts";
import { mayHave, moduleFunction, type PythonModule } from "../skills/python-module.ts";
import { bareNode, callArguments, indexNode, propertyName } from "../syntax-nodes.ts";
import type { PythonBinding, PythonBindings } from "./bindings.ts";
import { elementType, memberTypes } from "./result-types.ts";

/** What an expression stands for, where only one thing is possible. */
export type PythonMeaning =
  /** The package that has the servers. */
  | { readonly kind: "servers" }
  | { readonly kind: "server"; readonly server: ServerRecord }
  | { readonly kind: "tool"; readonly server: ServerRecord; readonly tool: ToolRecord }
  /** What a server does not have, by its name. */
  | { readonly kind: "no tool"; readonly server: ServerRecord; readonly name: string }
  | { readonly kind: "call by name" }
  /** The package that has the skills. */
  | { readonly kind: "skills" }
  | { readonly kind: "skill"; readonly skill: PythonModule }
  | { readonly kind: "skill function"; readonly skill: PythonModule; readonly definition: SyntaxNode }
  /** What a skill does not have, by its name. */
  | { readonly kind: "no export"; readonly skill: PythonModule; readonly name: string }
  | ResultMeaning;

/** What a tool returns, or a part of it. */
export type ResultMeaning = {
  readonly kind: "result";
  readonly server: ServerRecord;
  readonly tool: ToolRecord;
  readonly type: TypeNode;
};

export type PythonMeanings = {
  of(node: SyntaxNode): PythonMeaning | undefined;
  /** What stands for a name that is bound once, by a plain assignment. */
  constantOf(name: SyntaxNode): SyntaxNode | undefined;
  textOf(node: SyntaxNode): string;
};

export type MeaningsInput = {
  readonly text: string;
  readonly servers: readonly ServerRecord[];
  readonly bindings: PythonBindings;
  /** Those that it imports, and what these import, by any spelling. */
  skillOf(spelling: string): PythonModule | undefined;
};

const MAX_STEPS = 40;
const MAX_HANDED_ON = 20;
export const SERVERS_PACKAGE = "servers";
export const CALL_BY_NAME = "call_mcp_tool";

export function createMeanings({ text, servers, bindings, skillOf }: MeaningsInput): PythonMeanings {
  const index = nameIndexOf(servers);
  const known = new Map<number, PythonMeaning | undefined>();
  const results = new Map<ToolRecord, TypeNode>();
  let steps = 0;

  return { of, constantOf, textOf };

  function textOf({ from, to }: SyntaxNode): string {
    return text.slice(from, to).normalize("NFKC");
  }

  function of(node: SyntaxNode): PythonMeaning | undefined {
    const bare = bareNode(node);
    const key = bare.from * 2 ** 21 + (bare.to - bare.from);
    if (known.has(key)) return known.get(key);
    if (steps >= MAX_STEPS) return undefined;
    steps++;
    // What is asked for within itself is not known.
    known.set(key, undefined);
    const meaning = find(bare);
    steps--;
    known.set(key, meaning);
    return meaning;
  }

  function find(node: SyntaxNode): PythonMeaning | undefined {
    if (node.name === "VariableName") return ofName(textOf(node));
    if (node.name === "MemberExpression") return ofMember(node);
    if (node.name === "CallExpression") return ofCall(node);
    return undefined;
  }

  function ofName(name: string): PythonMeaning | undefined {
    const [first, ...others] = bindings.of(name);
    if (first === undefined) return ofGlobal(name);
    if (others.some((other) => !isSame(first, other))) return undefined;
    if (first.kind === "import") return ofImport(first.module, first.name);
    if (first.kind === "value") return of(first.node);
    if (first.kind === "each") return toElement(of(first.node));
    return undefined;
  }

  function ofGlobal(name: string): PythonMeaning | undefined {
    if (name === CALL_BY_NAME) return { kind: "call by name" };
    return PYTHON_BUILTINS.has(name) ? undefined : toServer(name);
  }

  function toServer(spelling: string): PythonMeaning | undefined {
    const meant = index.server(spelling);
    return meant.kind === "one" ? { kind: "server", server: meant.value } : undefined;
  }

  function ofImport(module: string, name: string | undefined): PythonMeaning | undefined {
    const [root, ...rest] = module.split(".");
    if (root !== SERVERS_PACKAGE && root !== SKILLS_PACKAGE) return undefined;
    let meaning: PythonMeaning | undefined = { kind: root };
    for (const part of name === undefined ? rest : [...rest, name]) meaning = take(meaning, part);
    return meaning;
  }

  function take(from: PythonMeaning | undefined, name: string): PythonMeaning | undefined {
    if (from?.kind === "servers") return toServer(name);
    if (from?.kind === "skills") return toSkill(skillOf(name));
    if (from?.kind === "skill") return toExport(from.skill, name, skillOf);
    // `from servers.github.create_issue import create_issue`
    if (from?.kind === "tool") return findTool(from.server, name).kind === "one" ? from : undefined;
    // What begins with a capital is a type.
    if (from?.kind !== "server" || /^[_A-Z]/.test(name)) return undefined;
    const tool = findTool(from.server, name);
    if (tool.kind === "one") return { ...from, kind: "tool", tool: tool.value };
    return tool.kind === "none" ? { ...from, kind: "no tool", name } : undefined;
  }

  function ofMember(node: SyntaxNode): PythonMeaning | undefined {
    const object = node.firstChild;
    const from = object ? of(object) : undefined;
    if (from === undefined) return undefined;
    const property = propertyName(node);
    const key = indexNode(node);
    const name = property
      ? textOf(property)
      : key?.name === "String"
        ? readString(textOf(key)).text
        : undefined;
    if (from.kind !== "result") return name === undefined ? undefined : take(from, name);
    if (name !== undefined) return toPart(from, memberTypes(from.type, name));
    return key?.name === "Number" ? toElement(from) : undefined;
  }

  /** `f(…)` of a tool; `r.get("key")` of what it gave. */
  function ofCall(node: SyntaxNode): PythonMeaning | undefined {
    const callee = node.firstChild;
    const called = callee ? of(callee) : undefined;
    if (called?.kind === "tool") return toResult(called.server, called.tool);
    const { positional, keywords } = callArguments(node);
    const [first] = positional;
    if (called?.kind === "call by name") {
      const name = first ?? keywords.find((one) => textOf(one.name) === "name")?.value;
      const meant = name?.name === "String" ? index.tool(readString(textOf(name)).text) : undefined;
      return meant?.kind === "one" ? toResult(meant.value.server, meant.value.tool) : undefined;
    }
    const object = callee?.name === "MemberExpression" ? callee.firstChild : undefined;
    const method = callee && propertyName(callee);
    if (!object || !method || textOf(method) !== "get" || first?.name !== "String") return undefined;
    const from = of(object);
    return from?.kind === "result"
      ? toPart(from, memberTypes(from.type, readString(textOf(first)).text))
      : undefined;
  }

  function toResult(server: ServerRecord, tool: ToolRecord): ResultMeaning {
    const type = results.get(tool) ?? toResponseType(tool).type;
    results.set(tool, type);
    return { kind: "result", server, tool, type };
  }

  function toElement(list: PythonMeaning | undefined): PythonMeaning | undefined {
    return list?.kind === "result" ? toPart(list, elementType(list.type)) : undefined;
  }

  function toPart(from: ResultMeaning, type: TypeNode | undefined): ResultMeaning | undefined {
    return type === undefined ? undefined : { ...from, type };
  }

  function constantOf(name: SyntaxNode): SyntaxNode | undefined {
    const [only, ...others] = bindings.of(textOf(name));
    return only?.kind === "value" && others.length === 0 ? bareNode(only.node) : undefined;
  }
}

function toSkill(skill: PythonModule | undefined): PythonMeaning | undefined {
  return skill && { kind: "skill", skill };
}

/** What a skill has under a name; what it has from another one is that one's. */
function toExport(
  skill: PythonModule,
  name: string,
  skillOf: MeaningsInput["skillOf"],
  depth = 0,
): PythonMeaning | undefined {
  const definition = moduleFunction(skill, name);
  if (definition) return { kind: "skill function", skill, definition };
  const [only, ...others] = skill.own.of(name);
  if (only === undefined) return mayHave(skill, name) ? undefined : { kind: "no export", skill, name };
  const from = only.kind === "import" && others.length === 0 ? toImported(only, true) : undefined;
  const owner = from?.skill === undefined ? undefined : skillOf(from.skill);
  if (owner === undefined || depth > MAX_HANDED_ON) return undefined;
  return from?.name === undefined ? toSkill(owner) : toExport(owner, from.name, skillOf, depth + 1);
}

function isSame(a: PythonBinding, b: PythonBinding): boolean {
  return a.kind === "import" && b.kind === "import" && a.module === b.module && a.name === b.name;
}
