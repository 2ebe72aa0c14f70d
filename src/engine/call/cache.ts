import { toCanonicalJson } from "../../catalog/canonical-json.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import { isUnanswered, KeyholeError, toKeyholeError } from "../../errors.ts";
import type { CacheScope } from "../../workspace/result-cache/cache-changes.ts";
import type { CacheName, ResultCache } from "../../workspace/result-cache/result-cache.ts";
import type { CachePlan } from "../cache/cache-rules.ts";
import { fromKeptText, toKeptText } from "../cache/kept-text.ts";
import type { Call, CallResult, CallStage, NextStage } from "./call.ts";
import { createFlights, type Flights } from "./flights.ts";

export type CallCache = {
  readonly results: ResultCache;
  planOf(tool: ToolRecord): CachePlan;
  /** Whether results are kept and found here. What is called is told to the others in any case. */
  readonly isOn: boolean;
};

/** A server's own word counts for no longer than this. */
const MAX_SERVERS_TTL_MS = 60 * 60 * 1000;

/**
 * Answers a call with what an equal one returned, as long as that holds. It stands after all decisions, and before the result is
 * looked at: one that was kept passes privacy as if it had come just now.
 */
export function createCache(cache: CallCache | undefined): CallStage {
  if (cache === undefined) return (call, next) => next(call);
  const { results, planOf, isOn } = cache;
  const flights = createFlights();
  /** Tools that have said nothing of how long their results hold. */
  const silent = new WeakSet<ToolRecord>();

  return (call, next) => {
    const plan = planOf(call.tool);
    if (plan.kind === "change")
      return results.isThere() || isOn ? change(plan.scopes, call, next) : next(call);
    if (plan.kind === "pass" || !isOn || call.repeat !== undefined) return next(call);
    if (plan.ttlMs !== undefined) return keep(call, next, plan.ttlMs);
    return silent.has(call.tool) || !results.isThere() ? listen(call, next) : keep(call, next);
  };

  /** Nothing of before is answered from here on, and nothing that was read meanwhile afterwards. */
  async function change(scopes: readonly CacheScope[], call: Call, next: NextStage): Promise<CallResult> {
    flights.forget(scopes);
    const end = await results.change(scopes);
    let isOver = true;
    try {
      return await next(call);
    } catch (error) {
      isOver = !(call.trace.isSent && isUnanswered(toKeyholeError(error).code));
      throw error;
    } finally {
      flights.forget(scopes);
      await end(isOver);
    }
  }

  /** Its server alone can say that its results hold: until it does, there is nothing to look for. */
  async function listen(call: Call, next: NextStage): Promise<CallResult> {
    const result = await next(call);
    if (toTtlMs(result, undefined) === 0) silent.add(call.tool);
    else {
      silent.delete(call.tool);
      void results.open();
    }
    return result;
  }

  async function keep(call: Call, next: NextStage, ttlMs?: number): Promise<CallResult> {
    const name = toName(call);
    if (name === undefined) return next(call);
    call.trace.isLookedFor = true;
    const { found, keptAt = 0, version } = await results.look(name);
    const kept = found === undefined ? undefined : fromKeptText(found);
    // A rule may have become shorter since.
    if (kept !== undefined && Date.now() - keptAt < (ttlMs ?? MAX_SERVERS_TTL_MS))
      return toCached(call, kept);
    if (version === undefined) return next(call);
    return share({ call, next, name, version, ttlMs, flights });
  }

  async function share(asked: Asked): Promise<CallResult> {
    const { call, name, version, ttlMs } = asked;
    const key = `${name.principal}\n${name.about}`;
    const shared = flights.find(key, version);
    if (shared !== undefined && shared.timeoutMs === call.timeoutMs) {
      const outcome = await shared.join(call.signal);
      if (outcome.ok && toTtlMs(outcome.result, ttlMs) > 0) return toCached(call, outcome.result);
      if (call.signal.aborted) throw cancelled(call);
      if (!outcome.ok && !isOwn(outcome.error)) throw outcome.error;
      // That one was given up, or what it brought is for it alone.
      return asked.next(call);
    }
    return lead(asked, key);
  }

  async function lead({ call, next, name, version, ttlMs }: Asked, key: string): Promise<CallResult> {
    const flight = flights.begin(key, { version, scope: name, timeoutMs: call.timeoutMs }, async (signal) => {
      const result = await next({ ...call, signal });
      const holdsMs = toTtlMs(result, ttlMs);
      if (ttlMs === undefined && holdsMs === 0) silent.add(call.tool);
      const text = holdsMs > 0 ? toKeptText(result) : undefined;
      return {
        result,
        ...(text !== undefined && { after: () => results.keep(name, text, { version, ttlMs: holdsMs }) }),
      };
    });
    const outcome = await flight.join(call.signal);
    if (outcome.ok) return outcome.result;
    throw outcome.error ?? cancelled(call);
  }
}

type Asked = {
  readonly call: Call;
  readonly next: NextStage;
  readonly name: CacheName;
  readonly version: number;
  readonly ttlMs: number | undefined;
  readonly flights: Flights;
};

/** All that an equal call has in common with it. Nothing where the server's credentials are not known. */
function toName({ session, server, tool, args }: Call): CacheName | undefined {
  if (server.fingerprint === undefined) return undefined;
  const about = [server.name, server.fingerprint, server.info?.version ?? null, tool.name, tool.hash, args];
  return {
    principal: session.principal,
    server: server.name,
    tool: tool.name,
    about: toCanonicalJson(about),
  };
}

/** The shorter of what the user and the server say. */
function toTtlMs({ ttlMs: said }: CallResult, ruled: number | undefined): number {
  if (ruled === undefined) return Math.min(said ?? 0, MAX_SERVERS_TTL_MS);
  return Math.min(ruled, said ?? Number.POSITIVE_INFINITY);
}

/** What became of that call alone. */
function isOwn(error: unknown): boolean {
  const { code } = toKeyholeError(error);
  return code === "cancelled" || code === "timeout";
}

function cancelled({ server, tool }: Call): KeyholeError {
  const names = { server: server.name, tool: tool.name };
  return new KeyholeError(
    "cancelled",
    `Call of "${tool.name}" on server "${server.name}" was cancelled`,
    names,
  );
}

function toCached({ id, server, tool }: Call, result: Omit<CallResult, "from">): CallResult {
  return { ...result, from: { server: server.name, tool: tool.name, callId: id }, isCached: true };
}
