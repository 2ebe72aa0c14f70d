import {
  type JSONRPCMessage,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Transport,
} from "@modelcontextprotocol/client";
import { ownValue } from "../text/own-value.ts";
import type { CallOptions, CallProgress } from "./connection.ts";
import type { OpenRequests } from "./open-requests.ts";

/**
 * Requests that pass by the SDK. It checks each message against schemas several times, which takes as long as a local
 * server takes to answer; a program may make a thousand calls. Only for pipes and the older era, where a call is one line
 * there and one line back: there is nothing else to know.
 */
export type DirectCalls = {
  request(method: string, params: Record<string, unknown>, options: DirectOptions): Promise<unknown>;
  /** Takes what belongs to one of these requests; true when it did. */
  take(message: JSONRPCMessage): boolean;
  /** Fails what is still open: the connection is gone. */
  close(): void;
};

export type DirectOptions = Pick<CallOptions, "signal" | "onProgress"> & { timeoutMs: number };

type Pending = {
  resolve(result: unknown): void;
  reject(error: Error): void;
  onProgress(progress: CallProgress): void;
};

/** Far above the SDK's own. Numbers, because there are servers that know no other ids. */
const FIRST_ID = 1_000_000_000;

export function createDirectCalls(transport: Transport, requests: OpenRequests): DirectCalls {
  const pending = new Map<number, Pending>();
  let lastId = FIRST_ID;

  return {
    request(method, params, { signal, timeoutMs, onProgress }) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        const settle = () => {
          pending.delete(id);
          requests.remove(id);
          clearTimeout(timer);
          signal?.removeEventListener("abort", abort);
        };
        const cancel = (error: SdkError) => {
          requests.giveUp(id);
          settle();
          const notice = {
            jsonrpc: "2.0" as const,
            method: "notifications/cancelled",
            params: { requestId: id },
          };
          transport.send(notice).catch(() => {});
          reject(error);
        };
        const expire = () =>
          cancel(new SdkError(SdkErrorCode.RequestTimeout, "Request timed out", { timeout: timeoutMs }));
        // Without data: by that the caller tells a cancelled call from one that took too long.
        const abort = () => cancel(new SdkError(SdkErrorCode.RequestTimeout, "Cancelled"));
        const timer = setTimeout(expire, timeoutMs);
        requests.add(id, method, params);
        pending.set(id, {
          resolve(result) {
            settle();
            resolve(result);
          },
          reject(error) {
            settle();
            reject(error);
          },
          onProgress(progress) {
            timer.refresh();
            onProgress?.(progress);
          },
        });
        if (signal?.aborted) {
          settle();
          reject(new SdkError(SdkErrorCode.RequestTimeout, "Cancelled"));
          return;
        }
        signal?.addEventListener("abort", abort, { once: true });
        const request = {
          jsonrpc: "2.0" as const,
          id,
          method,
          params: { ...params, _meta: { progressToken: id } },
        };
        transport.send(request).catch((error: Error) => pending.get(id)?.reject(error));
      });
    },
    take(message) {
      if ("method" in message) return takeProgress(message);
      // Some servers answer 1 with "1".
      const call = pending.get(Number(message.id));
      if (!call) return false;
      if ("result" in message) call.resolve(message.result);
      else call.reject(new ProtocolError(message.error.code, message.error.message, message.error.data));
      return true;
    },
    close() {
      const closed = new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed");
      for (const call of [...pending.values()]) call.reject(closed);
    },
  };

  function takeProgress({ method, params }: { method: string; params?: unknown }): boolean {
    if (method !== "notifications/progress" || typeof params !== "object" || params === null) return false;
    const token = "progressToken" in params ? params.progressToken : undefined;
    const call = pending.get(Number(token));
    if (!call) return false;
    const numberAt = (key: string) => {
      const value = ownValue(params, key);
      return typeof value === "number" ? value : undefined;
    };
    const message = "message" in params && typeof params.message === "string" ? params.message : undefined;
    call.onProgress({ progress: numberAt("progress") ?? 0, total: numberAt("total"), message });
    return true;
  }
}
