import type { Catalog } from "../../catalog/catalog.ts";
import { KeyholeError } from "../../errors.ts";
import type { Policy } from "../../policy/permissions/policy.ts";
import { type Call, type CallStage, toAsked } from "./call.ts";

/**
 * What a rule allowed is compared with what the server says of the tool now, not with what the catalogue remembers of it. The
 * list is read once for each connection, and again when the server says that it changed; other calls do not wait for it.
 */
export function createCurrent(catalog: Catalog, policy: Policy): CallStage {
  return async (call, next) => {
    const { name } = call.server;
    if (catalog.isCurrent(name) || !policy.remembers(toAsked(call))) return next(call);
    await orAborted(catalog.bringUpToDate(name), call);
    return next(asItIsNow(call, catalog));
  };
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
