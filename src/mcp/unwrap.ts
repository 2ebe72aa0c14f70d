import { KeyholeError, ToolError } from "../errors.ts";
import { isRecord } from "../is-record.ts";
import { toExcerpt, toPlainText } from "../plain-text.ts";

export type ToolResult = {
  /** What the program gets. */
  readonly value: unknown;
  /** All content blocks as the server sent them, images and links included. */
  readonly content: readonly unknown[];
};

/**
 * The one place where a `tools/call` result becomes a value: `structuredContent`, else JSON in text, else text, else the
 * content blocks in their own form. `isError` becomes a `ToolError`.
 */
export function unwrapResult(server: string, tool: string, raw: unknown): ToolResult {
  if (!isRecord(raw)) {
    throw new KeyholeError(
      "server_misbehaved",
      `Server "${server}" answered "${tool}" with no result object`,
      { server, tool },
    );
  }
  const content = Array.isArray(raw["content"]) ? raw["content"].filter((block) => isRecord(block)) : [];
  const texts = content.filter(isTextBlock).map((block) => block.text);
  if (raw["isError"] === true) throw new ToolError(server, tool, failureMessage(tool, raw, texts), content);
  return { value: toValue(raw["structuredContent"], content, texts), content };
}

function toValue(structured: unknown, content: readonly unknown[], texts: readonly string[]): unknown {
  if (structured !== undefined && structured !== null) return structured;
  if (texts.length < content.length) return content;
  const [first] = texts;
  if (first === undefined) return null;
  if (texts.length === 1) return parseJson(first) ?? first;
  // Some servers answer a list with one block of JSON an item.
  const items = texts.map(parseJson);
  return items.every((item) => item !== undefined) ? items : texts.join("\n");
}

/** Objects and arrays only: a text "12345" or "true" stays the text that the server sent. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureMessage(tool: string, raw: Record<string, unknown>, texts: readonly string[]): string {
  const text = toPlainText(texts.join("\n")).trim();
  if (text !== "") return text;
  const structured = raw["structuredContent"];
  const json = structured === undefined || structured === null ? "" : toJson(structured);
  if (json !== "") return toExcerpt(json, 2_000);
  return `Tool "${tool}" failed without saying why`;
}

/** Nothing where it is nested too deep to be printed. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

function isTextBlock(block: unknown): block is { type: "text"; text: string } {
  return isRecord(block) && block["type"] === "text" && typeof block["text"] === "string";
}
