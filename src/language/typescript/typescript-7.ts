import { SERVER_TYPE } from "./check/type-namespace.ts";

/**
 * All that is read off the text of messages of TypeScript 7.0.2, and off what else its API writes in no documented form. Its
 * codes tell most things; what they do not tell is here and nowhere else. With another version each of these is looked at
 * again: compiler-versions.test.ts fails until that is done.
 */

/**
 * A value whose type was widened on its way: `const state = { state: "open" }` holds a string to TypeScript, `[1, 2]` any
 * number of numbers, and what comes out of a collection that was never described is unknown.
 */
const WIDENED =
  /^(?:Type|Argument of type) (?:'unknown'|'string' is not assignable to (?:parameter of )?type '"|'number' is not assignable to (?:parameter of )?type '[\d-])|^Target requires \d+ element|^Source provides no match for required element/;
/** A value of which it is only known that it has keys: it may well have the right ones. */
const LOOSE = /^(?:Type|Argument of type) '(?:Record<string, |\{ \[\w+: string\]: )/;
/** `Partial<…>`: what may be absent may well be there. */
const OPTIONAL = /^Property '.+?' is optional in type '.*' but required in type '/s;
/** `callMCPTool("github__create_isue")`. */
const BY_NAME = /^Argument of type '"[^"]+__[^"]*"'/;
/** A promise where its value is meant. Promises may stand where promises are expected. */
const PROMISE =
  /^(?:Argument of type|Type) 'Promise<.*' is not assignable to (?:parameter of )?type '(?!.*(?:Promise|=>))|' does not exist on type 'Promise<|^Type 'Promise<.*' (?:is not an array type|must have a '\[Symbol\.iterator\]|is not comparable)/s;
/** `const tasks: Promise<void>[] = []; tasks.push(call())`: nobody minds what the promise holds. */
const OTHER_PROMISE =
  /^(?:Argument of type|Type) 'Promise<.*' is not assignable to (?:parameter of )?type 'Promise</s;
/** One property, or several, of which it names the first ones. */
const MISSING =
  /^Property '(.+?)' is missing in type|missing the following properties from type .*?: (.+?)(?:, and \d+ more\.?)?$/s;
/** The compiler names types without their namespace. */
const OF_SERVER = new RegExp(`'${SERVER_TYPE.replace("$", "\\$")}([\\p{ID_Continue}]+)'`, "u");

export const isWidened = (message: string): boolean => WIDENED.test(message);
export const isLoose = (message: string): boolean => LOOSE.test(message) || OPTIONAL.test(message);
export const isOfNamedTool = (message: string): boolean => BY_NAME.test(message);
export const isPromiseForValue = (message: string): boolean => PROMISE.test(message);
export const isPromiseForPromise = (message: string): boolean => OTHER_PROMISE.test(message);
/** `Object.values()`, `Map` and the like make `unknown` of a result whose type nobody knows. */
export const isOnUnknown = (message: string): boolean => /on type '(?:unknown|\{\})'/.test(message);
/** That a type does not fit, without a word on whose it is. */
export const isOfType = (message: string): boolean => /^Type '/.test(message);

/** The property that there is not. */
export function absentProperty(message: string): string | undefined {
  return /^Property '(.+?)' does not exist/.exec(message)?.[1];
}

/** The type that lacks a property, where it has a name. */
export function ownerName(message: string): string | undefined {
  return /on type '(\w+)'/.exec(message)?.[1];
}

/** The same where it is written out. */
export function ownerType(message: string): string | undefined {
  return /on type '(\{.*\})'/.exec(message)?.[1];
}

/** The properties that a value should have and has not. */
export function missingProperties(message: string): string[] {
  const [, one, several] = MISSING.exec(message) ?? [];
  return (one ?? several ?? "").split(", ").flatMap((name) => (name === "" ? [] : [name.replace(/\.$/, "")]));
}

/** The text that was given as an argument. */
export function literalArgument(message: string): string | undefined {
  return /^Argument of type '"(.*?)"'/s.exec(message)?.[1];
}

/** The name that the compiler thinks was meant. */
export function suggestedName(message: string): string | undefined {
  return /Did you mean '(.+?)'\?$/.exec(message)?.[1];
}

/** The server's identifier in a message about its global. */
export function serverInMessage(message: string): string | undefined {
  return OF_SERVER.exec(message)?.[1];
}

/** A type as messages quote it. */
const quoted = (type: string): string => `'${type}'`;

/** Whether a message, or the clause made of it, is about a type of this name. */
export const mentionsType = (message: string, type: string): boolean => message.includes(quoted(type));

/** The same with other words in the place of the type. */
export function withTypeAs(message: string, type: string, words: string): string {
  return message.replace(`type ${quoted(type)}`, () => words);
}

/** A message as part of a sentence, with the types in it no longer than `cut` leaves them. */
export function toClause(message: string, cut: (type: string) => string): string {
  return message.replace(/\.$/, "").replace(/'(\{.*\})'/, (_, type: string) => quoted(cut(type)));
}

/** A type that the compiler wrote out, as we write it: it puts one semicolon more. */
export const toOurType = (type: string): string => type.replaceAll("; }", " }");

/** Kinds of syntax, by numbers that change with each version: object literals and classes. */
export const GROWING_KINDS: ReadonlySet<number> = new Set([211, 232, 264]);

/** What a handle of a declaration tells: `12.264./keyhole/program.ts`. */
export function readDeclaration(
  handle: string,
): { readonly kind: number; readonly path: string } | undefined {
  const [, kind, path] = /^\d+\.(\d+)\.(.*)$/s.exec(handle) ?? [];
  return path === undefined ? undefined : { kind: Number(kind), path };
}
