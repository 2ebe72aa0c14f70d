import type { JsonValue } from "../files/json-value.ts";
import { type KeptClass, toKeptDays } from "./kept-days.ts";
import { auditSchema } from "./schema.ts";

/**
 * Class by class the longer, however each side says it. Where the user speaks of any time, what the user does not name is kept for
 * ever, whatever the project says of it.
 */
export function combineRetention(user: JsonValue, project: JsonValue): JsonValue {
  const [mine, theirs] = [user, project].map((side) => auditSchema.shape.retention.parse(side));
  const [kept, asked] = [toKeptDays(mine), toKeptDays(theirs)];
  const says = [mine?.archive, theirs?.archive].filter((archive) => archive !== undefined);
  const isSaid = Object.keys(kept).length > 0;
  const entries = Object.entries(isSaid ? kept : asked).map(([name, days]): [string, number] => [
    name,
    Math.max(days, asked[name as KeptClass] ?? 0),
  ]);
  return {
    classes: Object.fromEntries(entries),
    ...(says.length > 0 && { archive: says.includes(true) }),
  };
}
