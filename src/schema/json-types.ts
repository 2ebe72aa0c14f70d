/** Sets of JSON types as bits: a schema's `type` and what the place around it allows meet by `&`. */
export const STRING = 1;
/** Numbers with a fraction; `number` as a whole is FRACTION | INTEGER. */
export const FRACTION = 2;
export const INTEGER = 4;
export const BOOLEAN = 8;
export const NULL = 16;
export const ARRAY = 32;
export const OBJECT = 64;
export const NUMBER = FRACTION | INTEGER;
export const ALL = 127;

const STANDARD = new Map([
  ["string", STRING],
  ["number", NUMBER],
  ["integer", INTEGER],
  ["boolean", BOOLEAN],
  ["null", NULL],
  ["array", ARRAY],
  ["object", OBJECT],
]);

/** What servers write instead, often names of their own language's types. */
const NON_STANDARD = new Map([
  ["any", ALL],
  ["unknown", ALL],
  ["mixed", ALL],
  ["str", STRING],
  ["text", STRING],
  ["int", INTEGER],
  ["long", INTEGER],
  ["float", NUMBER],
  ["double", NUMBER],
  ["decimal", NUMBER],
  ["bool", BOOLEAN],
  ["none", NULL],
  ["nil", NULL],
  ["list", ARRAY],
  ["tuple", ARRAY],
  ["dict", OBJECT],
  ["map", OBJECT],
  ["record", OBJECT],
]);

/** The types that a `type` keyword allows; `complain` is told of everything that is not JSON Schema. */
export function toTypeMask(type: unknown, complain: (message: string) => void): number {
  if (type === undefined) return ALL;
  const names = Array.isArray(type) ? type : [type];
  let mask = 0;
  for (const name of names) mask |= nameMask(name, complain);
  if (mask !== 0) return mask;
  complain(`"type" is an empty list`);
  return ALL;
}

function nameMask(name: unknown, complain: (message: string) => void): number {
  if (typeof name !== "string") {
    complain(`"type" is not a string`);
    return ALL;
  }
  const standard = STANDARD.get(name);
  if (standard !== undefined) return standard;
  complain(`type "${name.slice(0, 40)}" is not a JSON type`);
  const lower = name.toLowerCase();
  return STANDARD.get(lower) ?? NON_STANDARD.get(lower) ?? ALL;
}

/** The one type that a JSON value has. */
export function typeOfValue(value: unknown): number {
  if (value === null) return NULL;
  if (typeof value === "string") return STRING;
  if (typeof value === "boolean") return BOOLEAN;
  if (typeof value === "number") return Number.isInteger(value) ? INTEGER : FRACTION;
  return Array.isArray(value) ? ARRAY : OBJECT;
}

export type SchemaObject = { readonly [key: string]: unknown };

/** A keyword's value, never one inherited from a prototype. */
export function keyword(schema: SchemaObject, name: string): unknown {
  return Object.hasOwn(schema, name) ? schema[name] : undefined;
}
