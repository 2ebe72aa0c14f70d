/** What stands under a key of a value from outside: its own, never a prototype's, and no getter is run. */
export function ownValue(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}
