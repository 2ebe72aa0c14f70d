import { isRecord } from "./is-record.ts";

type EachTextOptions = {
  /** Whether numbers count as what is written. */
  readonly numbers?: boolean;
};

/** Every text of a value of JSON, keys too. */
export function eachText(value: unknown, act: (text: string) => void, options: EachTextOptions = {}): void {
  if (typeof value === "string") act(value);
  else if (typeof value === "number" && options.numbers === true) act(String(value));
  else if (Array.isArray(value)) for (const item of value) eachText(item, act, options);
  else if (isRecord(value))
    for (const [key, item] of Object.entries(value)) {
      act(key);
      eachText(item, act, options);
    }
}
