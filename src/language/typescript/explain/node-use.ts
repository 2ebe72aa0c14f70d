import { ownValue } from "../../../text/own-value.ts";
import { GLOBAL_MODULES } from "../../../world/modules.ts";
import type { Parsed } from "../prepare/oxc.ts";
import { isNode, type SyntaxNode, syntaxChild, textOf } from "../prepare/syntax-path.ts";

/** What a program uses of Node without an `import … from`. */
export type NodeUse = {
  /** `require("path")`, wherever it stands. */
  readonly requires: readonly NamedCall[];
  /** `import path = require("path")`. */
  readonly importEquals: readonly (NamedCall & { readonly local: string })[];
  /** Names of modules that stand for the module itself, as in `node -e`. */
  readonly globals: readonly string[];
};

type NamedCall = {
  readonly specifier: string;
  readonly start: number;
  readonly end: number;
  readonly at: number;
};

const NAMES = [...GLOBAL_MODULES, "crypto"];
/** No property of something: after a single dot a name means nothing here. */
const WORDS = new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)(?:require|${NAMES.join("|")})(?![\\w$])`);
const NONE: NodeUse = { requires: [], importEquals: [], globals: [] };
/** What the web's `crypto` has: for these alone nothing of Node is loaded. */
const WEB_CRYPTO = new Set(["subtle", "randomUUID", "getRandomValues"]);

export function findNodeUse(source: string, parsed: Parsed): NodeUse {
  if (!WORDS.test(source)) return NONE;
  const found = createFindings();
  visit(parsed.tree(), found);
  const isFree = (name: string) => !found.bound.has(name);
  return {
    requires: isFree("require") ? found.requires : [],
    importEquals: found.importEquals,
    globals: NAMES.filter((name) => found.used.has(name) && isFree(name)),
  };
}

type Findings = {
  readonly bound: Set<string>;
  readonly used: Set<string>;
  readonly requires: NamedCall[];
  readonly importEquals: (NamedCall & { local: string })[];
};

function createFindings(): Findings {
  return { bound: new Set(), used: new Set(), requires: [], importEquals: [] };
}

/** Where a name stands for something else than a value: by the type of the node, the keys under which it does. */
const NO_VALUES: { readonly [type: string]: readonly string[] } = {
  MemberExpression: ["property"],
  Property: ["key"],
  MethodDefinition: ["key"],
  PropertyDefinition: ["key"],
  AccessorProperty: ["key"],
  TSEnumMember: ["id"],
  LabeledStatement: ["label"],
  BreakStatement: ["label"],
  ContinueStatement: ["label"],
  ExportSpecifier: ["exported"],
  ImportSpecifier: ["imported"],
  ImportAttribute: ["key"],
  MetaProperty: ["meta", "property"],
};

/** Where names are bound. */
const BINDINGS: { readonly [type: string]: readonly string[] } = {
  VariableDeclarator: ["id"],
  FunctionDeclaration: ["id", "params"],
  FunctionExpression: ["id", "params"],
  ArrowFunctionExpression: ["params"],
  ClassDeclaration: ["id"],
  ClassExpression: ["id"],
  CatchClause: ["param"],
  ImportSpecifier: ["local"],
  ImportDefaultSpecifier: ["local"],
  ImportNamespaceSpecifier: ["local"],
  TSEnumDeclaration: ["id"],
  TSModuleDeclaration: ["id"],
  TSImportEqualsDeclaration: ["id"],
};

/** Of what begins with `TS`, this holds values; the rest are types. */
const TYPED_VALUES =
  /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$|^TS(?:TypeAssertion|EnumDeclaration|EnumBody|EnumMember|ModuleDeclaration|ModuleBlock|ExportAssignment|ParameterProperty|ImportEqualsDeclaration)$/;

type Step = { readonly node: SyntaxNode; readonly isBinding: boolean };

/** With a stack of its own: programs may be deep. */
function visit(root: SyntaxNode, found: Findings): void {
  const open: Step[] = [{ node: root, isBinding: false }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const steps = step.isBinding ? bind(step.node, found) : look(step.node, found);
    // The first is looked at next.
    for (const next of steps.toReversed()) open.push(next);
  }
}

/** Notes what a node uses, and says what of it is to be looked at. */
function look(node: SyntaxNode, found: Findings): Step[] {
  const { type } = node;
  if (type.startsWith("TS") && !TYPED_VALUES.test(type)) return [];
  if (type === "Identifier") {
    found.used.add(textOf(node) ?? "");
    return [];
  }
  if (type === "TSImportEqualsDeclaration") noteImportEquals(node, found);
  if (type === "CallExpression") noteRequire(node, found);
  if (isWebCrypto(node)) return [];
  const isComputed = ownValue(node, "computed") === true;
  const skipped = isComputed ? [] : (NO_VALUES[type] ?? []);
  const bindings = BINDINGS[type] ?? [];
  return Object.entries(node).flatMap(([key, value]) =>
    skipped.includes(key) ? [] : toSteps(value, bindings.includes(key)),
  );
}

/** A name, or a pattern of names; defaults in it are values. */
function bind(node: SyntaxNode, found: Findings): Step[] {
  if (node.type === "Identifier") {
    found.bound.add(textOf(node) ?? "");
    return [];
  }
  if (node.type === "AssignmentPattern")
    return [...toSteps(syntaxChild(node, "left"), true), ...toSteps(syntaxChild(node, "right"), false)];
  if (node.type === "Property") {
    const isComputed = ownValue(node, "computed") === true;
    const key = isComputed ? toSteps(syntaxChild(node, "key"), false) : [];
    return [...key, ...toSteps(syntaxChild(node, "value"), true)];
  }
  return Object.values(node).flatMap((value) => toSteps(value, true));
}

function toSteps(value: unknown, isBinding: boolean): Step[] {
  const children: unknown[] = Array.isArray(value) ? value : [value];
  return children.flatMap((node) => (isNode(node) ? [{ node, isBinding }] : []));
}

function isWebCrypto(node: SyntaxNode): boolean {
  if (node.type !== "MemberExpression" || textOf(syntaxChild(node, "object")) !== "crypto") return false;
  return WEB_CRYPTO.has(textOf(syntaxChild(node, "property")) ?? "");
}

function noteRequire(node: SyntaxNode, found: Findings): void {
  if (textOf(syntaxChild(node, "callee")) !== "require") return;
  const values = ownValue(node, "arguments");
  const [first] = Array.isArray(values) ? values : [];
  if (!isNode(first)) return;
  const specifier = first.type === "Literal" ? textOf(first) : plainTemplate(first);
  if (specifier === undefined) return;
  found.requires.push({ specifier, start: node.start, end: node.end, at: first.start });
}

function noteImportEquals(node: SyntaxNode, found: Findings): void {
  const literal = syntaxChild(syntaxChild(node, "moduleReference"), "expression");
  const [specifier, local] = [textOf(literal), textOf(syntaxChild(node, "id"))];
  if (literal === undefined || specifier === undefined || local === undefined) return;
  found.importEquals.push({ specifier, local, start: node.start, end: node.end, at: literal.start });
}

/** A text between backticks with nothing put in. */
function plainTemplate(node: SyntaxNode): string | undefined {
  if (node.type !== "TemplateLiteral") return undefined;
  const quasis = ownValue(node, "quasis");
  const [only, ...others] = Array.isArray(quasis) ? quasis : [];
  const cooked = ownValue(only?.value, "cooked");
  return others.length === 0 && typeof cooked === "string" ? cooked : undefined;
}
