/** Units are powers of 1024, with or without the "i", as Docker and the JVM read them. */
const UNIT_POWERS: Record<string, number> = { "": 0, k: 1, m: 2, g: 3, t: 4 };

const SIZE = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i;
const CORES = /^(\d+(?:\.\d+)?)(?:\s*cores?)?$/i;

/** The same as a JSON Schema pattern, which has no flag for case. */
export const SIZE_PATTERN = /^\d+(\.\d+)?\s*[kKmMgGtT]?([iI]?[bB])?$/;
export const CORES_PATTERN = /^\d+(\.\d+)?(\s*[cC][oO][rR][eE][sS]?)?$/;

/** "512MB", "1.5 GB", "1GiB" or a number of bytes; undefined when it is none of these or not positive. */
export function parseBytes(value: string | number): number | undefined {
  const [, amount = "", unit = ""] = SIZE.exec(String(value).trim()) ?? [];
  const bytes = Math.round(Number(amount) * 1024 ** (UNIT_POWERS[unit.toLowerCase()] ?? 0));
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
}

/** "1 core", "2 cores", "0.5" or a number. */
export function parseCores(value: string | number): number | undefined {
  const [, amount = ""] = CORES.exec(String(value).trim()) ?? [];
  const cores = Number(amount);
  return Number.isFinite(cores) && cores > 0 ? cores : undefined;
}
