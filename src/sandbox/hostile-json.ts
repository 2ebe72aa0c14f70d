const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Deeper values overflow the stack of whoever walks them next, `JSON.stringify` for one. */
const MAX_DEPTH = 512;

/**
 * Parses JSON that a program wrote. `undefined` when it is no JSON or nested too deep. Keys named `__proto__` are left
 * out wherever they stand, so that no later `Object.assign` can set a prototype.
 */
export function parseHostileJson(bytes: Buffer): { value: unknown } | undefined {
  if (!isShallow(bytes)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
  // An escape can spell the name in other ways, so any `\u` makes us look.
  if (bytes.includes("__proto__") || bytes.includes("\\u")) dropPrototypeKeys(value);
  return { value };
}

function isShallow(bytes: Buffer): boolean {
  // Too short to be deep: each level takes two bytes.
  if (bytes.length <= 2 * MAX_DEPTH) return true;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1);
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return false;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth--;
    }
  }
  return true;
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at;
  }
  return bytes.length;
}

function dropPrototypeKeys(root: unknown): void {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
    for (const item of Object.values(value)) if (typeof item === "object") open.push(item);
  }
}
