import { randomUUID } from "node:crypto";
import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import { isRecord } from "../text/is-record.ts";
import type { OpenRequests } from "./open-requests.ts";

/**
 * Real servers send what the protocol forbids: `annotations: null`, one broken tool among fifty good ones, content blocks
 * with extra nulls. The SDK checks a whole result against a strict schema, so one slip would cost the whole server. Here
 * the results we read ourselves are taken out of the stream before the SDK sees them: it gets an empty but valid result
 * that carries, in its `_meta`, what the server really sent. Small nulls in the handshake are mended.
 */
const RAW = "keyhole/raw";
/** Marks the error with which a request ends whose stream closed without an answer; no server can send it. */
const CLOSED_BEFORE_ANSWER = randomUUID();

export function isClosedBeforeAnswer(error: { readonly data?: unknown }): boolean {
  return error.data === CLOSED_BEFORE_ANSWER;
}

/** The result as the server sent it, for the result that the SDK returned. */
export function rawResult(result: { _meta?: { readonly [key: string]: unknown } | undefined }): unknown {
  return result._meta?.[RAW];
}

/** `take` sees each message first; what it takes goes no further. */
export function withRawResults(
  inner: Transport,
  requests: OpenRequests,
  take: (message: JSONRPCMessage) => boolean,
): Transport {
  function exchange(message: JSONRPCMessage): JSONRPCMessage {
    if (!("id" in message) || message.id === undefined || "method" in message) return message;
    // Some servers answer 1 with "1".
    const open = requests.find(message.id);
    if (open !== undefined) message.id = open.id;
    const method = open?.request.method;
    requests.remove(message.id);
    if (!("result" in message) || !isRecord(message.result)) return message;
    const raw = message.result;
    if (method === "initialize" || method === "server/discover")
      return { ...message, result: withoutNulls(raw) };
    // The modern era asks back with this; the SDK knows how to go on.
    if (raw["resultType"] === "input_required") return message;
    if (method !== "tools/list" && method !== "tools/call") return message;
    const stub = method === "tools/list" ? { tools: [], ttlMs: 0, cacheScope: "private" } : { content: [] };
    return { ...message, result: { ...stub, resultType: "complete", _meta: { [RAW]: raw } } };
  }

  // The SDK replaces methods of its transport and recognises stdio by its properties: only a stand-in that passes
  // everything else through keeps both true.
  const transport = new Proxy(inner, {
    get(target, key) {
      if (key === "send") return send;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" && key !== "onmessage" ? value.bind(target) : value;
    },
    set(target, key, value: unknown) {
      if (key !== "onmessage" || typeof value !== "function") return Reflect.set(target, key, value, target);
      const deliver = value;
      const receive = (message: JSONRPCMessage, extra: unknown) => {
        if (!take(message)) deliver(exchange(message), extra);
      };
      return Reflect.set(target, key, receive, target);
    },
  });

  function send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ("method" in message && message.method === "notifications/cancelled") forget(message.params);
    if (!("method" in message) || !("id" in message) || message.id === undefined)
      return inner.send(message, options);
    const { id } = message;
    requests.add(id, message.method, message.params);
    // Over HTTP each request has a stream of its own. When that ends without an answer nobody else would tell.
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      if (!requests.remove(id)) return;
      const error = { code: -32000, message: "Connection closed", data: CLOSED_BEFORE_ANSWER };
      inner.onmessage?.({ jsonrpc: "2.0", id, error });
    };
    return inner.send(message, { ...options, onRequestStreamEnd });
  }

  /** Who gave up on an answer does not want it read. */
  function forget(params: Record<string, unknown> | undefined): void {
    const id = params?.["requestId"];
    if (typeof id === "string" || typeof id === "number") requests.giveUp(id);
  }

  return transport;
}

/** Drops nulls two levels deep: `capabilities: { tools: null }`, `instructions: null`, `serverInfo: { title: null }`. */
function withoutNulls(record: Record<string, unknown>, depth = 2): Record<string, unknown> {
  const entries = Object.entries(record).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      depth > 0 && isRecord(value) ? withoutNulls(value, depth - 1) : value,
    ]),
  );
}
