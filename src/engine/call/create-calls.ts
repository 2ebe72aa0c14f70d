import { randomBytes } from "node:crypto";
import type { CatalogEntry } from "../../catalog/entry.ts";
import { DEFAULT_SETTINGS } from "../../config/server-definition.ts";
import { createServerQueue, type ServerQueue } from "../../sandbox/server-queue.ts";
import type { Call, CallResult, CallStage } from "./call.ts";
import { type CallContext, toPipeline, toStages } from "./stages.ts";

/** The calls of all programs of a project, and of Keyhole itself. */
export type Calls = CallContext & {
  /** The one queue of a server: whoever makes a call has room in it. */
  queueOf(server: CatalogEntry): ServerQueue;
  make(call: Omit<Call, "id" | "trace"> & { readonly id?: string }): Promise<CallResult>;
};

export function createCalls(context: CallContext, stages: readonly CallStage[] = toStages(context)): Calls {
  const queues = new Map<string, ServerQueue>();
  const pipeline = toPipeline(context, stages);
  return {
    ...context,
    queueOf({ name, definition }) {
      const { maxConcurrency } = definition?.settings ?? DEFAULT_SETTINGS;
      const queue = queues.get(name) ?? createServerQueue(maxConcurrency);
      queues.set(name, queue);
      return queue;
    },
    make: ({ id = toCallId(), ...call }) => pipeline({ id, ...call, trace: { isSent: false } }),
  };
}

export function toCallId(): string {
  return `c_${randomBytes(8).toString("hex")}`;
}
