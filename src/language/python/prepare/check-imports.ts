import type { SyntaxNode } from "@lezer/common";
import { findTool, nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import { couldMean, didYouMean } from "../../../text/did-you-mean.ts";
import { type ProgramFailure, toFailure } from "../../failure.ts";
import { troubleOf, type Unavailable } from "../../reading/unavailable.ts";
import type { PythonBindings } from "../check/bindings.ts";
import { SERVERS_PACKAGE } from "../check/meanings.ts";
import { nodeAround } from "../syntax-nodes.ts";

const TRIED = new Set(["TryStatement"]);
const MAX_LISTED = 20;
const MAX_NAME = 80;
/** What the package has besides the servers, as generated files do. */
const OWN = new Set(["_keyhole", "ToolError"]);

export type ImportsInput = {
  readonly source: string;
  readonly text: string;
  readonly servers: readonly ServerRecord[];
  readonly unavailable: Unavailable;
};

/** The first import from `servers` of what there is not. Who tries, and has another way, is left alone. */
export function findWrongImport(
  { imports }: PythonBindings,
  { source, text, servers, unavailable }: ImportsInput,
): ProgramFailure | undefined {
  const index = nameIndexOf(servers);
  for (const { node, module, names = [] } of imports) {
    const [root, spelling, ...rest] = module.split(".");
    if (root !== SERVERS_PACKAGE || nodeAround(node, TRIED)) continue;
    const wrong =
      spelling === undefined
        ? firstOf(names, (name) => noServer(name))
        : ofServer(node, spelling, rest, names);
    if (wrong) return toFailure("import", wrong.message, source, wrong.node.from, wrong.hint);
  }
  return undefined;

  function ofServer(
    node: SyntaxNode,
    spelling: string,
    rest: readonly string[],
    names: readonly SyntaxNode[],
  ) {
    const wrong = noServer(node, spelling);
    const meant = index.server(spelling);
    if (wrong || meant.kind !== "one") return wrong;
    const [tool] = rest;
    if (tool !== undefined) return rest.length === 1 ? noTool(node, tool, meant.value) : undefined;
    return firstOf(names, (name) => noTool(name, textOf(name), meant.value));
  }

  function noServer(node: SyntaxNode, spelling = textOf(node)): WrongImport | undefined {
    const meant = index.server(spelling);
    if (meant.kind === "one" || OWN.has(spelling) || spelling === "*") return undefined;
    const trouble = troubleOf(spelling, unavailable);
    if (trouble !== undefined) return { node, message: trouble };
    const message = `There is no server "${shorten(spelling)}"`;
    const known = servers.map(({ identifiers }) => identifiers.python);
    const all = `Servers: ${known.slice(0, MAX_LISTED).join(", ")}${known.length > MAX_LISTED ? ", …" : ""}`;
    const hint =
      meant.kind === "many"
        ? couldMean(meant.values.map(({ identifiers }) => identifiers.python))
        : (didYouMean(spelling, known) ?? all);
    return { node, message, hint };
  }

  function noTool(node: SyntaxNode, name: string, server: ServerRecord): WrongImport | undefined {
    const meant = findTool(server, name);
    // Types begin with a capital.
    if (meant.kind === "one" || name === "*" || /^_|^[A-Z]/.test(name)) return undefined;
    const known = server.tools.map(({ identifiers }) => identifiers.python);
    const hint =
      meant.kind === "many"
        ? couldMean(meant.values.map(({ identifiers }) => identifiers.python))
        : (didYouMean(name, known) ?? 'Find its functions with search_tools("…")');
    return { node, message: `Server "${server.name}" has no "${shorten(name)}"`, hint };
  }

  function textOf({ from, to }: SyntaxNode): string {
    return text.slice(from, to);
  }
}

type WrongImport = { readonly node: SyntaxNode; readonly message: string; readonly hint?: string };

function firstOf(
  nodes: readonly SyntaxNode[],
  look: (node: SyntaxNode) => WrongImport | undefined,
): WrongImport | undefined {
  for (const node of nodes) {
    const wrong = look(node);
    if (wrong) return wrong;
  }
  return undefined;
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
