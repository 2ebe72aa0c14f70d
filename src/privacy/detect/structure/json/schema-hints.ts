import type { PiiClass } from "../../../../pii-classes.ts";
import { isRecord } from "../../../../text/is-record.ts";
import { ownValue } from "../../../../text/own-value.ts";
import { readKey } from "../keys/key-meaning.ts";
import type { KeyVerdict } from "../keys/key-verdict.ts";

/** What a JSON Schema says of the values that it is for. */
export type SchemaHint = {
  readonly verdict: KeyVerdict | undefined;
  readonly members: ReadonlyMap<string, SchemaHint>;
  readonly items: SchemaHint | undefined;
};

const MAX_DEPTH = 12;
const MAX_HINTS = 5_000;
const MAX_DESCRIPTION = 200;
const FORMATS: { readonly [format: string]: PiiClass } = {
  email: "EMAIL",
  "idn-email": "EMAIL",
  ipv4: "IP",
  ipv6: "IP",
  phone: "PHONE",
  tel: "PHONE",
  password: "PASSWORD",
  "credit-card": "CREDIT_CARD",
  iban: "IBAN",
  ssn: "SSN",
};

/** The hints of a schema; nothing where it has none. */
export function readSchemaHints(schema: unknown): SchemaHint | undefined {
  return readHint(schema, 0, { left: MAX_HINTS });
}

function readHint(schema: unknown, depth: number, budget: { left: number }): SchemaHint | undefined {
  if (!isRecord(schema) || depth > MAX_DEPTH || budget.left-- <= 0) return undefined;
  const members = new Map<string, SchemaHint>();
  const properties = ownValue(schema, "properties");
  if (isRecord(properties))
    for (const key of Object.keys(properties)) {
      const hint = readHint(ownValue(properties, key), depth + 1, budget);
      if (hint !== undefined) members.set(key, hint);
    }
  const items = readHint(ownValue(schema, "items"), depth + 1, budget);
  const verdict = verdictOf(schema);
  return verdict === undefined && items === undefined && members.size === 0
    ? undefined
    : { verdict, items, members };
}

function verdictOf(schema: Record<string, unknown>): KeyVerdict | undefined {
  const format = ownValue(schema, "format");
  const byFormat = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (byFormat !== undefined)
    return { class: byFormat, confidence: 0.95, takes: "whole", rule: `format:${format}` };
  const described = [ownValue(schema, "title"), ownValue(schema, "description")];
  for (const text of described) {
    const name = typeof text === "string" ? classOfDescription(text) : undefined;
    if (name !== undefined) return { class: name, confidence: 0.8, takes: "whole", rule: "schema" };
  }
  return undefined;
}

/** `The customer's full name`, `Date of birth (YYYY-MM-DD)`: what is said first, as a key would say it. */
function classOfDescription(text: string): PiiClass | undefined {
  const [first = ""] = text
    .slice(0, MAX_DESCRIPTION)
    .split(/[.,:;(\n]|\s(?:of|for|in|that|which|who|to|as|if|when)\s(?!birth)/);
  const words = first
    .replace(/['’]s\b/g, "")
    .split(/\s+/)
    .filter((word) => !/^(?:the|a|an|this|their|its|his|her|your|optional|required)$/i.test(word));
  if (words.length === 0 || words.length > 5) return undefined;
  const meaning = readKey(words.join(" "));
  return meaning.kind === "sure" ? meaning.class : undefined;
}
