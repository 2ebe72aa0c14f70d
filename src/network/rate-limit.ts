const MINUTE_MS = 60_000;
const MAX_KEYS = 10_000;

/** How many in the last minute, by key. Undefined when there is room (and then it is counted); else the wait in ms. */
export function createMinuteLimit(perMinute: number, now: () => number = () => performance.now()) {
  const times = new Map<string, number[]>();

  function forget(): void {
    for (const [key, list] of times) if ((list.at(-1) ?? 0) <= now() - MINUTE_MS) times.delete(key);
  }

  return (key: string): number | undefined => {
    const since = now() - MINUTE_MS;
    if (times.size >= MAX_KEYS) forget();
    const recent = (times.get(key) ?? []).filter((time) => time > since);
    times.set(key, recent);
    const first = recent[0];
    if (recent.length >= perMinute && first !== undefined) return first - since;
    recent.push(now());
    return undefined;
  };
}
