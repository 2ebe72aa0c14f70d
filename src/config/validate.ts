import type { z } from "zod";
import { KeyholeError } from "../errors.ts";
import { nearestName } from "../text/nearest-name.ts";
import { ownValue } from "../text/own-value.ts";
import { toPlainText } from "../text/plain-text.ts";
import type { ConfigDocument } from "./files/document.ts";
import { describeType, isJsonObject, type JsonValue } from "./files/json-value.ts";
import { formatKeyPath, type KeyPath, valueAt } from "./files/key-path.ts";
import { suggestKey } from "./nearest-key.ts";
import {
  configSchema,
  DIGITS_EXPECTED,
  EXPECTATIONS,
  type KeyholeConfig,
  toConfigJsonSchema,
} from "./schema.ts";
import { serverNameProblem } from "./server-definition.ts";

type Problem = { path: KeyPath; part: "key" | "value"; text: string; hint: string };

const MAX_LISTED = 10;
const MAX_HINTS = 4;
/** Of so many, all are told. */
const MAX_CHOICES = 10;

/** The only keys of a server whose values are printed: anything else there may hold a secret. */
const SHOWN_KEYS = new Set<string | number>([
  "type",
  "from",
  "protocol",
  "enabled",
  "trusted",
  "connectTimeoutMs",
  "timeoutMs",
  "maxConcurrency",
  "maxMessageBytes",
  "maxMessageValues",
  "parseText",
]);

/** Checks the block that stands in the document under `root`; every problem goes into one error. */
export function validateConfig(
  document: ConfigDocument,
  block: JsonValue,
  root: KeyPath = [],
): KeyholeConfig {
  const problems = nameProblems(block);
  const result = configSchema.safeParse(block);
  if (result.success && problems.length === 0) return result.data;
  const issues = result.error?.issues ?? [];
  problems.push(...issues.flatMap((issue) => toProblems(issue, block)));
  throw toError(document, root, problems);
}

function toError(document: ConfigDocument, root: KeyPath, problems: Problem[]): KeyholeError {
  const distinct = onePerKey(problems);
  const lines = distinct.slice(0, MAX_LISTED).map(({ path, part, text }) => {
    const full = [...root, ...path];
    return `${document.at(full, part)}: ${full.length === 0 ? "the file" : `key "${formatKeyPath(full)}"`} ${text}`;
  });
  if (distinct.length > MAX_LISTED) lines.push(`and ${distinct.length - MAX_LISTED} more`);
  // What says more than the problem itself comes first.
  const isGeneral = (hint: string) => Number(hint.startsWith("Give "));
  const hints = [...new Set(distinct.map(({ hint }) => hint))].sort((a, b) => isGeneral(a) - isGeneral(b));
  return new KeyholeError("config_invalid", toPlainText(lines.join("\n  ")), {
    hint: toPlainText(hints.slice(0, MAX_HINTS).join("; ")),
  });
}

/** Zod tells of a number's own limits and then of the key's: the last one is what the key says. */
function onePerKey(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [formatKeyPath(problem.path), problem])).values()];
}

/** What Zod passes over in silence: it drops a key named `__proto__`. */
function nameProblems(value: JsonValue, path: KeyPath = []): Problem[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => nameProblems(item, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const inside = [...path, key];
    const isServer = path.length === 1 && path[0] === "servers";
    const text = isServer
      ? serverNameProblem(key)
      : key === "__proto__"
        ? "is not a name that can be used"
        : undefined;
    const own: Problem[] =
      text === undefined
        ? []
        : [
            {
              path: inside,
              part: "key",
              text: isServer ? `is refused: ${text}` : text,
              hint: "Use another name",
            },
          ];
    return [...own, ...nameProblems(item, inside)];
  });
}

function toProblems(issue: z.core.$ZodIssue, block: JsonValue): Problem[] {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  // Reported by `nameProblems` already.
  if (path.includes("__proto__")) return [];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.filter((key) => key !== "__proto__").map((key) => unknownKey(path, key, block));
  }
  const value = valueAt(block, path);
  if (issue.code === "invalid_key") {
    const text = issue.issues[0]?.message ?? issue.message;
    return [{ path, part: "key", text, hint: "Use another name" }];
  }
  if (issue.code === "invalid_value" && issue.values.length > MAX_CHOICES && typeof value === "string")
    return [unknownChoice(path, value, issue.values.map(String))];
  const expected = describeExpected(issue);
  const text = expected === undefined ? issue.message : `${expected}, got ${describeValue(value, path)}`;
  return [{ path, part: "value", text, hint: fixFor(issue, path, value) }];
}

function unknownKey(path: KeyPath, key: string, block: JsonValue): Problem {
  const known = knownKeysAt(path);
  const inside = [...path, key];
  if (known.length === 0) {
    const section = formatKeyPath(path);
    const text = `is not known: this version has no settings under "${section}"`;
    return { path: inside, part: "key", text, hint: `Leave "${section}" out, or empty` };
  }
  const suggestion = suggestKey(key, known, valueAt(block, inside));
  if (suggestion === undefined) {
    // The same hint for every such key: it is shown once.
    const hint = `Known keys${path.length === 0 ? "" : ` ${whereOf(path)}`}: ${known.join(", ")}`;
    return { path: inside, part: "key", text: "is not known here", hint };
  }
  return { path: inside, part: "key", text: `is not known, ${suggestion.text}`, hint: suggestion.hint };
}

/** A value that is none of many. */
function unknownChoice(path: KeyPath, value: string, known: readonly string[]): Problem {
  const nearest = nearestName(value, known);
  const meant = nearest === undefined ? "" : `, did you mean "${nearest}"?`;
  const hint =
    nearest === undefined
      ? `Known there: ${known.join(", ")}`
      : `Write "${nearest}" instead of ${describeValue(value, path)}`;
  return { path, part: "value", text: `can't be ${describeValue(value, path)}${meant}`, hint };
}

function whereOf(path: KeyPath): string {
  return path[0] === "servers" ? "of a server" : `under "${formatKeyPath(path)}"`;
}

function knownKeysAt(path: KeyPath): string[] {
  let schema: unknown = toConfigJsonSchema();
  for (const step of path) {
    schema = choices(schema)
      .map(
        (choice) =>
          member(member(choice, "properties"), String(step)) ??
          member(choice, "additionalProperties") ??
          member(choice, "items"),
      )
      .find((found) => found !== undefined);
  }
  const names = choices(schema).map((choice) => ownValue(member(choice, "propertyNames"), "enum"));
  const listed = names.find((found) => Array.isArray(found));
  if (Array.isArray(listed)) return listed.map(String);
  const properties = choices(schema).map((choice) => member(choice, "properties"));
  return Object.keys(properties.find((found) => found !== undefined) ?? {}).filter(
    (key) => key !== "$schema",
  );
}

/** What may stand there: a section that may be null is written as a choice. */
function choices(schema: unknown): unknown[] {
  const anyOf = member(schema, "anyOf");
  return Array.isArray(anyOf) ? anyOf : [schema];
}

function member(value: unknown, key: string): object | undefined {
  const found = ownValue(value, key);
  return typeof found === "object" && found !== null ? found : undefined;
}

/** What a value must be; nothing where the message is about something else. */
function describeExpected(issue: z.core.$ZodIssue): string | undefined {
  if (EXPECTATIONS.has(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${EXPECTED_TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_small":
      return issue.origin === "string"
        ? "must be a text that is not empty"
        : `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

const EXPECTED_TYPES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function fixFor(issue: z.core.$ZodIssue, path: KeyPath, value: JsonValue | undefined): string {
  const key = formatKeyPath(path);
  const scalar = typeof value === "number" || typeof value === "boolean";
  if (issue.code === "invalid_type" && issue.expected === "string" && scalar) return `Put "${key}" in quotes`;
  if (issue.code === "invalid_type" && issue.expected === "array" && typeof value === "string")
    return `Write "${path.at(-1)}": ["…"], each item a text of its own`;
  if (issue.code === "custom" && issue.message === DIGITS_EXPECTED) return `Put "${key}" in quotes`;
  if (issue.code === "custom") return `Mend "${key}" or remove it`;
  return `Give "${key}" a value of that kind, or remove it`;
}

function describeValue(value: JsonValue | undefined, path: KeyPath): string {
  if (typeof value === "object" || value === undefined) return describeType(value);
  const [section, , key = ""] = path;
  // Tokens stand there.
  if (section === "http" && path[1] !== "open") return describeType(value);
  if (section === "approval" && path[1] === "webhook") return describeType(value);
  const isShown = section !== "servers" || (path.length === 3 && SHOWN_KEYS.has(key) && isWord(value));
  if (!isShown) return describeType(value);
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

/** Short enough to be a slip of the pen, and no command line that went astray. */
function isWord(value: string | number | boolean): boolean {
  return typeof value !== "string" || /^[\w.-]{0,20}$/.test(value);
}
