import { type CallToolResult, type ContentBlock, isSpecType } from "@modelcontextprotocol/server";
import type { RunResult, SearchAnswer } from "../../engine/engine.ts";
import { KeyholeError } from "../../errors.ts";
import { type FailureKind, toFailureKind } from "../../run-failure.ts";
import { INTERNAL_FAILURE } from "./texts.ts";

/** Under this key programs and pages find as data what the model reads as text. */
const RESULT_META_KEY = "keyhole/result";

/** Clients give up on messages over 10 MB, and with them on the whole connection. */
const MAX_EMITTED_BYTES = 6_000_000;
const MAX_DATA_BYTES = 256 * 1024;
/** Of writes, where not all fit: what they were made with is at most 300 characters. */
const MAX_LEDGER = 200;
const MAX_EMITTED_BLOCKS = 32;
const MAX_EMITTED_TEXT = 20_000;

export function toSearchResult({ text, ...data }: SearchAnswer): CallToolResult {
  return { content: [{ type: "text", text }], _meta: { [RESULT_META_KEY]: data } };
}

export function toRunResult(run: RunResult): CallToolResult {
  return {
    content: [{ type: "text", text: run.text }, ...toContentBlocks(run.emitted)],
    isError: run.status === "failed",
    _meta: { [RESULT_META_KEY]: toRunData(run) },
  };
}

/** The request could not become a run: no program ran, no call was made. */
export function toRefusal(kind: FailureKind, message: string): CallToolResult {
  const data = { ok: false, status: "failed", logs: [], error: { kind, message }, calls: [] };
  return { content: [{ type: "text", text: message }], isError: true, _meta: { [RESULT_META_KEY]: data } };
}

/** Only what was written for a reader is shown; anything else could tell a model what it should not know. */
export function toFailedAnswer(error: unknown): CallToolResult {
  if (!(error instanceof KeyholeError) || error.code === "internal")
    return toRefusal("internal", INTERNAL_FAILURE);
  const { code, message, hint } = error;
  return toRefusal(toFailureKind(code), hint === undefined ? message : `${message}\n${hint}`);
}

function toRunData({
  ok,
  status,
  for: waitsFor,
  result,
  logs,
  error,
  calls,
  runId,
  receipt,
  risk,
  impact,
  ledger,
}: RunResult): Record<string, unknown> {
  const facts = { runId, receipt, risk, impact, ledger };
  const data = { ok, status, for: waitsFor, result, logs, error, calls, ...facts };
  if (sizeOf(data) <= MAX_DATA_BYTES) return data;
  // The model's text says where the whole of it was saved.
  const short = {
    ok,
    status,
    for: waitsFor,
    logs: [],
    error,
    calls: calls.slice(0, 1_000),
    ...facts,
    omitted: ["result", "logs"],
  };
  return sizeOf(short) <= MAX_DATA_BYTES
    ? short
    : {
        ok,
        status,
        for: waitsFor,
        logs: [],
        calls: [],
        runId,
        ledger: ledger?.slice(0, MAX_LEDGER),
        omitted: ["result", "logs", "error", "calls", "receipt", "risk", "impact"].concat(
          (ledger?.length ?? 0) > MAX_LEDGER ? "ledger" : [],
        ),
      };
}

/**
 * What a program emits is not ours: whatever is no content block, points elsewhere, or is too large to send, is replaced
 * by words. All of it is for the user, whatever the program says.
 */
function toContentBlocks(emitted: readonly unknown[]): ContentBlock[] {
  let size = 0;
  const blocks = emitted.slice(0, MAX_EMITTED_BLOCKS).map((block) => {
    if (!isSpecType.ContentBlock(block) || block.type === "resource_link")
      return note("Something was emitted that is no text, image, audio or resource");
    if (block.type === "text" && block.text.length > MAX_EMITTED_TEXT)
      return note(
        `An emitted text of ${block.text.length} characters is too long to show; write it to ./workspace`,
      );
    size += sizeOf(block);
    return size > MAX_EMITTED_BYTES
      ? note(`An emitted ${block.type} block is too large to send`)
      : forUser(block);
  });
  const left = emitted.length - blocks.length;
  return left > 0 ? [...blocks, note(`${left} more blocks were emitted`)] : blocks;
}

function forUser(block: ContentBlock): ContentBlock {
  return { ...block, annotations: { ...block.annotations, audience: ["user"] } };
}

function note(text: string): ContentBlock {
  return { type: "text", text: `[${text}]` };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
