import type { TopTable } from "./top-table.ts";

/** What is said below a table that does not show all. */
export function toRestLine(
  table: Pick<TopTable<unknown>, "size" | "isFull">,
  shown: number,
  { what, missing }: { readonly what: string; readonly missing: number },
): string | undefined {
  if (table.size <= shown && missing <= 0) return undefined;
  const names = `${table.isFull ? "at least " : ""}${(table.size - shown).toLocaleString("en-US")} more ${what}`;
  return missing > 0
    ? `and ${names}, with ${missing.toLocaleString("en-US")} events together`
    : `and ${names}`;
}
