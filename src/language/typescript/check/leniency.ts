import { toPattern } from "../prepare/pattern.ts";
import { isInType, type SyntaxNode, syntaxChild } from "../prepare/syntax-path.ts";
import {
  absentProperty,
  GROWING_KINDS,
  isLoose,
  isOfNamedTool,
  isOnUnknown,
  isPromiseForPromise,
  isPromiseForValue,
  isWidened,
  ownerName,
} from "../typescript-7.ts";
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
const ASSIGNED = new Set([2322, 2739, 2740, 2741]);
const ARGUMENT_COUNT = new Set([2554, 2555, 2556]);
const NO_PROPERTY = new Set([2339, 2551]);

/** Whether the mistake is a missing `await`. */
export function isMissingAwait({ messages }: Diagnostic): boolean {
  return messages.some(isPromiseForValue);
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
  /** Whether it is in a call of a tool, or of a skill's function: what these take is known. */
  isOfKnown: boolean,
  query: TypeQuery,
  program: Program,
): Promise<boolean> {
  const { code, messages } = diagnostic;
  // Below 2000 is grammar, which the parser has passed; 7000 and up are implicit `any`s.
  if (code < 2000 || (code >= 7000 && code < 8000) || HARMLESS.has(code) || isInType(path)) return true;
  if (isMissingAwait(diagnostic)) return false;
  if (isPromiseForPromise(messages[0] ?? "")) return true;
  if (messages.some(isWidened)) return true;
  if (ASSIGNED.has(code) && isReassigned(path)) return true;
  if (ARGUMENT_COUNT.has(code)) return !isOfKnown;
  if (isAboutAssigning(code)) {
    const isOfTool = isOfKnown || messages.some(isOfNamedTool);
    const mayFit = messages.some(isLoose);
    return !isOfTool || mayFit || isFilledLater(path, messages, program.source);
  }
  if (!NO_PROPERTY.has(code)) return false;
  if (messages.some(isOnUnknown)) return true;
  const property = absentProperty(messages[0] ?? "") ?? "";
  // Said of a union: one of its members has it, and no program narrows the results of tools as TypeScript would like.
  if (messages.length > 1 && program.isField(property)) return true;
  if (isGuarded(path, program.source, program.isWrong)) return true;
  const object = syntaxChild(
    path.findLast(({ type }) => type === "MemberExpression"),
    "object",
  );
  if (object === undefined) return false;
  const name = ownerName(messages[0] ?? "");
  const isOfClass = name !== undefined && new RegExp(`\\bclass\\s+${name}\\b`).test(program.source);
  if (isOfClass) return isGiven(property, program.source);
  const declarations = await query.declarationsAt(program.toTextOffset(object.end) - 1);
  // `const found = {}; found.total = 1` is no mistake, nor is `this.total = 1`.
  const own = declarations.filter(({ path: file }) => file === PROGRAM);
  // A union has no declaration of its own.
  const mayBeOwn = own.length > 0 || declarations.length === 0;
  if (own.some(({ kind }) => GROWING_KINDS.has(kind)) && isGiven(property, program.source)) return true;
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
    parent?.type === "AssignmentExpression" &&
    last?.type === "Identifier" &&
    syntaxChild(parent, "left") === last
  );
}
