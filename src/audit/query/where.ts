import { isRecord } from "../../text/is-record.ts";
import { ownValue } from "../../text/own-value.ts";
import type { FieldCondition } from "./filter.ts";

/** Whether the event's fields say all of it. */
export function holdsWhere(event: object, where: readonly FieldCondition[] | undefined): boolean {
  return where === undefined || where.every((condition) => holds(event, condition));
}

function holds(event: object, { field, is, isNot }: FieldCondition): boolean {
  let value: unknown = event;
  for (const key of field.split(".")) value = fieldOf(value, key);
  if (is === null) return value === undefined || value === null;
  if (value === undefined || value === null) return false;
  if (isNot !== undefined) return String(value) !== isNot;
  if (is === undefined) return true;
  return Array.isArray(value) ? value.some((one) => String(one) === is) : String(value) === is;
}

function fieldOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isRecord(value) ? ownValue(value, key) : undefined;
}

/** `details.host=api.example.com`, `details.port!=443`, `details.classes.EMAIL`, or `!risk`; nothing where it is none of these. */
export function parseWhere(text: string): FieldCondition | undefined {
  const [, not, field, rest] = /^(!?)([A-Za-z_][\w.-]{0,199})(!?=[\s\S]{0,2000})?$/.exec(text) ?? [];
  if (field === undefined) return undefined;
  if (not) return rest === undefined ? { field, is: null } : undefined;
  if (rest === undefined) return { field };
  return rest.startsWith("!") ? { field, isNot: rest.slice(2) } : { field, is: rest.slice(1) };
}

/** As it is written on a command line. */
export function toWhereText({ field, is, isNot }: FieldCondition): string {
  if (is === null) return `!${field}`;
  if (isNot !== undefined) return `${field}!=${isNot}`;
  return is === undefined ? field : `${field}=${is}`;
}
