/**
 * Parses JSON that a program wrote and that has been weighed (`json-weight.ts`). `undefined` when it is none. Keys named
 * `__proto__` are left out wherever they stand, so that no later `Object.assign` can set a prototype.
 */
export function parseHostileJson(bytes: Buffer): { value: unknown } | undefined {
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // An escape can spell the name in other ways, so any `\u` makes us look.
  if (text.includes("__proto__") || text.includes("\\u")) dropPrototypeKeys(value);
  return { value };
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
