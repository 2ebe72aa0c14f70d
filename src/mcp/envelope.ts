import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isRecord } from "../text/is-record.ts";

/**
 * What a server wrote, as messages. The SDK drops what is not to the letter (`"error": null` beside a result, an extra
 * key, a text where a code belongs), and the request then waits for its time-out. The intent is clear in all of these.
 */
export function toMessages(value: unknown): JSONRPCMessage[] {
  if (Array.isArray(value)) return value.flatMap((item) => toMessage(item) ?? []);
  const message = toMessage(value);
  return message === undefined ? [] : [message];
}

const INTERNAL_ERROR = -32603;

function toMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isRecord(value) || ("jsonrpc" in value && value["jsonrpc"] !== "2.0")) return undefined;
  const { id, method, params, result, error } = value;
  const isId = typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
  if (typeof method === "string") {
    const body = { jsonrpc: "2.0" as const, method, ...(isRecord(params) ? { params } : {}) };
    return isId ? { ...body, id } : body;
  }
  if (!isId || (!("result" in value) && !("error" in value))) return undefined;
  if (error !== undefined && error !== null) return { jsonrpc: "2.0", id, error: toError(error) };
  return { jsonrpc: "2.0", id, result: isRecord(result) ? result : {} };
}

function toError(error: unknown): { code: number; message: string; data?: unknown } {
  if (!isRecord(error)) return { code: INTERNAL_ERROR, message: String(error) };
  const { code, message, data } = error;
  return {
    code: typeof code === "number" && Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
    message: typeof message === "string" ? message : "The server reported an error without a message",
    data,
  };
}
