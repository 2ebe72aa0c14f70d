import { foldSpelling, nearestName, sameName } from "../text/nearest-name.ts";

/** Names that people bring along from other files, whatever the distance. */
const SYNONYMS: Record<string, readonly string[]> = {
  mcpservers: ["servers"],
  servers: ["mcpServers"],
  timeout: ["timeoutMs", "maxExecutionTime"],
  tooltimeoutsec: ["timeoutMs"],
  startuptimeoutsec: ["connectTimeoutMs"],
  maxexecutiontimems: ["maxExecutionTime"],
  disabled: ["enabled"],
  transport: ["type"],
  transporttype: ["type"],
  httpurl: ["url"],
  httpheaders: ["headers"],
  enabledtools: ["includeTools"],
  disabledtools: ["excludeTools"],
  envvars: ["inheritEnv"],
  sandbox: ["sandboxMode"],
};

/** In these the unit is not said by what people write instead. */
const MILLISECONDS = new Set(["connectTimeoutMs", "timeoutMs", "maxExecutionTime", "maxSleepTime"]);

/** What to write instead of an unknown key. Of a key that means the opposite, the value must change with it. */
export function suggestKey(
  key: string,
  known: readonly string[],
  value?: unknown,
): { text: string; hint: string } | undefined {
  const nearest = nearestKey(key, known);
  if (nearest === undefined) return undefined;
  if (foldSpelling(key) === "disabled" && nearest === "enabled") {
    const text = 'did you mean "enabled", which is its opposite?';
    return { text, hint: `Write "enabled": ${value === false}` };
  }
  if (MILLISECONDS.has(nearest) && foldSpelling(key) !== foldSpelling(nearest)) {
    const text = `did you mean "${nearest}", which is in milliseconds?`;
    return { text, hint: `Write "${nearest}", in milliseconds, instead of "${key}"` };
  }
  return { text: `did you mean "${nearest}"?`, hint: `Write "${nearest}" instead of "${key}"` };
}

/** The known key that was most likely meant, or undefined when none is close. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const same = sameName(key, known);
  if (same !== undefined) return same;
  const folded = foldSpelling(key);
  const synonyms = Object.hasOwn(SYNONYMS, folded) ? (SYNONYMS[folded] ?? []) : [];
  return synonyms.find((candidate) => known.includes(candidate)) ?? nearestName(key, known);
}
