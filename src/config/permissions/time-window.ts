export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

export type Day = (typeof DAYS)[number];

export const DAYS_EXPECTED = 'must be days such as "mon-fri" or ["sat", "sun"]';
export const HOURS_EXPECTED = 'must be a span of hours such as "09:00-17:30" or "22:00-06:00"';
export const ZONE_EXPECTED = 'must be a time zone such as "Europe/Berlin" or "UTC"';

/** Minutes of the day; one that ends before it begins goes over midnight. */
export type Hours = { readonly from: number; readonly to: number };

export function parseDays(written: string | readonly string[]): readonly Day[] | undefined {
  const parts = typeof written === "string" ? written.split(",") : written;
  const days = parts.map((part) => parseSpan(part.trim().toLowerCase()));
  if (days.length === 0 || days.some((found) => found === undefined)) return undefined;
  return DAYS.filter((day) => days.some((found) => found?.includes(day)));
}

function parseSpan(text: string): readonly Day[] | undefined {
  const [first = "", last = first, ...more] = text.split("-").map((name) => name.trim().slice(0, 3));
  const from = DAYS.findIndex((day) => day === first);
  const to = DAYS.findIndex((day) => day === last);
  if (from === -1 || to === -1 || more.length > 0 || !/^[a-z\s-]+$/.test(text)) return undefined;
  return from <= to ? DAYS.slice(from, to + 1) : [...DAYS.slice(from), ...DAYS.slice(0, to + 1)];
}

export function parseHours(text: string): Hours | undefined {
  const found = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(text.replace(/\s/g, ""));
  if (found === null) return undefined;
  const [fromHour = 99, fromMinute = 99, toHour = 99, toMinute = 99] = found.slice(1).map(Number);
  if (fromMinute > 59 || toMinute > 59) return undefined;
  const hours = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute };
  const isDay = hours.from < 24 * 60 && hours.to <= 24 * 60 && hours.from !== hours.to;
  return isDay ? hours : undefined;
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
