import type { CatalogEntry } from "../../catalog/entry.ts";
import { DEFAULT_SETTINGS } from "../../config/server-definition.ts";
import { createServerQueue, type ServerQueue } from "../../sandbox/server-queue.ts";
import { type CallRequest, type CallResult, type CallStage, toCall } from "./call.ts";
import { type CallContext, toPipeline, toStages } from "./stages.ts";

/** The calls of all programs of a project, and of Keyhole itself. */
export type Calls = CallContext & {
  /** The one queue of a server: whoever makes a call has room in it. */
  queueOf(server: CatalogEntry): ServerQueue;
  make(call: CallRequest): Promise<CallResult>;
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
    make: (call) => pipeline(toCall(call)),
  };
}
