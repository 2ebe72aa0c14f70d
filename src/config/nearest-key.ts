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

/** Longer ones are nobody's slip of the finger. */
const MAX_COMPARED = 200;

/** What to write instead of an unknown key. Of a key that means the opposite, the value must change with it. */
export function suggestKey(
  key: string,
  known: readonly string[],
  value?: unknown,
): { text: string; hint: string } | undefined {
  const nearest = nearestKey(key, known);
  if (nearest === undefined) return undefined;
  if (fold(key) === "disabled" && nearest === "enabled") {
    const text = 'did you mean "enabled", which is its opposite?';
    return { text, hint: `Write "enabled": ${value === false}` };
  }
  if (MILLISECONDS.has(nearest) && fold(key) !== fold(nearest)) {
    const text = `did you mean "${nearest}", which is in milliseconds?`;
    return { text, hint: `Write "${nearest}", in milliseconds, instead of "${key}"` };
  }
  return { text: `did you mean "${nearest}"?`, hint: `Write "${nearest}" instead of "${key}"` };
}

/** The known key that was most likely meant, or undefined when none is close. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  if (key.length > MAX_COMPARED) return undefined;
  const folded = fold(key);
  const candidates = known.map(fold);
  const same = known[candidates.indexOf(folded)];
  if (same !== undefined) return same;
  const synonyms = Object.hasOwn(SYNONYMS, folded) ? (SYNONYMS[folded] ?? []) : [];
  const synonym = synonyms.find((candidate) => known.includes(candidate));
  if (synonym !== undefined) return synonym;

  let nearest: string | undefined;
  let best = Math.max(1, Math.floor(folded.length / 3)) + 1;
  for (const [at, candidate] of candidates.entries()) {
    const distance = editDistance(folded, candidate, best);
    if (distance >= best) continue;
    best = distance;
    nearest = known[at];
  }
  return nearest;
}

/** Case, hyphens and underscores make no difference: `max_execution_time` is `maxExecutionTime`. */
function fold(key: string): string {
  return key
    .slice(0, 64)
    .toLowerCase()
    .replace(/[-_\s]/g, "");
}

/** Stops as soon as it can't be below `limit` any more, and says that. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (current.every((distance) => distance >= limit)) return limit;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
