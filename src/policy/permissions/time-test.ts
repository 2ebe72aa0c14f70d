import type { TimeCondition } from "../../config/permissions/schema.ts";
import { DAYS, type Day, parseDays, parseHours } from "../../config/permissions/time-window.ts";
import type { Fit } from "./argument-values.ts";

const MINUTE_MS = 60_000;

/** Whether a moment is within the days and hours. Asked again within the same minute, it need not look at the zone. */
export function toTimeTest({ days, hours, zone }: TimeCondition): (now: Date) => Fit {
  const named = days === undefined ? DAYS : parseDays(days);
  const span = hours === undefined ? { from: 0, to: 24 * 60 } : parseHours(hours);
  const format = new Intl.DateTimeFormat("en-GB", {
    ...(zone === undefined ? {} : { timeZone: zone }),
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  let minute = Number.NaN;
  let known: Fit = "unclear";

  function look(now: Date): Fit {
    if (named === undefined || span === undefined) return "unclear";
    const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
    const today = DAYS.findIndex((day) => day === parts.get("weekday")?.slice(0, 3).toLowerCase());
    const at = Number(parts.get("hour")) * 60 + Number(parts.get("minute"));
    if (today === -1 || Number.isNaN(at)) return "unclear";
    const isOn = (day: number) => named.includes(DAYS[(day + 7) % 7] as Day);
    if (span.from < span.to) return isOn(today) && at >= span.from && at < span.to ? "yes" : "no";
    return (isOn(today) && at >= span.from) || (isOn(today - 1) && at < span.to) ? "yes" : "no";
  }

  return (now) => {
    const current = Math.floor(now.getTime() / MINUTE_MS);
    if (Number.isNaN(current)) return "unclear";
    if (current !== minute) {
      known = look(now);
      minute = current;
    }
    return known;
  };
}
