/** As JSON would have it, unless it has more digits than tell anything. */
export function toNumberText(value: number): string {
  const text = String(value);
  return text.length > 12 && !Number.isSafeInteger(value) ? String(Number(value.toPrecision(6))) : text;
}

/** 12,345 */
export function toCountText(value: number): string {
  return value.toLocaleString("en-US");
}
