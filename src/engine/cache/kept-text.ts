import type { ToolResult } from "../../mcp/unwrap.ts";
import { UnparsedJson } from "../../text/unparsed-json.ts";

/** A longer one is not kept: reading it again would hold up everybody else. */
const MAX_CHARACTERS = 1_000_000;

type Kept = Pick<ToolResult, "value" | "content" | "notANumber" | "large">;

/** A result as text. Nothing of one that is too long. */
export function toKeptText({ value, content, notANumber, large }: ToolResult): string | undefined {
  if (value instanceof UnparsedJson) {
    if (large === undefined || value.bytes.length > MAX_CHARACTERS) return undefined;
    const json = Buffer.from(value.bytes).toString("utf8");
    const parts = { ...large, text: large.text === json ? null : large.text };
    if (json.length + (parts.text?.length ?? 0) > MAX_CHARACTERS) return undefined;
    return JSON.stringify({ json, notANumber, large: parts });
  }
  // Of what is not text, the blocks are the value.
  const parts = value === content ? { content } : { value, content };
  const text = JSON.stringify({ ...parts, notANumber });
  return text.length > MAX_CHARACTERS ? undefined : text;
}

/** Only for what was written here, which its seal has proven. */
export function fromKeptText(text: string): Kept {
  const { json, large, value, content = [], notANumber } = JSON.parse(text);
  if (json === undefined) return { value: value === undefined ? content : value, content, notANumber };
  return {
    value: new UnparsedJson(Buffer.from(json)),
    content,
    notANumber,
    large: { ...large, text: large.text ?? json },
  };
}
