import type { IncomingMessage, ServerResponse } from "node:http";
import { hostHeaderValidation, originValidation } from "@modelcontextprotocol/node";
import { hasToken } from "./bearer-token.ts";

export type GuardOptions = {
  /** Whether only this machine can reach the front. */
  readonly isLoopback: boolean;
  readonly token: string | undefined;
  /** Host names under which others may reach the front, for `Host` and for pages in browsers (`Origin`). */
  readonly allowedHosts: readonly string[];
};

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Decides on a request before its body is read; answers it when it may not pass. A page in a browser that had its name
 * resolved to this machine (DNS rebinding) is told by its `Host` and `Origin`.
 */
export function createGuard({ isLoopback, token, allowedHosts }: GuardOptions) {
  const names = [...LOCAL_NAMES, ...allowedHosts];
  const isHostRight = hostHeaderValidation(names);
  const isOriginRight = originValidation(names);
  // Behind a public address a client may use any name for it; there, the token is what keeps rebinding out.
  const checksHost = isLoopback || allowedHosts.length > 0;

  return function mayPass(request: IncomingMessage, response: ServerResponse): boolean {
    if (checksHost && !isHostRight(request, response)) return false;
    if (!isOriginRight(request, response)) return false;
    if (token === undefined || hasToken(request.headers.authorization, token)) return true;
    answer(response, 401, "A bearer token is needed: send the header Authorization: Bearer <token>");
    return false;
  };
}

export function answer(response: ServerResponse, status: number, message: string): void {
  const headers = {
    "content-type": "application/json",
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  };
  response.writeHead(status, headers);
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
}
