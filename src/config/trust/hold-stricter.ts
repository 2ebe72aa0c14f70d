import { DEFAULT_APPROVAL, DEFAULT_LIMIT_TEXTS, DEFAULTS } from "../defaults.ts";
import {
  createJsonObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  toJsonValue,
} from "../files/json-value.ts";
import { DEFAULT_ACTIONS } from "../privacy/actions.ts";
import { combineStricter } from "../stricter.ts";

/** What holds where nothing is said, in the words of a config file. */
export const DEFAULT_BLOCK: JsonObject = toBlock({
  ...DEFAULTS,
  resourceLimits: DEFAULT_LIMIT_TEXTS,
  journal: { enabled: true, onFailure: "continue" },
  http: { open: false },
  approval: DEFAULT_APPROVAL,
  privacy: { classes: DEFAULT_ACTIONS, helpers: true },
});

/**
 * Between settings that the user accepted and others that stand there now, the stricter, value by value: a change can neither take
 * a rule away nor fail to make one stricter. What is new and has no default to compare with waits for the user. `permissions` are
 * not compared here: both files' rules are asked for each call.
 */
export function holdStricter(accepted: JsonObject, written: JsonObject): JsonObject {
  const held = createJsonObject();
  for (const key of new Set([...Object.keys(accepted), ...Object.keys(written)])) {
    const value = stricterOf(key, accepted[key], written[key]);
    if (value !== undefined && key !== "permissions") held[key] = value;
  }
  return held;
}

function stricterOf(
  key: string,
  accepted: JsonValue | undefined,
  written: JsonValue | undefined,
): JsonValue | undefined {
  const known = DEFAULT_BLOCK[key];
  const sides = [accepted ?? undefined, written ?? undefined];
  const isSection = [...sides, known].some(isJsonObject);
  if (!isSection) return combineOne(key, accepted ?? known, written ?? known);
  const [mine, theirs, defaults] = [accepted, written, known].map((side) =>
    isJsonObject(side) ? side : createJsonObject(),
  );
  const [left, right] = [createJsonObject(), createJsonObject()];
  for (const name of new Set([...Object.keys(mine ?? {}), ...Object.keys(theirs ?? {})])) {
    const a = mine?.[name] ?? defaults?.[name];
    if (a === undefined) continue;
    left[name] = a;
    right[name] = theirs?.[name] ?? defaults?.[name] ?? a;
  }
  return Object.keys(left).length === 0 ? undefined : combineOne(key, left, right);
}

function combineOne(key: string, a: JsonValue | undefined, b: JsonValue | undefined): JsonValue | undefined {
  if (a === undefined) return undefined;
  return combineStricter(toBlock({ [key]: a }), toBlock({ [key]: b ?? a }))[key];
}

function toBlock(data: unknown): JsonObject {
  const value = toJsonValue(data);
  return isJsonObject(value) ? value : createJsonObject();
}
