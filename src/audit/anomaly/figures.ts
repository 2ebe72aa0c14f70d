const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** 1_234_567 → "1.2 MB". */
export function toBytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** 1234.5 → "1,235". */
export function toWholeText(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** [2, 5] → "2–5". */
export function toRangeText([low, high]: readonly [number, number], toText = toWholeText): string {
  const [from, to] = [toText(low), toText(high)];
  return from === to ? from : `${from}–${to}`;
}

/** Between now and then, as one would say it. */
export function toSpanText(ms: number): string {
  if (ms < 90_000) {
    const seconds = Math.max(1, Math.round(ms / 1_000));
    return seconds === 1 ? "1 second" : `${seconds} seconds`;
  }
  if (ms < 90 * 60_000) return `${Math.round(ms / 60_000)} minutes`;
  return `${Math.round(ms / 3_600_000)} hours`;
}
