import type { z } from "zod";
import { KeyholeError } from "../errors.ts";
import type { ConfigDocument } from "./files/document.ts";
import { describeType, isJsonObject, type JsonValue } from "./files/json-value.ts";
import { formatKeyPath, type KeyPath } from "./files/key-path.ts";
import { nearestKey } from "./nearest-key.ts";
import { configSchema, type KeyholeConfig, toConfigJsonSchema } from "./schema.ts";
import { serverNameProblem } from "./server-definition.ts";

type Problem = { path: KeyPath; part: "key" | "value"; text: string; hint: string };

const MAX_LISTED = 10;

/** Keys whose values may be secrets: never printed, whatever they are. */
const SECRET_KEYS = new Set(["env", "headers", "bearerToken"]);
/** Keys whose texts may hold a secret, such as a token in an argument or an address. */
const PRIVATE_KEYS = new Set(["command", "args", "url", "cwd", "envFile", "inheritEnv"]);

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
  const lines = problems.slice(0, MAX_LISTED).map(({ path, part, text }) => {
    const full = [...root, ...path];
    return `${document.at(full, part)}: ${full.length === 0 ? "the file" : `key "${formatKeyPath(full)}"`} ${text}`;
  });
  if (problems.length > MAX_LISTED) lines.push(`and ${problems.length - MAX_LISTED} more`);
  const hints = [...new Set(problems.map(({ hint }) => hint))];
  return new KeyholeError("config_invalid", lines.join("\n"), { hint: hints.slice(0, 3).join("; ") });
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
    return issue.keys.filter((key) => key !== "__proto__").map((key) => unknownKey(path, key));
  }
  const value = valueAt(block, path);
  const text = describeIssue(issue);
  const got = text.startsWith("must be") ? `${text}, got ${describeValue(value, path)}` : text;
  return [{ path, part: "value", text: got, hint: fixFor(issue, path, value) }];
}

function unknownKey(path: KeyPath, key: string): Problem {
  const known = knownKeysAt(path);
  const nearest = nearestKey(key, known);
  const inside = [...path, key];
  if (known.length === 0) {
    const section = formatKeyPath(path);
    const text = `is not known: this version has no settings under "${section}"`;
    return { path: inside, part: "key", text, hint: `Leave "${section}" out, or empty` };
  }
  if (nearest === undefined) {
    const text = `is not known here (known: ${known.join(", ")})`;
    return { path: inside, part: "key", text, hint: `Remove "${formatKeyPath(inside)}"` };
  }
  const text = `is not known, did you mean "${nearest}"?`;
  return { path: inside, part: "key", text, hint: `Write "${nearest}" instead of "${key}"` };
}

function knownKeysAt(path: KeyPath): string[] {
  let schema: unknown = toConfigJsonSchema();
  for (const step of path) {
    const properties = member(schema, "properties");
    schema =
      member(properties, String(step)) ?? member(schema, "additionalProperties") ?? member(schema, "items");
  }
  return Object.keys(member(schema, "properties") ?? {}).filter((key) => key !== "$schema");
}

function member(value: unknown, key: string): object | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
  return typeof found === "object" && found !== null ? found : undefined;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  // The schema's own words, where it has some.
  if (issue.message.startsWith("must be")) return issue.message;
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
      return issue.message;
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
  if (issue.code === "custom") return `Mend "${key}" or remove it`;
  return `Give "${key}" a value of that kind, or remove it`;
}

function describeValue(value: JsonValue | undefined, path: KeyPath): string {
  const secret = path.some((step) => typeof step === "string" && SECRET_KEYS.has(step));
  const hidden = path.some((step) => typeof step === "string" && PRIVATE_KEYS.has(step));
  if (secret || typeof value === "object" || value === undefined) return describeType(value);
  if (typeof value !== "string") return JSON.stringify(value);
  if (hidden) return describeType(value);
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

function valueAt(block: JsonValue, path: KeyPath): JsonValue | undefined {
  let value: JsonValue | undefined = block;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === "number") value = value[step];
    else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[String(step)];
    else return undefined;
  }
  return value;
}
