import type { SyntaxNode } from "@lezer/common";
import { nameIndexOf } from "../../../catalog/name-index.ts";
import { couldMean, didYouMean } from "../../../text/did-you-mean.ts";
import { troubleOf } from "../../reading/unavailable.ts";
import { PYTHON_BUILTINS, PYTHON_GLOBALS } from "../builtins.ts";
import { insteadOfPythonName } from "../explain/absent-names.ts";
import { toImported } from "../skills/imports.ts";
import { nodeAround } from "../syntax-nodes.ts";
import type { CheckedPython, PythonMistake } from "./check-python.ts";
import { SERVERS_PACKAGE } from "./meanings.ts";

const MAX_NAME = 100;
const MAX_LISTED = 20;
/** Of one program. Each is compared with all that there is. */
const MAX_UNKNOWN = 20;
/** With these a program can give itself any name, or reckons with one that is not there. */
const OPENING = new Set(
  "exec eval globals locals vars setattr compile __builtins__ builtins importlib __import__ NameError".split(
    " ",
  ),
);
/** Here a name need not be there when it is written. */
const NOT_READ = new Set(["TypeDef", "TypeParamList", "TypeDefinition", "ImportStatement"]);

/** Names that nothing gives a value: the program would fail when it comes to them, with half of its work done. */
export function findUnknownNames(program: CheckedPython): PythonMistake[] {
  const { bindings, meanings, servers, unavailable } = program;
  const { textOf } = meanings;
  const isOpen =
    bindings.reads.some((node) => OPENING.has(textOf(node))) ||
    bindings.imports.some(
      ({ module, names }) =>
        OPENING.has(module) || (names?.some(({ name }) => name === "*") && isOpenStar(module, program)),
    );
  if (isOpen) return [];
  const index = nameIndexOf(servers);
  const starred = findStarred(program);
  const said = new Set<string>();
  return bindings.reads.flatMap((node): PythonMistake[] => {
    const name = textOf(node);
    if (PYTHON_BUILTINS.has(name) || PYTHON_GLOBALS.has(name) || bindings.names.has(name)) return [];
    if (/^__\w+__$/.test(name) || starred.has(name) || said.has(name) || said.size >= MAX_UNKNOWN) return [];
    if (isKeyword(node) || nodeAround(node, NOT_READ)) return [];
    const meant = index.server(name);
    if (meant.kind === "one") return [];
    said.add(name);
    const trouble = troubleOf(name, unavailable);
    if (trouble !== undefined) return [{ node, message: trouble }];
    const candidates = meant.kind === "many" ? meant.values.map(({ identifiers }) => identifiers.python) : [];
    const hint = candidates.length > 0 ? couldMean(candidates) : toHint(node, name, program);
    return [{ node, message: `Cannot find name '${shorten(name)}'`, ...(hint !== undefined && { hint }) }];
  });
}

/** `title` of `f(title=1)` */
function isKeyword(node: SyntaxNode): boolean {
  return node.parent?.name === "ArgList" && node.nextSibling?.name === "AssignOp";
}

/** Whether what it brings can't be read off anything. */
function isOpenStar(module: string, { skillOf }: CheckedPython): boolean {
  if (module.split(".")[0] === SERVERS_PACKAGE) return false;
  const meant = toImported({ module, name: "*" }, true);
  const skill = meant?.name === undefined ? undefined : skillOf(meant.skill);
  return skill === undefined || skill.isOpen;
}

/** What `from servers.github import *` and `from skills.open_issues import *` bring. */
function findStarred({ bindings, servers, skillOf }: CheckedPython): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { module, names: imported } of bindings.imports) {
    if (!imported?.some(({ name }) => name === "*")) continue;
    const meant = toImported({ module, name: "*" }, true);
    if (meant?.name !== undefined) for (const name of skillOf(meant.skill)?.starred ?? []) names.add(name);
    const [, spelling] = module.split(".");
    const server = spelling === undefined ? undefined : nameIndexOf(servers).server(spelling);
    const records = server?.kind === "one" ? [server.value] : spelling === undefined ? servers : [];
    for (const { identifiers, tools } of records) {
      names.add(identifiers.python);
      for (const tool of tools) names.add(tool.identifiers.python);
    }
  }
  return names;
}

function toHint(node: SyntaxNode, name: string, { servers, bindings }: CheckedPython): string | undefined {
  const owner = servers.find((server) => server.tools.some((tool) => tool.identifiers.python === name));
  const isOwner = node.parent?.name === "MemberExpression" && node.parent.firstChild?.from === node.from;
  return (
    insteadOfKey(node, name) ??
    insteadOfPythonName(name) ??
    (owner === undefined
      ? undefined
      : `Use ${owner.identifiers.python}.${name}, or from servers.${owner.identifiers.python} import ${name}`) ??
    didYouMean(name, [...bindings.names].slice(0, 2_000)) ??
    didYouMean(
      name,
      servers.map(({ identifiers }) => identifiers.python),
    ) ??
    (isOwner ? toServerList(servers.map(({ identifiers }) => identifiers.python)) : undefined)
  );
}

/** `{name: 1}`, as JavaScript has it. */
function insteadOfKey(node: SyntaxNode, name: string): string | undefined {
  const isKey = node.parent?.name === "DictionaryExpression" && node.nextSibling?.name === ":";
  return isKey ? `A key that is a text stands in quotes: {"${shorten(name)}": …}` : undefined;
}

function toServerList(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, MAX_LISTED).join(", ");
  return `Each server is a global: ${shown}${names.length > MAX_LISTED ? ", …" : ""}`;
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
