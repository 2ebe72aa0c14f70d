import type { ParseText } from "../config/server-definition.ts";
import { KeyholeError, ToolError } from "../errors.ts";
import { isRecord } from "../text/is-record.ts";
import { ownValue } from "../text/own-value.ts";
import { toExcerpt, toPlainText } from "../text/plain-text.ts";
import { UnparsedJson } from "../text/unparsed-json.ts";
import { scanJson } from "./json-scan.ts";
import type { LargeValue } from "./large/answer.ts";
import { notANumberIn, type ParsedJson } from "./lenient-json.ts";
import { parseText, type ReadData, unpackWrapped } from "./parse-text.ts";
import { findExcess, type MessageLimits, tooLarge } from "./too-large.ts";

export type ToolResult = {
  /** What the program gets. */
  readonly value: unknown;
  /** All content blocks as the server sent them, images and links included. */
  readonly content: readonly unknown[];
  /** The first of the numbers that JSON does not have, such as `NaN`: each is null in `value`. */
  readonly notANumber?: string | undefined;
  /** For how long the server says that it holds; its word, of any size. */
  readonly ttlMs?: number | undefined;
  /** Of a result that was too large to be looked at here; then `value` is an `UnparsedJson`, and `content` is empty. */
  readonly large?: LargeParts | undefined;
};

export type LargeParts = Pick<LargeValue, "sample" | "outline" | "mediaBlocks"> & {
  /** What a client without programs would hand its model. */
  readonly text: string;
};

export type UnwrapOptions = {
  /** What a text is tried to be parsed as. */
  readonly parse: ParseText;
  /** The tool says what it returns: a program is written against that, so a text in a field stays one. */
  readonly isDeclared: boolean;
  /** For texts that are data, as for messages: what is parsed costs more than its bytes. */
  readonly limits?: MessageLimits;
};

export function toLargeResult({
  json,
  text,
  sample,
  outline,
  mediaBlocks,
  notANumber,
  ttlMs,
}: LargeValue): ToolResult {
  const large = { text: text ?? new TextDecoder().decode(json), sample, outline, mediaBlocks };
  const noted = notANumber === undefined ? {} : { notANumber };
  return { value: new UnparsedJson(json), content: [], large, ttlMs, ...noted };
}

/**
 * The one place where a `tools/call` result becomes a value: `structuredContent`, else the data in text, else text, else
 * the content blocks in their own form. `isError` becomes a `ToolError`.
 */
export function unwrapResult(
  server: string,
  tool: string,
  raw: unknown,
  { parse, isDeclared, limits }: UnwrapOptions = { parse: "python", isDeclared: false },
): ToolResult {
  const readData = (text: string) =>
    parseText(text, parse, (data) => limits && assertBounded(data, limits, server, tool));
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
  const parsed = toValue(raw["structuredContent"], content, texts, readData);
  const { value, notANumber = parsed.notANumber ?? notANumberIn(raw) } = isDeclared
    ? parsed
    : unpackWrapped(parsed.value, readData);
  return { value, content, notANumber, ttlMs: toTtlMs(raw) };
}

/** Where lists of the protocol have it, or in what is said about the result. */
function toTtlMs({ ttlMs, _meta: meta }: Record<string, unknown>): number | undefined {
  const said = ttlMs ?? (isRecord(meta) ? ownValue(meta, "ttlMs") : undefined);
  return typeof said === "number" && said >= 0 ? said : undefined;
}

/** Below it nothing can be too much. */
const COUNTED_FROM = 2_048;

function assertBounded(text: string, limits: MessageLimits, server: string, tool: string): void {
  if (text.length < COUNTED_FROM) return;
  const { values, depth } = scanJson(text);
  const excess = findExcess({ bytes: 0, values, depth }, limits);
  if (excess !== undefined) throw tooLarge(excess, { server, tool });
}

function toValue(
  structured: unknown,
  content: readonly unknown[],
  texts: readonly string[],
  readData: ReadData,
): ParsedJson {
  if (structured !== undefined && structured !== null) return { value: structured };
  if (texts.length < content.length) return { value: content };
  const [first] = texts;
  if (first === undefined) return { value: null };
  if (texts.length === 1) return readData(first) ?? { value: first };
  // Some servers answer a list with one block of JSON an item.
  return parseItems(texts, readData) ?? { value: texts.join("\n") };
}

function parseItems(texts: readonly string[], readData: ReadData): ParsedJson | undefined {
  const items: unknown[] = [];
  let notANumber: string | undefined;
  for (const text of texts) {
    const item = readData(text);
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
