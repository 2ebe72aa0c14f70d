import { KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";

const MAX_KEY = 512;
const MAX_VALUE_BYTES = 1024 * 1024;
/** Of one space. */
const MAX_KEYS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

/** A key as a program gave it. */
export function readStateKey(key: unknown): string {
  if (typeof key !== "string")
    throw new KeyholeError("usage", `A key of the state is a string, not ${describe(key)}`);
  if (key === "" || key.length > MAX_KEY)
    throw new KeyholeError(
      "usage",
      `A key of the state has 1 to ${MAX_KEY} characters, not ${key.length}: "${toExcerpt(key, 40)}"`,
    );
  return key;
}

/** A value as the text that is kept. */
export function toStateText(key: string, value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined)
    throw new KeyholeError(
      "usage",
      `There is no value for "${toExcerpt(key, 40)}": state.delete removes a key`,
    );
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_VALUE_BYTES)
    throw new KeyholeError(
      "too_large",
      `The value of "${toExcerpt(key, 40)}" is ${bytes} bytes of JSON, and ${MAX_VALUE_BYTES} may be kept under one key: write what is large to a file in ./workspace`,
    );
  return text;
}

/** What there would be in the space. */
export function assertRoom(entries: number, bytes: number): void {
  if (entries > MAX_KEYS)
    throw new KeyholeError(
      "too_large",
      `The state has ${MAX_KEYS} keys, as many as it may: delete some, or keep a list or an object under one key`,
    );
  if (bytes > MAX_BYTES)
    throw new KeyholeError(
      "too_large",
      `The state would take ${bytes} bytes, and ${MAX_BYTES} may be kept: delete keys, or write what is large to a file in ./workspace`,
    );
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
