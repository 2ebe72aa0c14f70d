import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { ResolvedServer } from "../config/expand.ts";
import type { KeyholeError } from "../errors.ts";
import { createBoundedFetch } from "./bounded-fetch.ts";
import { childEnvironment } from "./child-environment.ts";
import type { ServerInfo } from "./connection.ts";
import type { Evidence } from "./failure.ts";
import type { Intake } from "./large/intake.ts";
import { ChildTransport } from "./stdio-transport.ts";

/** A way to a server, and what it can tell when things go wrong. */
export type TransportLine = { kind: ServerInfo["transport"]; transport: Transport; evidence(): Evidence };

export function stdioTransport(
  server: ResolvedServer,
  { env: hostEnv, redact, intake }: { env: NodeJS.ProcessEnv; redact(text: string): string; intake: Intake },
): TransportLine {
  if (server.transport.type !== "stdio") throw new TypeError("Not a stdio server");
  const { command, args, cwd, env } = server.transport;
  const transport = new ChildTransport({
    server: server.name,
    command,
    args,
    env: childEnvironment(hostEnv, env),
    cwd,
    intake,
    redact,
  });
  return { kind: "stdio", transport, evidence: () => transport.evidence() };
}

export function httpTransport(server: ResolvedServer, kind: "http" | "sse", intake: Intake): TransportLine {
  if (server.transport.type === "stdio") throw new TypeError("Not an HTTP server");
  const url = new URL(server.transport.url);
  let verdict: KeyholeError | undefined;
  const boundedFetch = createBoundedFetch(server.name, intake, (reason) => {
    verdict = reason;
  });
  const options = { requestInit: { headers: server.transport.headers }, fetch: boundedFetch };
  const transport =
    kind === "http" ? new StreamableHTTPClientTransport(url, options) : new SSEClientTransport(url, options);
  const evidence = () => {
    // The path may be a secret: some services have no other.
    const found = { url: url.origin, verdict };
    // The connection outlives one answer that was too large; what fails after it fails for its own reasons.
    verdict = undefined;
    return found;
  };
  return { kind, transport, evidence };
}
