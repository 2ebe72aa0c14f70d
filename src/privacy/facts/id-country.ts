import { readGroups } from "../detect/values/digit-groups.ts";
import { HINT } from "../detect/values/hints.ts";
import { judgeMixedId } from "../detect/values/national/mixed.ts";
import { judgeNumericId } from "../detect/values/national/numeric.ts";

const LONGEST_ID = 40;

/** Which country gave out an id. Digits alone fit the rules of several: they count by how they stand, or with the region. */
export function countryOfId(value: string, region?: string): string | undefined {
  const id = value.trim();
  if (id.length > LONGEST_ID) return undefined;
  const compact = id.replace(/[\s./\p{Pd}]+/gu, "");
  if (!/^\d+$/.test(compact)) return toCountry(judgeMixedId(compact, false, HINT.nationalId, true)?.rule);
  const whole = readGroups(id, 0).find(({ end }) => end === id.length);
  if (whole === undefined) return undefined;
  const sure = toCountry(judgeNumericId(whole, 0, false)?.rule);
  if (sure !== undefined || region === undefined) return sure;
  const likely = toCountry(judgeNumericId(whole, HINT.nationalId, true)?.rule);
  return likely === region.toUpperCase() ? likely : undefined;
}

/** Rules are called by their country: `br-cpf`. */
function toCountry(rule: string | undefined): string | undefined {
  const country = rule?.slice(0, 2).toUpperCase();
  return country === "UK" ? "GB" : country;
}
