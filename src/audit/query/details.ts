import { isRecord } from "../../text/is-record.ts";
import type { LoggedEvent } from "../reader.ts";

/** What an event details, for who shows it: the log may have been changed by others, so nothing is believed to be what it should. */
export type DetailReader = {
  text(...path: readonly string[]): string | undefined;
  number(...path: readonly string[]): number | undefined;
  flag(...path: readonly string[]): boolean;
  list(...path: readonly string[]): readonly unknown[];
  record(...path: readonly string[]): Readonly<Record<string, unknown>> | undefined;
};

export function readDetails({ details }: Pick<LoggedEvent, "details">): DetailReader {
  return toDetailReader(details);
}

/** Its head was read, the rest needs a key that is not here (`log/sealed-details.ts`). */
export function isSealed({ details }: { readonly details?: object }): boolean {
  return isRecord(details) && Object.hasOwn(details, "sealed") && details["sealed"] === true;
}

export function toDetailReader(value: unknown): DetailReader {
  const at = (path: readonly string[]) =>
    path.reduce<unknown>(
      (found, key) => (isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined),
      value,
    );
  return {
    text: (...path) => {
      const found = at(path);
      return typeof found === "string" ? found : undefined;
    },
    number: (...path) => {
      const found = at(path);
      return typeof found === "number" && Number.isFinite(found) ? found : undefined;
    },
    flag: (...path) => at(path) === true,
    list: (...path) => {
      const found = at(path);
      return Array.isArray(found) ? found : [];
    },
    record: (...path) => {
      const found = at(path);
      return isRecord(found) ? found : undefined;
    },
  };
}
