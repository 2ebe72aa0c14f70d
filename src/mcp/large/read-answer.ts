import { KeyholeError, ToolError } from "../../errors.ts";
import { isRecord } from "../../text/is-record.ts";
import { toMessages } from "../envelope.ts";
import { noteNotANumber, parseLenientJson } from "../lenient-json.ts";
import { unwrapResult } from "../unwrap.ts";
import type { Answer, AnswerJob } from "./answer.ts";
import { toOutermost, toSample } from "./sample.ts";

/** A reason to fail is read by a person or a model. */
const MAX_FAILURE_CHARACTERS = 16_000;
/** The catalogue takes no schema over 512 KB. */
const MAX_TOOL_CHARACTERS = 2 * 1024 * 1024;
const MAX_TOOLS = 5_001;
const MAX_PART_CHARACTERS = 512 * 1024;
/** In the place of a schema: it is refused as that would be. */
const TOO_LARGE = null;

/** Reads a large answer: parsed, unwrapped and written out again. It runs in a thread of its own. */
export function readAnswer(job: AnswerJob): Answer {
  const parsed = parseLenientJson(new TextDecoder().decode(job.bytes));
  const message = parsed && toMessages(parsed.value)[0];
  if (message === undefined || "method" in message) return unreadable(job);
  if (!("result" in message)) {
    const { code, message: text } = message.error;
    return { kind: "error", code, message: text.slice(0, MAX_FAILURE_CHARACTERS) };
  }
  if (parsed?.notANumber !== undefined) noteNotANumber(message.result, parsed.notANumber);
  if (job.request.method === "tools/call") return readCall(job, message.result);
  if (job.request.method === "tools/list") return readTools(message.result);
  return unreadable(job);
}

function readCall({ server, request, limits, parse, isDeclared }: AnswerJob, raw: unknown): Answer {
  const { tool = "" } = request;
  try {
    const result = unwrapResult(server, tool, raw, { parse, isDeclared, limits });
    const { value, content, notANumber, ttlMs } = result;
    const json = Buffer.from(JSON.stringify(value) ?? "null");
    return {
      kind: "value",
      json,
      ...toDirect(content),
      ...(notANumber === undefined ? {} : { notANumber }),
      ...(ttlMs === undefined ? {} : { ttlMs }),
      sample: toSample(value),
      outline: toOutermost(value),
    };
  } catch (error) {
    if (error instanceof ToolError)
      return { kind: "tool_failed", message: error.message.slice(0, MAX_FAILURE_CHARACTERS) };
    if (!(error instanceof KeyholeError)) throw error;
    const { code, message, hint } = error;
    return { kind: "refused", code, message, ...(hint === undefined ? {} : { hint }) };
  }
}

/** What a client that has no programs would show its model. */
function toDirect(content: readonly unknown[]): { text?: string; mediaBlocks: number } {
  if (content.length === 0) return { mediaBlocks: 0 };
  const texts: string[] = [];
  let mediaBlocks = 0;
  for (const block of content) {
    const inner = isRecord(block) && isRecord(block["resource"]) ? block["resource"] : block;
    if (isRecord(inner) && typeof inner["text"] === "string") texts.push(inner["text"]);
    else if (isRecord(inner) && ("data" in inner || "blob" in inner)) mediaBlocks++;
    else texts.push(JSON.stringify(block));
  }
  return { text: texts.join("\n"), mediaBlocks };
}

function readTools(result: Record<string, unknown>): Answer {
  const { tools, nextCursor } = result;
  const warnings: string[] = [];
  const items = Array.isArray(tools) ? tools : [];
  if (!Array.isArray(tools)) warnings.push('A page of the tool list has no "tools" array');
  const texts = items.slice(0, MAX_TOOLS).map((item) => {
    const text = JSON.stringify(item);
    if (text.length <= MAX_TOOL_CHARACTERS) return text;
    if (!isRecord(item)) return "null";
    const short = JSON.stringify(withoutLargeParts(item));
    return short.length <= MAX_TOOL_CHARACTERS ? short : "null";
  });
  const next =
    typeof nextCursor === "string" && nextCursor.length <= MAX_FAILURE_CHARACTERS ? { next: nextCursor } : {};
  return { kind: "tools", tools: texts, ...next, warnings };
}

/** A tool keeps its name, whatever else is too large of it. */
function withoutLargeParts(item: Record<string, unknown>): Record<string, unknown> {
  const parts = Object.entries(item).map(([key, part]) => {
    if (key === "description" && typeof part === "string") return [key, part.slice(0, MAX_PART_CHARACTERS)];
    return [key, JSON.stringify(part).length > MAX_PART_CHARACTERS ? TOO_LARGE : part];
  });
  return Object.fromEntries(parts);
}

function unreadable({ server, request, bytes }: AnswerJob): Answer {
  const message = `Server "${server}" answered "${request.method}" with ${bytes.length} bytes that make no sense`;
  return { kind: "refused", code: "server_misbehaved", message };
}
