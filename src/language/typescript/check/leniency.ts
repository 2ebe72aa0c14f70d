import { toPattern } from "../prepare/pattern.ts";
import { childOf, isInType, type SyntaxNode } from "../prepare/syntax-path.ts";
import type { FoundTool } from "./called-tool.ts";
import { isFilledLater } from "./filled-later.ts";
import { isGuarded } from "./guarded.ts";
import { type Diagnostic, PROGRAM, type TypeQuery } from "./type-checker.ts";

/**
 * What TypeScript finds fault with, though the program runs all the same. Refusing it would cost the model a whole turn.
 */
const HARMLESS = new Set([
  2362, // new Date(a) - new Date(b)
  2363,
  2365, // "10" > 5
  2352, // value as Other
  2571, // a value of unknown type is used
  18046,
  2695, // (0, f)()
  2774, // a condition that is always true
  2801,
  2869, // a ?? b, where a is never null
  2870,
  2872,
  2873,
  2881,
  2794, // resolve() without a value
  2683, // this
  2698, // ...(isDraft && { draft: true })
  2678, // case "NOT_FOUND", which is none of the codes there are
  2589, // types too large for the compiler
  2590,
  2799,
  2800,
  2300, // declared twice: for JavaScript, the parser has the last word
  2393,
  2403,
]);
/**
 * A value whose type was widened on its way: `const state = { state: "open" }` holds a string to TypeScript, `[1, 2]` any
 * number of numbers, and what comes out of a collection that was never described is unknown.
 */
const WIDENED =
  /^(?:Type|Argument of type) (?:'unknown'|'string' is not assignable to (?:parameter of )?type '"|'number' is not assignable to (?:parameter of )?type '[\d-])|^Target requires \d+ element|^Source provides no match for required element/;
const ASSIGNED = new Set([2322, 2739, 2740, 2741]);
/** A value of which it is only known that it has keys: it may well have the right ones. */
const LOOSE = /^(?:Type|Argument of type) '(?:Record<string, |\{ \[\w+: string\]: )/;
/** `Partial<…>`: what may be absent may well be there. */
const OPTIONAL = /^Property '.+?' is optional in type '.*' but required in type '/s;
/** `callMCPTool("github__create_isue")`. */
const BY_NAME = /^Argument of type '"[^"]+__[^"]*"'/;
const ARGUMENT_COUNT = new Set([2554, 2555, 2556]);
const NO_PROPERTY = new Set([2339, 2551]);
/** Object literals and classes, by TypeScript's numbers for them, in the exact version that we depend on. */
const GROWS = new Set([211, 232, 264]);

/** A promise where its value is meant. Promises may stand where promises are expected. */
const PROMISE =
  /^(?:Argument of type|Type) 'Promise<.*' is not assignable to (?:parameter of )?type '(?!.*(?:Promise|=>))|' does not exist on type 'Promise<|^Type 'Promise<.*' (?:is not an array type|must have a '\[Symbol\.iterator\]|is not comparable)/s;

/** `const tasks: Promise<void>[] = []; tasks.push(call())`: nobody minds what the promise holds. */
const OTHER_PROMISE =
  /^(?:Argument of type|Type) 'Promise<.*' is not assignable to (?:parameter of )?type 'Promise</s;

/** Whether the mistake is a missing `await`. */
export function isMissingAwait({ messages }: Diagnostic): boolean {
  return messages.some((message) => PROMISE.test(message));
}

type Program = {
  readonly source: string;
  toTextOffset(sourceOffset: number): number;
  /** Whether a result has a field of this name somewhere. */
  isField(name: string): boolean;
  /** Whether the compiler finds fault with this very expression. */
  isWrong(node: SyntaxNode): boolean;
};

export async function isHarmless(
  diagnostic: Diagnostic,
  path: readonly SyntaxNode[],
  tool: FoundTool | undefined,
  query: TypeQuery,
  program: Program,
): Promise<boolean> {
  const { code, messages } = diagnostic;
  // Below 2000 is grammar, which the parser has passed; 7000 and up are implicit `any`s.
  if (code < 2000 || (code >= 7000 && code < 8000) || HARMLESS.has(code) || isInType(path)) return true;
  if (isMissingAwait(diagnostic)) return false;
  if (OTHER_PROMISE.test(messages[0] ?? "")) return true;
  if (messages.some((message) => WIDENED.test(message))) return true;
  if (ASSIGNED.has(code) && isReassigned(path)) return true;
  if (ARGUMENT_COUNT.has(code)) return tool === undefined;
  if (isAboutAssigning(code)) {
    const isOfTool = tool !== undefined || messages.some((message) => BY_NAME.test(message));
    const isLoose = messages.some((message) => LOOSE.test(message) || OPTIONAL.test(message));
    return !isOfTool || isLoose || isFilledLater(path, messages, program.source);
  }
  if (!NO_PROPERTY.has(code)) return false;
  // Object.values(), Map and the like make `unknown` of a result whose type nobody knows.
  if (messages.some((message) => /on type '(?:unknown|\{\})'/.test(message))) return true;
  const [, property = ""] = /^Property '(.+?)' does not exist/.exec(messages[0] ?? "") ?? [];
  // Said of a union: one of its members has it, and no program narrows the results of tools as TypeScript would like.
  if (messages.length > 1 && program.isField(property)) return true;
  if (isGuarded(path, program.source, program.isWrong)) return true;
  const object = childOf(
    path.findLast(({ type }) => type === "MemberExpression"),
    "object",
  );
  if (object === undefined) return false;
  const [, name] = /on type '(\w+)'/.exec(messages[0] ?? "") ?? [];
  const isOfClass = name !== undefined && new RegExp(`\\bclass\\s+${name}\\b`).test(program.source);
  if (isOfClass) return isGiven(property, program.source);
  const declarations = await query.declarationsAt(program.toTextOffset(object.end) - 1);
  // `const found = {}; found.total = 1` is no mistake, nor is `this.total = 1`.
  const own = declarations.filter(({ path: file }) => file === PROGRAM);
  // A union has no declaration of its own.
  const mayBeOwn = own.length > 0 || declarations.length === 0;
  if (own.some(({ kind }) => GROWS.has(kind)) && isGiven(property, program.source)) return true;
  return mayBeOwn && isKeyElsewhere(property, program.source);
}

/** Whether the program gives something this property, by its name or in a way that can give any. */
function isGiven(property: string, source: string): boolean {
  const isAssigned = new RegExp(
    `\\.\\s*${toPattern(property)}\\s*(?:=(?!=)|\\+\\+|--|(?:[-+*/%&|^?]|\\*\\*|&&|\\|\\||\\?\\?|<<|>>>?)=)`,
    "u",
  );
  return (
    isAssigned.test(source) ||
    /\]\s*(?:[-+*/|?]{0,2}=(?!=)|\+\+)|Object\.(?:assign|definePropert)|Reflect\.|prototype/.test(source)
  );
}

/**
 * Without strict null checks `if (r.ok)` does not tell the members of `{ ok: true; value: V } | { ok: false; error: E }`
 * apart. A field that one of the program's own types or objects has is none that was misspelt.
 */
function isKeyElsewhere(property: string, source: string): boolean {
  const name = toPattern(property);
  return new RegExp(
    `(?<![\\p{ID_Continue}$.])["']?${name}["']?\\s*(?:\\?\\s*)?:|[{,]\\s*${name}\\s*[,}]`,
    "u",
  ).test(source);
}

/** Whether one type fits another, or overlaps with it. Only of a tool's arguments is that our business. */
function isAboutAssigning(code: number): boolean {
  return ASSIGNED.has(code) || [2345, 2367, 2461, 2488, 2769, 2559, 2353].includes(code);
}

/** `best = …`: a variable may hold one thing now and another later. */
function isReassigned(path: readonly SyntaxNode[]): boolean {
  const [parent, last] = path.slice(-2);
  return (
    parent?.type === "AssignmentExpression" && last?.type === "Identifier" && childOf(parent, "left") === last
  );
}
