/**
 * Nothing of the user's or of the machine's packages, no byte code written, UTF-8 everywhere. Environment variables count, since
 * tiers clear them and set ours. `waits`: it has time to load what most programs need, since no program is there yet.
 */
export function pythonArguments(runner: string, { waits = false } = {}): string[] {
  return ["-s", "-S", "-B", "-X", "utf8", runner, ...(waits ? ["wait"] : [])];
}

/** The order of a set of texts is the same each time, as a program that goes on after an approval needs it. */
export const PYTHON_ENVIRONMENT = { PYTHONHASHSEED: "0", LC_ALL: "C.UTF-8", TZ: "UTC" } as const;
