import type { PiiClass } from "../pii-classes.ts";

export function maskOf(kind: PiiClass, value: string): string {
  return `${kind}${value.length}`;
}
