import type { SyntaxNode } from "@lezer/common";
import type { FunctionNode, ImportEntry, Node } from "../../facts/program-tree.ts";
import type { Imported } from "./to-tree.ts";
import type { createExpressions } from "./tree-expressions.ts";
import { type Conversion, isPunctuation, kids, onlyOne, other, set, split } from "./tree-parts.ts";

type Expressions = Pick<ReturnType<typeof createExpressions>, "args" | "tuple">;

/** What gives names. */
export function createStatements(
  { textOf, nameOf, to, all }: Conversion,
  { args, tuple }: Expressions,
  { namesIn, skillIn }: Pick<Imported, "namesIn" | "skillIn">,
) {
  return { func, klass, assign, forLoop, named, imports };

  function func(node: SyntaxNode): FunctionNode {
    const name = node.name === "FunctionDefinition" ? node.getChild("VariableName") : null;
    const params = node.getChild("ParamList");
    const body = node.getChild("Body");
    const last = node.lastChild;
    const given = params ? split(kids(params), ",") : [];
    const around = [...all(typesOf(node)), ...(params ? all(typesOf(params)) : []), ...all(shadowed(given))];
    return {
      kind: "function",
      at: node.from,
      ...(name && { name: { kind: "name", at: name.from, name: nameOf(name) } }),
      ...(around.length > 0 && { around }),
      params: given.flatMap(param),
      body: body ? all(kids(body)) : last ? [to(last)] : [],
    };
  }

  /** Annotations, and what is said of type parameters. */
  function typesOf(node: SyntaxNode): SyntaxNode[] {
    return kids(node).filter(({ name }) => name === "TypeDef" || name === "TypeParamList");
  }

  /** Defaults by which something outside is meant, and not the parameter of that name: `def f(a=a)`. */
  function shadowed(parts: readonly (readonly SyntaxNode[])[]): SyntaxNode[] {
    const names = new Set(
      parts.flatMap((part) =>
        part
          .filter(({ name }) => name === "VariableName")
          .slice(0, 1)
          .map(nameOf),
      ),
    );
    return parts.flatMap((part) => {
      const value = part[part.findIndex(({ name }) => name === "AssignOp") + 1];
      const words = value && value !== part[0] ? nameOf(value).match(/[\p{L}\p{N}_]+/gu) : null;
      return value && words?.some((word) => names.has(word)) ? [value] : [];
    });
  }

  function param(part: readonly SyntaxNode[]): Node[] {
    const name = part.find((one) => one.name === "VariableName");
    if (!name) return [];
    const sign = part.findIndex((one) => one.name === "AssignOp");
    const value = sign === -1 ? undefined : part[sign + 1];
    return [value ? { kind: "assign", at: name.from, target: to(name), value: to(value) } : to(name)];
  }

  function klass(node: SyntaxNode): Node {
    const name = node.getChild("VariableName");
    const bases = node.getChild("ArgList");
    const body = node.getChild("Body");
    const value: Node = {
      kind: "other",
      at: node.from,
      parts: [
        ...all(typesOf(node)),
        ...(bases ? args(bases).args : []),
        ...(body ? all(kids(body)).map((part) => handed(name ? withClass(part, to(name)) : part)) : []),
        other(node.from),
      ],
      isClass: true,
    };
    return name ? set(to(name), value) : value;
  }

  /** What a class keeps is had by whoever has the class. */
  function handed(part: Node): Node {
    const inside = part.kind === "other" ? part.parts : [part];
    const kept = inside.flatMap((one) => (one.kind === "assign" && one.value ? [one.value] : []));
    return kept.length > 0 ? other(part.at, [part, ...kept]) : part;
  }

  /** A method's `cls` is the class. */
  function withClass(part: Node, owner: Node): Node {
    const method = part.kind === "other" ? part.parts.find(({ kind }) => kind === "function") : part;
    if (method?.kind !== "function" || method.params[0]?.kind !== "name") return part;
    const [cls, ...params] = method.params;
    if (cls.name !== "cls") return part;
    const known: FunctionNode = {
      ...method,
      params: [{ kind: "assign", at: cls.at, target: cls, value: owner }, ...params],
    };
    if (part.kind !== "other") return known;
    return { ...part, parts: part.parts.map((one) => (one === method ? known : one)) };
  }

  /** `a = b = c`, `a, b = c`, `a += b`, `(a := b)`. */
  function assign(node: SyntaxNode): Node {
    const groups: SyntaxNode[][] = [[]];
    for (const one of kids(node)) {
      if (one.name === "AssignOp" || one.name === "UpdateOp") groups.push([]);
      else if (one.name !== "TypeDef") groups.at(-1)?.push(one);
    }
    const last = groups.length > 1 ? groups.pop() : undefined;
    const value = last && tuple(last);
    const isUpdate = node.name === "UpdateStatement";
    const made = groups.map((group): Node => {
      const target = tuple(group);
      return set(target, isUpdate && value ? { kind: "sum", at: node.from, parts: [target, value] } : value);
    });
    return onlyOne(node.from, [...made, ...all(typesOf(node))]);
  }

  function forLoop(node: SyntaxNode): Node {
    const parts = kids(node).filter((one) => one.name !== "async" && one.name !== "for");
    const at = parts.findIndex((one) => one.name === "in");
    const end = parts.findIndex((one) => one.name === "Body");
    const each = set(tuple(parts.slice(0, at)), tuple(parts.slice(at + 1, end)));
    return { kind: "loop", at: node.from, each, parts: all(parts.slice(end)) };
  }

  /** `with open(…) as f`, `except Error as e`. */
  function named(node: SyntaxNode): Node[] {
    const made: Node[] = [];
    const parts = kids(node);
    for (const [place, one] of parts.entries()) {
      if (isPunctuation(one) || parts[place - 1]?.name === "as") continue;
      const name = parts[place + 1]?.name === "as" ? parts[place + 2] : undefined;
      made.push(name ? set(to(name), to(one)) : to(one));
    }
    return made;
  }

  function imports(node: SyntaxNode): Node {
    const parts = kids(node);
    const at = node.from;
    const cut = parts.findIndex((one) => one.name === "import");
    const from = parts
      .slice(0, cut)
      .filter((one) => one.name !== "from")
      .map(nameOf)
      .join("");
    const groups = split(parts.slice(cut + 1), ",").filter((group) => group.length > 0);
    if (parts[0]?.name !== "from") return other(at, [...groups.map((group) => whole(group, at)), other(at)]);
    const isStar = groups.some(([first]) => first && textOf(first) === "*");
    if (isStar) {
      const known = namesIn(from).map((name) => ({ imported: name, local: name }));
      const skill = skillIn(from, "*")?.skill;
      return {
        kind: "import",
        at,
        specifier: from,
        entries: known,
        isStar,
        ...(skill !== undefined && { skill }),
      };
    }
    const entries = groups.flatMap((group): ImportEntry[] => {
      const [first] = group;
      return first ? [{ imported: nameOf(first), local: nameOf(asName(group) ?? first) }] : [];
    });
    const made = entries.map((entry): Node => {
      const own = skillIn(from, entry.imported);
      return {
        kind: "import",
        at,
        specifier: from,
        ...(own ? toSkillEntry(own, entry) : { entries: [entry] }),
      };
    });
    const isOfSkill = made.some((one) => one.kind === "import" && one.skill !== undefined);
    return isOfSkill ? other(at, made) : { kind: "import", at, specifier: from, entries };
  }

  /** `import a.b` gives `a`, `import a.b as c` gives `a.b`. */
  function whole(group: readonly SyntaxNode[], at: number): Node {
    const alias = asName(group);
    const end = group.findIndex((one) => one.name === "as");
    const path = (end === -1 ? group : group.slice(0, end)).map(nameOf).join("");
    const [first = ""] = path.split(".");
    const own = alias && skillIn(path);
    if (own) {
      const entry = { imported: undefined, local: nameOf(alias) };
      return { kind: "import", at, specifier: path, ...toSkillEntry(own, entry) };
    }
    const entries: ImportEntry[] = [{ imported: undefined, local: alias ? nameOf(alias) : first }];
    // What is named is told of, also where but its beginning is bound.
    const rest: Node[] =
      alias || path === first ? [] : [{ kind: "import", at, specifier: path, entries: [] }];
    return other(at, [{ kind: "import", at, specifier: alias ? path : first, entries }, ...rest, other(at)]);
  }

  function asName(group: readonly SyntaxNode[]): SyntaxNode | undefined {
    const place = group.findIndex((one) => one.name === "as");
    return place === -1 ? undefined : group[place + 1];
  }
}

function toSkillEntry(
  { skill, name }: { readonly skill: string; readonly name?: string },
  { local }: ImportEntry,
): { readonly skill: string; readonly entries: readonly ImportEntry[] } {
  return { skill, entries: [{ imported: name, local }] };
}
