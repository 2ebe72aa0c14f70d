import type { ParseText } from "../config/server-definition.ts";
import { KeyholeError, ToolError } from "../errors.ts";
import { isRecord } from "../is-record.ts";
import { toExcerpt, toPlainText } from "../plain-text.ts";
import { notANumberIn, type ParsedJson } from "./lenient-json.ts";
import { parseText, unpackWrapped } from "./parse-text.ts";

export type ToolResult = {
  /** What the program gets. */
  readonly value: unknown;
  /** All content blocks as the server sent them, images and links included. */
  readonly content: readonly unknown[];
  /** The first of the numbers that JSON does not have, such as `NaN`: each is null in `value`. */
  readonly notANumber?: string;
};

export type UnwrapOptions = {
  /** What a text is tried to be parsed as. */
  readonly parse: ParseText;
  /** The tool says what it returns: a program is written against that, so a text in a field stays one. */
  readonly isDeclared: boolean;
};

/**
 * The one place where a `tools/call` result becomes a value: `structuredContent`, else the data in text, else text, else
 * the content blocks in their own form. `isError` becomes a `ToolError`.
 */
export function unwrapResult(
  server: string,
  tool: string,
  raw: unknown,
  { parse, isDeclared }: UnwrapOptions = { parse: "python", isDeclared: false },
): ToolResult {
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
  const parsed = toValue(raw["structuredContent"], content, texts, parse);
  const { value, notANumber = parsed.notANumber ?? notANumberIn(raw) } = isDeclared
    ? parsed
    : unpackWrapped(parsed.value, parse);
  return { value, content, ...(notANumber === undefined ? {} : { notANumber }) };
}

function toValue(
  structured: unknown,
  content: readonly unknown[],
  texts: readonly string[],
  parse: ParseText,
): ParsedJson {
  if (structured !== undefined && structured !== null) return { value: structured };
  if (texts.length < content.length) return { value: content };
  const [first] = texts;
  if (first === undefined) return { value: null };
  if (texts.length === 1) return parseText(first, parse) ?? { value: first };
  // Some servers answer a list with one block of JSON an item.
  return parseItems(texts, parse) ?? { value: texts.join("\n") };
}

function parseItems(texts: readonly string[], parse: ParseText): ParsedJson | undefined {
  const items: unknown[] = [];
  let notANumber: string | undefined;
  for (const text of texts) {
    const item = parseText(text, parse);
    if (item === undefined) return undefined;
    items.push(item.value);
    notANumber ??= item.notANumber;
  }
  return { value: items, ...(notANumber === undefined ? {} : { notANumber }) };
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
