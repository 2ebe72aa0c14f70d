import {
  type JSONRPCMessage,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Transport,
} from "@modelcontextprotocol/client";
import { isRecord } from "../text/is-record.ts";
import { ownValue } from "../text/own-value.ts";
import type { CallOptions, CallProgress } from "./connection.ts";
import { createDeadlines } from "./deadlines.ts";
import { followAbort, unfollowAbort } from "./on-abort.ts";
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

function toMeta({ _meta: meta }: Record<string, unknown>): Record<string, unknown> {
  return isRecord(meta) ? meta : {};
}

type Pending = {
  resolve(result: unknown): void;
  reject(error: Error): void;
  onProgress(progress: CallProgress): void;
};

/** Far above the SDK's own. Numbers, because there are servers that know no other ids. */
const FIRST_ID = 1_000_000_000;

export function createDirectCalls(transport: Transport, requests: OpenRequests): DirectCalls {
  const pending = new Map<number, Pending>();
  const deadlines = createDeadlines();
  let lastId = FIRST_ID;

  function giveUp(id: number): void {
    requests.giveUp(id);
    const params = { requestId: id };
    transport.send({ jsonrpc: "2.0", method: "notifications/cancelled", params }).catch(() => {});
  }

  return {
    request(method, params, { signal, timeoutMs, onProgress }) {
      // Without data: by that the caller tells a cancelled call from one that took too long.
      if (signal?.aborted) return Promise.reject(new SdkError(SdkErrorCode.RequestTimeout, "Cancelled"));
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        const settle = () => {
          pending.delete(id);
          requests.remove(id);
          deadlines.remove(deadline);
          if (signal) unfollowAbort(signal, abort);
        };
        const fail = (error: Error) => {
          settle();
          reject(error);
        };
        const abort = () => {
          giveUp(id);
          fail(new SdkError(SdkErrorCode.RequestTimeout, "Cancelled"));
        };
        const deadline = {
          fromMs: performance.now(),
          timeoutMs,
          expire() {
            giveUp(id);
            fail(new SdkError(SdkErrorCode.RequestTimeout, "Request timed out", { timeout: timeoutMs }));
          },
        };
        requests.add(id, method, params);
        pending.set(id, {
          resolve(result) {
            settle();
            resolve(result);
          },
          reject: fail,
          onProgress(progress) {
            deadline.fromMs = performance.now();
            onProgress?.(progress);
          },
        });
        deadlines.add(deadline);
        if (signal) followAbort(signal, abort);
        const request = {
          jsonrpc: "2.0" as const,
          id,
          method,
          params: { ...params, _meta: { ...toMeta(params), progressToken: id } },
        };
        transport.send(request).catch(fail);
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
