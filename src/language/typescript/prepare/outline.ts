import type { Parsed } from "./oxc.ts";
import { isNode, type SyntaxNode } from "./syntax-path.ts";

/** What of a program's syntax decides how it is run. */
export type Outline = {
  /** The statements at the top, `export` taken off. */
  readonly statements: readonly SyntaxNode[];
  /** What is awaited: the values, not the words `await`. */
  readonly awaited: readonly SyntaxNode[];
  /** Whether a name is used outside of the statement that declares it. */
  isUsedOutside(name: string, statement: number): boolean;
  /** Names that are called or handed on outside of any function. */
  readonly usedAtTop: ReadonlySet<string>;
  /** Whether something is awaited outside of any function: the program does more than declare. */
  readonly awaitsAtTop: boolean;
  /** `using` and `await using`, which the host's own engine may not know. */
  readonly hasUsing: boolean;
};

type Step = { readonly node: SyntaxNode; readonly statement: number; readonly isAtTop: boolean };

/** One walk over the tree, with a stack of its own: programs may be deep. */
export function toOutline(parsed: Parsed): Outline {
  const statements: SyntaxNode[] = parsed.tree().body.map((statement) => inside(statement));
  const awaited: SyntaxNode[] = [];
  const uses = new Map<string, Set<number>>();
  const usedAtTop = new Set<string>();
  let hasUsing = false;
  let awaitsAtTop = false;
  const open: Step[] = statements.flatMap((node, statement) =>
    LINKS.has(node.type) ? [] : [{ node, statement, isAtTop: true }],
  );
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { node, statement, isAtTop } = step;
    if (node.type === "Identifier" && "name" in node && typeof node.name === "string") {
      const places = uses.get(node.name) ?? new Set();
      uses.set(node.name, places.add(statement));
      if (isAtTop) usedAtTop.add(node.name);
      continue;
    }
    if (node.type.startsWith("TS") && !VALUES_IN_TYPES.has(node.type)) continue;
    if (node.type === "AwaitExpression" && "argument" in node && isNode(node.argument)) {
      awaited.push(node.argument);
      awaitsAtTop ||= isAtTop;
    }
    if (node.type === "VariableDeclaration" && "kind" in node)
      hasUsing ||= String(node.kind).endsWith("using");
    const isFunction = FUNCTIONS.has(node.type);
    for (const [key, value] of Object.entries(node)) {
      if (isOwnName(node, key, value)) continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) open.push({ node: child, statement, isAtTop: isAtTop && !isFunction });
      }
    }
  }
  const isUsedOutside = (name: string, statement: number) =>
    [...(uses.get(name) ?? [])].some((place) => place !== statement);
  return {
    statements,
    awaited,
    isUsedOutside,
    usedAtTop,
    awaitsAtTop,
    hasUsing,
  };
}

/** To name something here uses nothing. */
const LINKS = new Set(["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration"]);
const FUNCTIONS = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "MethodDefinition",
  "PropertyDefinition",
]);
/** Nodes of TypeScript's that hold values. */
const VALUES_IN_TYPES = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "TSEnumDeclaration",
  "TSEnumBody",
  "TSEnumMember",
  "TSModuleDeclaration",
  "TSModuleBlock",
  "TSExportAssignment",
  "TSParameterProperty",
]);

/** Names that declare something or name a property use nothing. */
function isOwnName(node: SyntaxNode, key: string, value: unknown): boolean {
  if (key === "id") return isNode(value) && value.type === "Identifier";
  if (key === "label") return true;
  if (key !== "property" && key !== "key") return false;
  return !("computed" in node && node.computed === true) && !("shorthand" in node && node.shorthand === true);
}

/** What an `export` is of. */
function inside(statement: SyntaxNode): SyntaxNode {
  if (statement.type !== "ExportNamedDeclaration" || !("declaration" in statement)) return statement;
  return isNode(statement.declaration) ? statement.declaration : statement;
}
