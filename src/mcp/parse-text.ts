import type { ParseText } from "../config/server-definition.ts";
import { isRecord } from "../text/is-record.ts";
import { type ParsedJson, parseLenientJson } from "./lenient-json.ts";
import { parsePythonLiteral } from "./python-literal.ts";

/** Texts in texts that are unpacked: a server that packs by mistake does it once or twice. */
const MAX_PACKED = 3;
/** The data that a text is, by a server's settings. */
export type ReadData = (text: string) => ParsedJson | undefined;

/** The names under which a result's text is the result and nothing about it. */
const WRAPPERS = new Set(["result", "results", "data", "json", "payload", "response"]);

/**
 * The data that a text is, or nothing when it is a text. Objects and lists only: a text "12345", "true" or "hello" in
 * quotes stays what the server sent.
 */
export function parseText(
  text: string,
  mode: ParseText,
  assertBounded: (text: string) => void = () => {},
): ParsedJson | undefined {
  if (mode === "off") return undefined;
  let packed = text;
  for (let level = 0; level < MAX_PACKED; level++) {
    // A text in quotes is one value, or no JSON.
    const inner = /^\s*"/.test(packed) ? parseLenientJson(packed)?.value : undefined;
    if (typeof inner !== "string") break;
    packed = inner;
  }
  if (!/^\s*[[{(]/.test(packed)) return undefined;
  assertBounded(packed);
  return parseLenientJson(packed) ?? (mode === "python" ? parsePythonLiteral(packed) : undefined);
}

/** `{ "result": "{\"a\":1}" }`: the one field is all there is, so it is unpacked. A text among others stays a text. */
export function unpackWrapped(value: unknown, readData: ReadData): ParsedJson {
  if (!isRecord(value)) return { value };
  const keys = Object.keys(value);
  const [key = ""] = keys;
  const text = WRAPPERS.has(key) && keys.length === 1 ? value[key] : undefined;
  const inner = typeof text === "string" ? readData(text) : undefined;
  return inner === undefined ? { value } : { ...inner, value: { [key]: inner.value } };
}
