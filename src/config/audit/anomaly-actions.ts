import { isJsonObject, type JsonValue } from "../files/json-value.ts";
import { NOTE_RULE_NAMES } from "./anomaly-rules.ts";
import { ANOMALY_ACTIONS } from "./schema.ts";

const ORDER: readonly JsonValue[] = ["off", ...ANOMALY_ACTIONS];
const NOTES: ReadonlySet<string> = new Set(NOTE_RULE_NAMES);

/** What a project says, with none of its rules milder than the user's `action`, unless the user speaks of that rule. */
export function withUsersAction(project: JsonValue, user: JsonValue): JsonValue {
  if (!isJsonObject(user) || !isJsonObject(project)) return project;
  const { action, rules: named } = user;
  const { rules } = project;
  if (action === undefined || !isJsonObject(rules)) return project;
  const held = Object.entries(rules).map(([name, said]): [string, JsonValue] => {
    // Those that only take notes are off by default, whatever the action.
    const isFree = NOTES.has(name) || (isJsonObject(named) && Object.hasOwn(named, name));
    return [name, isFree || ORDER.indexOf(said) > ORDER.indexOf(action) ? said : action];
  });
  return { ...project, rules: Object.fromEntries(held) };
}
