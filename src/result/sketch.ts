import { describeBinary } from "./binary.ts";
import { toCountText } from "./number-text.ts";
import { sliceStart, toVisibleText } from "./safe-text.ts";
import { toKeyText } from "./shape-text.ts";

const MAX_KEYS = 10;
const MAX_SAMPLE = 80;

/**
 * What a value is, in a few words: `array of 12 { id: number, name: string }`, `string "No customers found."`. Made for
 * every result of a run, so it looks at a few keys and at one item.
 */
export function toSketch(value: unknown, depth = 2): string {
  if (typeof value === "string") return describeBinary(value) ?? textSketch(value, depth);
  if (value === null || value === undefined) return "null";
  if (typeof value !== "object") return typeof value;
  const binary = describeBinary(value);
  if (binary !== undefined) return binary;
  if (Array.isArray(value)) return arraySketch(value, depth);
  const keys = Object.keys(value);
  if (keys.length === 0) return "{}";
  if (depth === 0) return `{ ${toCountText(keys.length)} keys }`;
  const shown = keys
    .slice(0, MAX_KEYS)
    .map((key) => `${toKeyText(key)}: ${toSketch(Reflect.get(value, key), depth - 1)}`);
  if (keys.length > MAX_KEYS) shown.push(`…${toCountText(keys.length - MAX_KEYS)} more keys`);
  return `{ ${shown.join(", ")} }`;
}

function arraySketch(value: readonly unknown[], depth: number): string {
  if (value.length === 0) return "empty array";
  const count = `array of ${toCountText(value.length)}`;
  return depth === 0 ? count : `${count} ${toSketch(value[0], depth - 1)}`;
}

/** Only a result that is text itself is quoted: it mostly says why there is nothing else. */
function textSketch(text: string, depth: number): string {
  if (depth < 2) return "string";
  const start = sliceStart(text, MAX_SAMPLE);
  return `string ${toVisibleText(JSON.stringify(start))}${start.length < text.length ? "…" : ""}`;
}
