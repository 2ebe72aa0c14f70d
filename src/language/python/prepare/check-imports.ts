import type { SyntaxNode } from "@lezer/common";
import { findTool, nameIndexOf } from "../../../catalog/name-index.ts";
import type { ServerRecord } from "../../../catalog/tool.ts";
import { couldMean, didYouMean } from "../../../text/did-you-mean.ts";
import { type ProgramFailure, toFailure } from "../../failure.ts";
import { troubleOf, type Unavailable } from "../../reading/unavailable.ts";
import type { PythonBindings } from "../check/bindings.ts";
import { SERVERS_PACKAGE } from "../check/meanings.ts";
import { ANY_PACKAGE, MISSING_MODULES } from "../explain/absent-modules.ts";
import { isStandardModule } from "../standard-library.ts";
import { nodeAround } from "../syntax-nodes.ts";

const TRIED = new Set(["TryStatement"]);
const MAX_LISTED = 20;
const MAX_NAME = 80;
/** What the package has besides the servers, as generated files do. */
const OWN = new Set(["_keyhole", "ToolError"]);
/** What programs have beside the library. */
const OWN_MODULES = new Set(["keyhole", "skills", "js", "pyodide", "pyodide_js"]);
/** Whoever changes where modules are found knows what is there. */
const FINDS_ELSEWHERE = /\b(?:sys|importlib|runpy|pkgutil|zipimport|site)\b/;

export type ImportsInput = {
  readonly source: string;
  readonly text: string;
  readonly servers: readonly ServerRecord[];
  readonly unavailable: Unavailable;
};

/** The first import of what there is not, from `servers` or at all. Who tries, and has another way, is left alone. */
export function findWrongImport(
  { imports }: PythonBindings,
  { source, text, servers, unavailable }: ImportsInput,
): ProgramFailure | undefined {
  const index = nameIndexOf(servers);
  for (const { node, module, names = [] } of imports) {
    const [root, spelling, ...rest] = module.split(".");
    if (nodeAround(node, TRIED)) continue;
    const wrong =
      root !== SERVERS_PACKAGE
        ? noModule(node, module, names)
        : spelling === undefined
          ? firstOf(names, (name) => noServer(name))
          : ofServer(node, spelling, rest, names);
    if (wrong) return toFailure("import", wrong.message, source, wrong.node.from, wrong.hint);
  }
  return undefined;

  /** Later would be after what the program has done by then. */
  function noModule(node: SyntaxNode, module: string, names: readonly SyntaxNode[]): WrongImport | undefined {
    const [root = ""] = module.split(".");
    const instead = MISSING_MODULES.get(root);
    const message = `Cannot import "${shorten(module)}"`;
    if (instead !== undefined) return { node, message: `${message}: ${instead}` };
    if (root === "" || isStandardModule(root) || OWN_MODULES.has(root) || FINDS_ELSEWHERE.test(text))
      return undefined;
    const meant = index.server(module.split(".").at(-1) ?? "");
    if (meant.kind !== "one")
      return { node, message: `There is no module "${shorten(module)}": ${ANY_PACKAGE}` };
    const name = meant.value.identifiers.python;
    const [first] = names;
    const hint =
      first === undefined
        ? `Leave it out: ${name} is there by itself`
        : `Write from ${SERVERS_PACKAGE}.${name} import ${textOf(first)}`;
    return { node, message: `There is no module "${shorten(module)}"`, hint };
  }

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
