import type { Insertion } from "./insertions.ts";
import type { Outline } from "./outline.ts";
import { type SyntaxNode, syntaxChild, syntaxChildren, textOf } from "./syntax-path.ts";

/** How a program gives its result without a `return`. */
export type ResultValue = {
  /** What stands before the program. */
  readonly opening: string;
  readonly insertions: readonly Insertion[];
  /** What stands after the program. */
  readonly ending: string;
  /** What to write instead, should nothing come of the program. */
  readonly hint?: string;
};

const NOTHING_TO_ADD: ResultValue = { opening: "", insertions: [], ending: "" };
const FUNCTION = new Set(["ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration"]);

/**
 * The rule, the same in every language. The result is what the program returns; else
 * 1. its default export: a function is called, anything else is the value;
 * 2. the value of a function that it never calls: `main`, or the only one of a program that does nothing but declare;
 * 3. of its last statement, if that is an expression: `main()`, `(async () => {…})()`, `rows.length`;
 * 4. of what it called before without using the value: `main(); console.log("started")`.
 * Promises are awaited, and a function as the last expression is called.
 */
export function toResultValue(
  { statements, isUsedOutside, usedAtTop, awaitsAtTop }: Outline,
  defaultName: string | undefined,
  fresh: string,
): ResultValue {
  if (defaultName !== undefined && !usedAtTop.has(defaultName)) {
    return {
      ...NOTHING_TO_ADD,
      ending: `return typeof ${defaultName} === "function" ? await ${defaultName}() : ${defaultName};`,
    };
  }
  const functions = toFunctions(statements);
  const uncalled = functions.filter(({ name, index }) => !isUsedOutside(name, index));
  const main = uncalled.find(({ name }) => name === "main");
  const doing = statements.filter(isDoing);
  const last = doing.at(-1);
  if (main !== undefined && last?.type !== "ReturnStatement") return callOf(main);
  if (doing.every(({ type }) => type === "VariableDeclaration")) {
    const [lone, ...others] = uncalled;
    // A program that has called something by then may keep its function for another time.
    const isLone = lone !== undefined && others.length === 0 && !awaitsAtTop && canCall(lone.node);
    if (isLone) return callOf(lone);
    if (lone !== undefined) return { ...NOTHING_TO_ADD, hint: neverCalled(uncalled) };
    return { ...NOTHING_TO_ADD, ...hintFor(last) };
  }
  const byName = new Map(functions.map((one) => [one.name, one.node]));
  if (last?.type === "ReturnStatement") return { ...NOTHING_TO_ADD, insertions: calledReturn(last, byName) };
  const tails = last === undefined ? [] : toTails(last);
  const called = doing.slice(0, -1).flatMap((statement) => toOwnCall(statement, byName) ?? []);
  const insertions: Insertion[] = [];
  const opening = called.length === 0 ? "return (" : `return ${fresh}v(`;
  for (const tail of tails) insertions.push(...wrapped(tail, opening, byName));
  if (called.length === 0) return { ...NOTHING_TO_ADD, insertions, ...hintFor(last) };
  for (const { start, end } of called)
    insertions.push({ at: start, text: `${fresh}r=(` }, { at: end, text: ")" });
  return {
    opening: toHolder(fresh),
    insertions,
    ending: `return ${fresh}v();`,
    ...hintFor(last),
  };
}

/** Holds the value of the last call whose value nobody used, for when the last statement has none. */
function toHolder(fresh: string): string {
  return `let ${fresh}r;const ${fresh}v=async(v)=>(v=await v,v===undefined?${fresh}r:v);`;
}

type NamedFunction = { readonly name: string; readonly node: SyntaxNode; readonly index: number };
/** By their names. */
type Functions = ReadonlyMap<string, SyntaxNode>;

/** Functions that are declared at the top. */
function toFunctions(statements: readonly SyntaxNode[]): NamedFunction[] {
  return statements.flatMap((statement, index) => {
    const declared =
      statement.type === "VariableDeclaration" ? syntaxChildren(statement, "declarations") : [statement];
    return declared.flatMap((node) => {
      const name = textOf(syntaxChild(node, "id"));
      const value = node.type === "VariableDeclarator" ? plain(syntaxChild(node, "init")) : node;
      return name !== undefined && value !== undefined && FUNCTION.has(value.type)
        ? [{ name, node: value, index }]
        : [];
    });
  });
}

/** Whether a statement does more than declare. */
function isDoing({ type }: SyntaxNode): boolean {
  return !/^(?:TS|Import|Export|FunctionDeclaration|ClassDeclaration|EmptyStatement)/.test(type);
}

/** The expressions whose value is that of the statement: its own, or those at the end of its branches. */
function toTails(statement: SyntaxNode): SyntaxNode[] {
  switch (statement.type) {
    case "ExpressionStatement": {
      const isDirective = "directive" in statement && typeof statement.directive === "string";
      const expression = syntaxChild(statement, "expression");
      return expression === undefined || isDirective || isTimer(expression) ? [] : [expression];
    }
    case "BlockStatement":
      return toTails(syntaxChildren(statement, "body").filter(isDoing).at(-1) ?? EMPTY);
    case "IfStatement":
      return ["consequent", "alternate"].flatMap((key) => toTails(syntaxChild(statement, key) ?? EMPTY));
    case "TryStatement":
      return [
        syntaxChild(statement, "block"),
        syntaxChild(syntaxChild(statement, "handler"), "body"),
      ].flatMap((block) => toTails(block ?? EMPTY));
    default:
      return [];
  }
}

/** What `setTimeout` gives back is nobody's result. */
function isTimer(expression: SyntaxNode): boolean {
  const callee =
    plain(expression)?.type === "CallExpression" ? syntaxChild(plain(expression), "callee") : undefined;
  return /^set(?:Timeout|Interval|Immediate)$/.test(textOf(callee) ?? "");
}

const EMPTY: SyntaxNode = { type: "", start: 0, end: 0 };

/** `return main` means its value. A function that is not the program's own, a tool's above all, is never called for it. */
function calledReturn(statement: SyntaxNode, functions: Functions): Insertion[] {
  const returned = syntaxChild(statement, "argument");
  const isOwn = returned !== undefined && toOwnFunction(returned, functions) !== undefined;
  return isOwn ? wrapped(returned, "(", functions) : [];
}

/** The function that an expression is, or names. */
function toOwnFunction(expression: SyntaxNode, functions: Functions): SyntaxNode | undefined {
  const value = plain(expression);
  if (value !== undefined && FUNCTION.has(value.type)) return value;
  return value?.type === "Identifier" ? functions.get(textOf(value) ?? "") : undefined;
}

function wrapped(tail: SyntaxNode, opening: string, functions: Functions): Insertion[] {
  const called = toOwnFunction(tail, functions);
  const [before, after] = called === undefined ? ["", ")"] : ["(", `)(${toArgument(called)}))`];
  return [
    { at: tail.start, text: `${opening}${before}` },
    { at: tail.end, text: after },
  ];
}

/** `async ({ github }) => {…}` means the world it runs in. */
function toArgument(called: SyntaxNode): string {
  return syntaxChildren(called, "params")[0]?.type === "ObjectPattern" ? "globalThis" : "";
}

function canCall(node: SyntaxNode): boolean {
  const [first] = syntaxChildren(node, "params");
  return first === undefined || /^(?:ObjectPattern|AssignmentPattern|RestElement)$/.test(first.type);
}

function callOf({ name, node }: NamedFunction): ResultValue {
  return {
    ...NOTHING_TO_ADD,
    ending: `return ${name}(${toArgument(node)});`,
    hint: `"${name}" gave nothing back: return a value in it`,
  };
}

/** A call of one of the program's own functions, or of one on the spot, whose value nothing uses. */
function toOwnCall(statement: SyntaxNode, functions: Functions): SyntaxNode | undefined {
  if (statement.type !== "ExpressionStatement") return undefined;
  const expression = syntaxChild(statement, "expression");
  const value = plain(expression);
  const call = value?.type === "AwaitExpression" ? plain(syntaxChild(value, "argument")) : value;
  if (call?.type !== "CallExpression") return undefined;
  const callee = plain(syntaxChild(call, "callee"));
  const isOwn = callee !== undefined && (FUNCTION.has(callee.type) || functions.has(textOf(callee) ?? ""));
  return isOwn ? expression : undefined;
}

/** Without parentheses and types. */
function plain(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let inner = node;
  while (
    inner !== undefined &&
    /^(?:ParenthesizedExpression|TS\w*Expression|TSTypeAssertion)$/.test(inner.type)
  )
    inner = syntaxChild(inner, "expression");
  return inner;
}

function neverCalled(functions: readonly NamedFunction[]): string {
  const names = functions.slice(0, 3).map(({ name }) => `"${name}"`);
  return `${names.join(", ")} ${names.length === 1 ? "is" : "are"} never called`;
}

/** `const summary = …` at the end was most likely meant as the result. */
function hintFor(last: SyntaxNode | undefined): { hint?: string } {
  if (last?.type !== "VariableDeclaration") return {};
  const name = textOf(syntaxChild(syntaxChildren(last, "declarations").at(-1), "id"));
  return name === undefined ? {} : { hint: `End it with: return ${name.slice(0, 60)}` };
}
