import type { IncomingMessage } from "node:http";
import { EgressError } from "./egress-error.ts";
import type { ForwardTarget } from "./forward.ts";
import { type HostName, parseAuthority } from "./host-name.ts";
import type { WebTarget } from "./rules.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** `CONNECT host:port`. */
export function readConnect(request: IncomingMessage): WebTarget {
  const asked = parseAuthority(request.url ?? "");
  if (asked?.port === undefined) throw malformed('CONNECT wants "host:port"');
  return { host: asked.host, port: asked.port, protocol: "https" };
}

/** `GET http://host/path`. */
export function readForward(request: IncomingMessage): WebTarget & ForwardTarget {
  const [, authority = "", rest = ""] = /^http:\/\/([^/?#]*)([/?][^#]*)?$/i.exec(request.url ?? "") ?? [];
  const asked = parseAuthority(authority);
  if (!asked) throw malformed('only "http://host/path" can be asked for so; for https there is CONNECT');
  if (!METHODS.has(request.method ?? "")) throw malformed(`no requests with ${request.method}`);
  const coding = request.headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    throw malformed("a body comes as it is, or in chunks");
  const port = asked.port ?? 80;
  assertHost(request, asked.host, port);
  const path = rest.startsWith("?") ? `/${rest}` : rest || "/";
  return { host: asked.host, port, protocol: "http", authority: toAuthority(asked.host, port), path };
}

/** Many servers go by this header alone: with another name in it a request would be to that one. */
function assertHost(request: IncomingMessage, host: HostName, port: number): void {
  const written = request.rawHeaders.filter((_, at) => at % 2 === 0 && isHost(request.rawHeaders[at]));
  const named = parseAuthority(request.headers.host ?? "");
  const isSame = named?.host.name === host.name && (named.port ?? 80) === port;
  if (written.length !== 1 || !isSame) throw malformed("the Host header names another host than the request");
}

function isHost(name: string | undefined): boolean {
  return name?.toLowerCase() === "host";
}

function toAuthority({ name }: HostName, port: number): string {
  const host = name.includes(":") ? `[${name}]` : name;
  return port === 80 ? host : `${host}:${port}`;
}

function malformed(message: string): EgressError {
  return new EgressError("malformed", message);
}
