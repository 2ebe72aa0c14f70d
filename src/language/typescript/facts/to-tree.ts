import type {
  BindingPattern,
  Class,
  ClassElement,
  Function as FunctionSyntax,
  ModuleExportName,
  ObjectProperty,
  PropertyKey,
  Node as Syntax,
  VariableDeclaration,
} from "oxc-parser";
import type {
  AssignNode,
  FunctionNode,
  ImportEntry,
  MemberNode,
  NameNode,
  Node,
  ProgramTree,
  TableEntry,
  TextNode,
} from "../../facts/program-tree.ts";
import { MAX_TREE_DEPTH } from "../../facts/program-tree.ts";
import type { Parsed } from "../prepare/oxc.ts";
import type { SkillModule } from "../skills/skill-module.ts";

/** In a class, or in a function that belongs to a table, `this` is what it is called of. */
type ThisOwner = "none" | "table" | "class";

/** Of the skills that a text imports, by specifiers. */
export type TreeSkills = {
  find(specifier: string): SkillModule | undefined;
};

/** What a text exports of another one has this name in it, which no program can write. */
export const exportedName = (name: string): string => `export ${name}`;
/** A skill as a whole, where it is no import statement that asks for it. */
const wholeName = (skill: string): string => `skills.${skill}`;

const NO_SKILLS: TreeSkills = { find: () => undefined };

/** oxc's syntax tree as the one that facts are read from. Types are left out. */
export function toTypeScriptTree(
  source: string,
  parsed: Parsed,
  skills: TreeSkills = NO_SKILLS,
): ProgramTree {
  /** Skills that are imported by an expression. */
  const whole = new Set<string>();
  let depth = 0;
  let cutAt: number | undefined;
  let ownThis = "none" as ThisOwner;
  const held: { readonly node: Syntax; readonly inside: Node[]; readonly of: ThisOwner }[] = [];
  const parts = all(parsed.tree().body);
  // Grows as it goes: what lies deeper still comes after it.
  for (const { node, inside, of } of held) {
    ownThis = of;
    inside.push(convert(node));
  }
  const imported = [...whole].map((skill): Node => {
    const entries = [{ imported: undefined, local: wholeName(skill) }];
    return { kind: "import", at: 0, specifier: "skills", skill, entries };
  });
  return { parts: [...imported, ...parts], cutAt };

  function all(nodes: readonly (Syntax | null)[]): Node[] {
    const made: Node[] = [];
    for (const node of nodes) if (node) made.push(to(node));
    return made;
  }

  function some(...nodes: readonly (Syntax | null | undefined)[]): Node[] {
    const made: Node[] = [];
    for (const node of nodes) if (node) made.push(to(node));
    return made;
  }

  function to(node: Syntax): Node {
    if (depth >= MAX_TREE_DEPTH) {
      const inside: Node[] = [];
      held.push({ node, inside, of: ownThis });
      return other(node.start, inside);
    }
    depth++;
    const made = convert(node);
    depth--;
    return made;
  }

  function convert(node: Syntax): Node {
    const at = node.start;
    switch (node.type) {
      case "Identifier":
        return name(node);
      case "ThisExpression":
        return ownThis === "none" ? { kind: "name", at, name: "this" } : other(at);
      case "Literal":
        if (typeof node.value === "string") return text(at, node.value, node.raw);
        return typeof node.value === "number" ? { kind: "number", at, value: node.value } : other(at);
      case "TemplateLiteral":
        return template(node);
      case "TaggedTemplateExpression":
        return { kind: "call", at, callee: to(node.tag), args: all(node.quasi.expressions) };
      case "BinaryExpression":
        return binary(node);
      case "LogicalExpression":
        return { kind: "either", at, options: flatten(node, "LogicalExpression") };
      case "ConditionalExpression":
        return {
          kind: "either",
          at,
          test: to(node.test),
          options: [to(node.consequent), to(node.alternate)],
        };
      case "MemberExpression":
        return member(node);
      case "CallExpression":
        return wholeSkill(node) ?? { kind: "call", at, callee: to(node.callee), args: all(node.arguments) };
      case "NewExpression":
        return { kind: "call", at, callee: to(node.callee), args: all(node.arguments), isNew: true };
      case "ImportExpression":
        return (
          wholeSkill(node) ?? {
            kind: "call",
            at,
            callee: { kind: "name", at, name: "import" },
            args: [to(node.source)],
          }
        );
      case "ArrayExpression":
        return {
          kind: "list",
          at,
          items: node.elements.map((item) => (item ? to(item) : other(at))),
          ...(node.elements.length === 1 && node.elements[0]?.type === "SpreadElement" && { isSpread: true }),
        };
      case "ObjectExpression":
        return { kind: "table", at, entries: node.properties.map(entry) };
      case "SpreadElement":
      case "RestElement":
      case "AwaitExpression":
      case "ExpressionStatement":
      case "ParenthesizedExpression":
      case "ChainExpression":
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
      case "TSTypeAssertion":
      case "TSInstantiationExpression":
        return "argument" in node ? to(node.argument) : to(node.expression);
      case "UnaryExpression":
        // To ask for the type of something is not to use it.
        if (node.operator === "typeof") return other(at, [...lookedAt(node.argument), other(at)]);
        if (
          node.operator === "-" &&
          node.argument.type === "Literal" &&
          typeof node.argument.value === "number"
        )
          return { kind: "number", at, value: -node.argument.value };
        return other(at, [to(node.argument), other(at)]);
      case "SequenceExpression":
        return { kind: "block", at, parts: all(node.expressions) };
      case "AssignmentExpression":
        return {
          kind: "assign",
          at,
          target: target(node.left),
          value: node.left.type === "MemberExpression" ? owned(node.right) : to(node.right),
        };
      case "AssignmentPattern":
        return { kind: "assign", at, target: target(node.left), value: to(node.right) };
      case "ArrowFunctionExpression":
      case "FunctionExpression":
      case "FunctionDeclaration":
        return withThis(
          node.type === "ArrowFunctionExpression" || ownThis === "class" ? ownThis : "none",
          () => func(node),
        );
      case "ClassDeclaration":
      case "ClassExpression":
        return klass(node);
      case "VariableDeclaration":
        return other(at, declarations(node));
      case "IfStatement":
        return ifs(node);
      case "ForStatement":
        return { kind: "loop", at, parts: some(node.init, node.test, node.update, node.body) };
      case "ForOfStatement":
      case "ForInStatement":
        return { kind: "loop", at, each: each(node.left, to(node.right)), parts: [to(node.body)] };
      case "WhileStatement":
      case "DoWhileStatement":
        return { kind: "loop", at, parts: some(node.test, node.body) };
      case "SwitchStatement":
        return {
          kind: "branch",
          at,
          ways: node.cases.length,
          parts: [
            to(node.discriminant),
            {
              kind: "block",
              at,
              parts: node.cases.flatMap((one) => [...some(one.test), ...all(one.consequent)]),
            },
          ],
        };
      case "TryStatement":
        return {
          kind: "branch",
          at,
          ways: node.handler ? 1 : 0,
          parts: some(node.block, node.handler, node.finalizer),
        };
      case "CatchClause": {
        const param: Node[] = node.param
          ? [{ kind: "assign", at, target: target(node.param), value: undefined, declares: "block" }]
          : [];
        return { kind: "block", at, parts: [...param, ...all(node.body.body)] };
      }
      case "BlockStatement":
      case "StaticBlock":
      case "TSModuleBlock":
        return { kind: "block", at, parts: all(node.body) };
      case "LabeledStatement":
        return to(node.body);
      case "ReturnStatement":
      case "ThrowStatement":
      case "YieldExpression":
      case "UpdateExpression":
        return other(at, some(node.argument));
      case "ExportNamedDeclaration":
        return node.declaration ? to(node.declaration) : exportsOf(node);
      case "ExportAllDeclaration":
        return exportsAll(node);
      case "ExportDefaultDeclaration":
        return defaultExport(node);
      case "TSExportAssignment":
        return to(node.expression);
      case "ImportDeclaration":
        return imports(node);
      case "TSImportEqualsDeclaration": {
        const { moduleReference: from, id } = node;
        if (from.type !== "TSExternalModuleReference") return other(at);
        return importOf(at, from.expression.value, [{ imported: undefined, local: id.name }]);
      }
      case "TSEnumDeclaration":
        return other(at, some(...node.body.members.map((one) => one.initializer)));
      case "TSModuleDeclaration":
        return node.body ? to(node.body) : other(at);
      case "ArrayPattern":
      case "ObjectPattern":
        return target(node);
      case "WithStatement":
        return other(at, [to(node.object), to(node.body)]);
      default:
        return other(at);
    }
  }

  function name(node: { name: string; start: number; end: number }): NameNode {
    const isEscaped = isWritten(node, "\\");
    return { kind: "name", at: node.start, name: node.name, ...(isEscaped && { isEscaped }) };
  }

  /** Of a binding the end is that of its type. */
  function isWritten({ name: own, start, end }: { name: string; start: number; end: number }, sign: string) {
    if (end - start <= own.length || source.startsWith(own, start)) return false;
    return source.slice(start, start + own.length * 8).includes(sign);
  }

  function text(at: number, value: string, raw: string | null): TextNode {
    return { kind: "text", at, text: value, isBuilt: hasPlainEscape(raw ?? "") };
  }

  function template(node: Syntax & { type: "TemplateLiteral" }): Node {
    const parts: Node[] = [];
    for (const [index, quasi] of node.quasis.entries()) {
      const cooked = quasi.value.cooked ?? quasi.value.raw;
      if (cooked !== "") parts.push(text(quasi.start, cooked, quasi.value.raw));
      const put = node.expressions[index];
      if (put) parts.push(to(put));
    }
    const [only] = parts;
    if (only === undefined) return text(node.start, "", null);
    if (parts.length === 1 && only.kind === "text") return { ...only, at: node.start };
    return { kind: "sum", at: node.start, parts };
  }

  /** Long sums lean to the left, each deeper than the one before: they are taken flat. */
  function flatten(node: Syntax, type: "BinaryExpression" | "LogicalExpression"): Node[] {
    const right: Syntax[] = [];
    let left: Syntax = node;
    while (left.type === type && (type === "LogicalExpression" || left.operator === "+")) {
      right.push(left.right);
      left = left.left;
    }
    return [to(left), ...right.reverse().map(to)];
  }

  function binary(node: Syntax & { type: "BinaryExpression" }): Node {
    if (node.operator === "+")
      return { kind: "sum", at: node.start, parts: flatten(node, "BinaryExpression") };
    const left = node.left.type === "PrivateIdentifier" ? other(node.start) : to(node.left);
    return other(node.start, [left, ...(node.operator === "in" ? lookedAt(node.right) : [to(node.right)])]);
  }

  /** What of something runs or is used where only its type or its names are asked for. */
  function lookedAt(node: Syntax): Node[] {
    const parts: Node[] = [];
    let one = node;
    while (one.type === "MemberExpression") {
      if (one.computed) parts.push(to(one.property));
      one = one.object;
    }
    return one.type === "Identifier" ? parts : [to(node)];
  }

  function member(node: Syntax & { type: "MemberExpression" }): MemberNode {
    const at = node.start;
    const object = to(node.object);
    if (node.computed) {
      const { property } = node;
      const key = to(property);
      return { kind: "member", at, object, key: key.kind === "text" && !key.isBuilt ? key.text : key };
    }
    const isEscaped = node.property.type === "Identifier" && isWritten(node.property, "\\");
    return { kind: "member", at, object, key: node.property.name, ...(isEscaped && { isEscaped }) };
  }

  function key(from: PropertyKey, isComputed: boolean): string | Node {
    if (!isComputed && from.type === "Identifier") return from.name;
    if (from.type === "PrivateIdentifier") return `#${from.name}`;
    const made = to(from);
    if (made.kind === "number") return String(made.value);
    return made.kind === "text" && !made.isBuilt ? made.text : made;
  }

  function entry(property: ObjectProperty | Extract<Syntax, { type: "SpreadElement" }>): TableEntry {
    if (property.type === "SpreadElement") return { key: undefined, value: to(property.argument) };
    return { key: key(property.key, property.computed), value: owned(property.value) };
  }

  function owned(value: Syntax): Node {
    if (value.type !== "FunctionExpression") return to(value);
    return withThis(ownThis === "class" ? "class" : "table", () => func(value));
  }

  function withThis<T>(of: ThisOwner, make: () => T): T {
    const before = ownThis;
    ownThis = of;
    const made = make();
    ownThis = before;
    return made;
  }

  function func(node: FunctionSyntax | Extract<Syntax, { type: "ArrowFunctionExpression" }>): FunctionNode {
    const isNamed = node.type === "FunctionDeclaration" && node.id;
    const body = node.body;
    return {
      kind: "function",
      at: node.start,
      ...(isNamed && node.id && { name: name(node.id) }),
      params: node.params
        .filter((param) => param.type !== "Identifier" || param.name !== "this")
        .map((param) => target(param.type === "TSParameterProperty" ? param.parameter : param)),
      body: body === null ? [] : "body" in body && Array.isArray(body.body) ? all(body.body) : [to(body)],
    };
  }

  function klass(node: Class): Node {
    const at = node.start;
    const parts = [
      ...some(node.superClass),
      ...withThis("class", () => node.body.body.flatMap((one) => element(one))),
    ];
    const value = other(at, [...parts, other(at)]);
    if (node.type !== "ClassDeclaration" || !node.id) return value;
    return { kind: "assign", at, target: name(node.id), value, declares: "block" };
  }

  function element(node: ClassElement): Node[] {
    if (node.type === "StaticBlock") return [to(node)];
    if (!("value" in node) || node.value === null) return [];
    return [...(node.computed ? some(node.key) : []), to(node.value)];
  }

  function declarations({ declarations: list, kind }: VariableDeclaration): Node[] {
    return list.map(
      ({ id, init, start }): Node =>
        fromSkill(id, init) ?? {
          kind: "assign",
          at: start,
          target: target(id),
          value: init ? to(init) : undefined,
          declares: kind === "var" ? "function" : "block",
        },
    );
  }

  /** `const { f } = await import("./skills/a")` is what an import statement would be. */
  function fromSkill(id: BindingPattern, init: Syntax | null): Node | undefined {
    const value = init?.type === "AwaitExpression" ? init.argument : init;
    const specifier = value ? requested(value) : undefined;
    const skill = specifier === undefined ? undefined : skills.find(specifier);
    if (specifier === undefined || skill === undefined) return undefined;
    if (id.type === "Identifier")
      return importOf(id.start, specifier, [{ imported: undefined, local: id.name }]);
    if (id.type !== "ObjectPattern") return undefined;
    const entries: ImportEntry[] = [];
    for (const one of id.properties) {
      if (one.type !== "Property" || one.computed || one.value.type !== "Identifier") return undefined;
      const key = one.key.type === "Identifier" ? one.key.name : literalOf(one.key);
      if (key === undefined) return undefined;
      entries.push({ imported: key, local: one.value.name });
    }
    return importOf(id.start, specifier, entries);
  }

  function each(left: Syntax, value: Node): AssignNode {
    if (left.type !== "VariableDeclaration")
      return { kind: "assign", at: left.start, target: target(left), value };
    const [first] = left.declarations;
    const to = first ? target(first.id) : other(left.start);
    return {
      kind: "assign",
      at: left.start,
      target: to,
      value,
      declares: left.kind === "var" ? "function" : "block",
    };
  }

  function ifs(node: Syntax & { type: "IfStatement" }): Node {
    const parts: Node[] = [];
    let ways = 0;
    let one: Syntax | null = node;
    for (; one?.type === "IfStatement"; one = one.alternate) {
      ways++;
      parts.push(to(one.test), to(one.consequent));
    }
    if (one) parts.push(to(one));
    return { kind: "branch", at: node.start, ways, parts };
  }

  function target(node: BindingPattern | Syntax): Node {
    // One less: names are bound where their target stands, and none of it can be held back.
    if (depth >= MAX_TREE_DEPTH - 1) {
      cutAt ??= node.start;
      return other(node.start);
    }
    depth++;
    const made = toTarget(node);
    depth--;
    return made;
  }

  function toTarget(node: Syntax): Node {
    const at = node.start;
    switch (node.type) {
      case "ArrayPattern":
        return { kind: "list", at, items: node.elements.map((item) => (item ? target(item) : other(at))) };
      case "ObjectPattern":
        return {
          kind: "table",
          at,
          entries: node.properties.map((property): TableEntry => {
            if (property.type === "RestElement") return { key: undefined, value: target(property.argument) };
            return { key: key(property.key, property.computed), value: target(property.value) };
          }),
        };
      case "RestElement":
        return target(node.argument);
      default:
        return to(node);
    }
  }

  function imports(node: Syntax & { type: "ImportDeclaration" }): Node {
    const at = node.start;
    if (node.importKind === "type") return other(at);
    const entries = node.specifiers.flatMap((one): ImportEntry[] => {
      const local = one.local.name;
      if (one.type === "ImportNamespaceSpecifier") return [{ imported: undefined, local }];
      if (one.type === "ImportDefaultSpecifier") return [{ imported: "default", local }];
      if (one.importKind === "type") return [];
      const { imported } = one;
      return [{ imported: imported.type === "Literal" ? imported.value : imported.name, local }];
    });
    return importOf(at, node.source.value, entries);
  }

  function importOf(at: number, specifier: string, entries: readonly ImportEntry[]): Node {
    const skill = skills.find(specifier)?.name;
    return { kind: "import", at, specifier, entries, ...(skill !== undefined && { skill }) };
  }

  function wholeSkill(node: Syntax): NameNode | undefined {
    const specifier = requested(node);
    const skill = specifier === undefined ? undefined : skills.find(specifier)?.name;
    if (skill === undefined) return undefined;
    whole.add(skill);
    return { kind: "name", at: node.start, name: wholeName(skill) };
  }

  /** `export { a as b } from "…"`. Without `from`, what stands behind the names is told where it stands. */
  function exportsOf({ start: at, source: from, specifiers, exportKind }: ExportNamed): Node {
    if (from === null || exportKind === "type") return other(at);
    const entries = specifiers.flatMap((one): ImportEntry[] => {
      if (one.exportKind === "type") return [];
      return [{ imported: moduleName(one.local), local: exportedName(moduleName(one.exported)) }];
    });
    return importOf(at, from.value, entries);
  }

  function exportsAll({ start: at, source: from, exported, exportKind }: ExportAll): Node {
    if (exportKind === "type") return other(at);
    if (exported !== null)
      return importOf(at, from.value, [{ imported: undefined, local: exportedName(moduleName(exported)) }]);
    const names = (skills.find(from.value)?.exports ?? []).flatMap(({ name, isType }) =>
      isType || name === "default" ? [] : [name],
    );
    return importOf(
      at,
      from.value,
      names.map((name) => ({ imported: name, local: exportedName(name) })),
    );
  }

  /** What has no name of its own has that of the export. */
  function defaultExport({ start: at, declaration }: ExportDefault): Node {
    const value = to(declaration);
    const hasName = "id" in declaration && declaration.id !== null;
    if (hasName && /Declaration$/.test(declaration.type)) return value;
    const target: NameNode = { kind: "name", at, name: exportedName("default") };
    return { kind: "assign", at, target, value, declares: "function" };
  }
}

type ExportNamed = Syntax & { type: "ExportNamedDeclaration" };
type ExportAll = Syntax & { type: "ExportAllDeclaration" };
type ExportDefault = Syntax & { type: "ExportDefaultDeclaration" };

/** Of `import("…")` and `require("…")`. */
function requested(node: Syntax): string | undefined {
  if (node.type === "ImportExpression") return literalOf(node.source);
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier") return undefined;
  const [first] = node.arguments;
  return node.callee.name === "require" && first ? literalOf(first) : undefined;
}

function literalOf(node: Syntax): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type !== "TemplateLiteral" || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

function moduleName(name: ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}

function other(at: number, parts: readonly Node[] = []): Node {
  return { kind: "other", at, parts };
}

/** `\x65` or `\u0065`: a letter that needs no escape. */
function hasPlainEscape(raw: string): boolean {
  for (let at = raw.indexOf("\\"); at >= 0; at = raw.indexOf("\\", at + 2)) {
    const kind = raw[at + 1];
    if (kind !== "x" && kind !== "u") continue;
    const isBraced = raw[at + 2] === "{";
    const from = at + (isBraced ? 3 : 2);
    const end = isBraced ? raw.indexOf("}", from) : from + (kind === "x" ? 2 : 4);
    const code = Number.parseInt(raw.slice(from, end), 16);
    if ((code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return true;
  }
  return false;
}
