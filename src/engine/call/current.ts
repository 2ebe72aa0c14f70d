import type { Catalog } from "../../catalog/catalog.ts";
import { KeyholeError } from "../../errors.ts";
import type { Policy } from "../../policy/permissions/policy.ts";
import { type Call, type CallStage, toAsked } from "./call.ts";

/**
 * What a rule allowed is compared with what the server says of the tool now, not with what the catalogue remembers of it; and
 * where changes are told, they are before a call meets them. The list is read once for each connection, and again when the
 * server says that it changed; where there is neither, calls do not wait for it.
 */
export function createCurrent(
  catalog: Catalog,
  policy: Policy,
  changesTold?: () => Promise<void>,
): CallStage {
  /** Of servers that did not tell, what was asked for in vain. */
  const vain = new Map<string, number>();

  /** For the record alone, nothing fails that would not have failed: the call says by itself what is wrong. */
  async function readForRecord(call: Call): Promise<void> {
    const { name } = call.server;
    const connection = catalog.connection(name);
    if (vain.get(name) === connection.listVersion()) return;
    const reading = catalog.bringUpToDate(name).catch(() => {
      vain.set(name, connection.listVersion());
    });
    await orAborted(orTooLate(reading, call.timeoutMs), call);
  }

  return async (call, next) => {
    const { name } = call.server;
    if (catalog.isCurrent(name)) return next(call);
    const isRemembered = policy.remembers(toAsked(call));
    if (isRemembered) await orAborted(catalog.bringUpToDate(name), call);
    else if (changesTold === undefined) return next(call);
    else await readForRecord(call);
    await changesTold?.();
    return next(isRemembered ? asItIsNow(call, catalog) : asListed(call, catalog));
  };
}

/** The call's own limit is for the whole of it. */
async function orTooLate(reading: Promise<void>, timeoutMs: number | undefined): Promise<void> {
  if (timeoutMs === undefined) return reading;
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  return Promise.race([reading, passed]).finally(() => clearTimeout(timer));
}

function asListed(call: Call, catalog: Catalog): Call {
  const server = catalog.entry(call.server.name);
  const tool = server?.record?.tools.find((listed) => listed.name === call.tool.name);
  return server === undefined || tool === undefined ? call : { ...call, server, tool };
}

function asItIsNow(call: Call, catalog: Catalog): Call {
  const { name } = call.server;
  const server = catalog.entry(name);
  if (server?.status !== "ready")
    throw server?.error ?? new KeyholeError("server_unknown", `Unknown server "${name}"`, { server: name });
  const tool = server.record?.tools.find((listed) => listed.name === call.tool.name);
  if (tool === undefined)
    throw new KeyholeError("tool_unknown", `Server "${name}" has no tool "${call.tool.name}" any more`, {
      server: name,
      tool: call.tool.name,
    });
  return { ...call, server, tool };
}

/** The reading goes on for whoever shares it. */
async function orAborted(reading: Promise<void>, { signal, server, tool }: Call): Promise<void> {
  let leave: () => void = () => undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () =>
      reject(
        new KeyholeError("cancelled", `Stopped waiting for server "${server.name}"`, {
          server: server.name,
          tool: tool.name,
        }),
      );
  });
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  try {
    await Promise.race([reading, left]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
