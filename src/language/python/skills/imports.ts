import type { SyntaxNode } from "@lezer/common";
import type { PythonBindings } from "../check/bindings.ts";
import { readString } from "../facts/read-string.ts";
import type { ParsedPython } from "../parse-python.ts";
import { everyNode, nodeAround, propertyName } from "../syntax-nodes.ts";
import { fromPythonName, SKILLS_PACKAGE } from "./module-names.ts";

/** Where a text imports a skill. */
export type SkillImport = {
  readonly node: SyntaxNode;
  /** As skills are named, whichever way it is spelled. */
  readonly skill: string;
  /** Of `from skills.a_b import c, d`: what is taken of it, `*` among them. */
  readonly names: readonly SyntaxNode[];
  /** `tried`: who tries has another way. `quoted`: it may be a name that is imported, or any text. Both are their own affair. */
  readonly way: "plain" | "tried" | "quoted";
};

/** An import of skills that can't be meant. */
export type OddImport = { readonly node: SyntaxNode; readonly message: string; readonly hint: string };

export type SkillImports = { readonly found: readonly SkillImport[]; readonly odd: readonly OddImport[] };

const TRIED = new Set(["TryStatement"]);
const QUOTED = /^skills\.(\w{1,100})$/u;

/** @param self the skill whose module the text is: in one, `from ..other import f` is another skill */
export function findSkillImports(
  { text, tree }: ParsedPython,
  { imports, of, reads }: PythonBindings,
  self?: string,
): SkillImports {
  const found: SkillImport[] = [];
  const odd: OddImport[] = [];
  if (self === undefined && !text.normalize("NFKC").includes(SKILLS_PACKAGE)) return { found, odd };
  for (const { node, module, names } of imports) {
    const path = toPath(module, self !== undefined);
    if (path === undefined) continue;
    if (path.length > 1) odd.push({ node, ...SUBMODULE });
    else if (path[0] !== undefined) add(node, path[0], names ?? []);
    else for (const name of names ?? []) take(name);
  }
  // `import skills`, then `skills.a_b.f()`.
  for (const read of reads) {
    const property = read.parent?.name === "MemberExpression" && isFirst(read) && propertyName(read.parent);
    const isPackage = of(textOf(read)).some(
      (one) => one.kind === "import" && one.name === undefined && one.module === SKILLS_PACKAGE,
    );
    if (property && isPackage && !textOf(property).startsWith("__")) add(property, textOf(property), []);
  }
  // `importlib.import_module("skills.a_b")`
  for (const node of text.includes("skills.") ? everyNode(tree) : []) {
    const [, quoted] = node.name === "String" ? (QUOTED.exec(readString(textOf(node)).text) ?? []) : [];
    if (quoted !== undefined) found.push({ node, skill: fromPythonName(quoted), names: [], way: "quoted" });
  }
  return { found, odd };

  function textOf({ from, to }: SyntaxNode): string {
    return text.slice(from, to).normalize("NFKC");
  }

  function take(name: SyntaxNode): void {
    if (name.name === "*") odd.push({ node: name, ...STAR });
    else add(name, textOf(name), []);
  }

  function add(node: SyntaxNode, spelling: string, names: readonly SyntaxNode[]): void {
    const way = nodeAround(node, TRIED) === undefined ? "plain" : "tried";
    found.push({ node, skill: fromPythonName(spelling), names, way });
  }
}

const SUBMODULE = { message: "A skill is one file", hint: "Write from skills.name import …" };
const STAR = {
  message: "All skills can't be imported at once",
  hint: "Name those that are used: from skills.name import …",
};

/** What of which skill an import gives a name, where it is one. Without a name: the skill itself. */
export function toImported(
  { module, name }: { readonly module: string; readonly name?: string },
  isSkill: boolean,
): { readonly skill: string; readonly name?: string } | undefined {
  const path = toPath(module, isSkill);
  if (path === undefined) return undefined;
  const [skill, ...rest] = path;
  if (skill === undefined) return name === undefined ? undefined : { skill: fromPythonName(name) };
  return rest.length > 0 ? undefined : { skill: fromPythonName(skill), ...(name !== undefined && { name }) };
}

/** What comes after `skills.`; nothing where it is another package. */
function toPath(module: string, isSkill: boolean): readonly string[] | undefined {
  const [dots = "", rest = ""] = [/^\.*/.exec(module)?.[0], module.replace(/^\.+/, "")];
  const parts = rest.split(".").filter((part) => part !== "");
  if (dots === "") return parts[0] === SKILLS_PACKAGE ? parts.slice(1) : undefined;
  // `from .other import f` is a mistake that is meant as `from ..other import f`.
  return isSkill ? parts : undefined;
}

function isFirst(node: SyntaxNode): boolean {
  return node.parent?.firstChild?.from === node.from;
}
