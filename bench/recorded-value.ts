import { parseText } from "../src/mcp/parse-text.ts";

/** A recorded result as `unwrapResult` hands it to a program. */
export function toValue(text: string): unknown {
  const parsed = parseText(text, "python");
  return parsed === undefined ? text : parsed.value;
}
