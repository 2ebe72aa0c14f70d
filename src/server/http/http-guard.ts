import type { IncomingMessage, ServerResponse } from "node:http";
import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import type { PrincipalToken } from "../../session.ts";
import { createPrincipalOf } from "./bearer-token.ts";
import type { Refusals } from "./refusals.ts";

export type GuardOptions = {
  /** Whether only this machine can reach the front. */
  readonly isLoopback: boolean;
  readonly tokens: readonly PrincipalToken[];
  /** Good for something else here: whoever shows one of these is told so. */
  readonly otherTokens?: readonly PrincipalToken[];
  /** Who comes without a token; undefined: nobody may. */
  readonly anonymous: string | undefined;
  /** Host names under which others may reach the front, for `Host` and for pages in browsers (`Origin`). */
  readonly allowedHosts: readonly string[];
  readonly refusals: Refusals;
  /** Told why somebody was not let in, in words of ours. */
  onRefused?(reason: string, request: IncomingMessage): void;
  /** What is said to whoever has none of these tokens, where it is not for clients. */
  readonly noToken?: string;
  readonly wrongToken?: string;
};

const NO_TOKEN =
  "A bearer token is needed: send the header Authorization: Bearer <token>. `keyhole serve --http` prints it, and where it is kept";
const WRONG_TOKEN =
  "The bearer token is not one of this gateway's: `keyhole serve --http` prints the right one, and where it is kept";

const OTHER_TOKEN = "This token is not good for this: approvals are answered with a token of http.approvers";

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** Whether a request came by a name of this front; it is answered where not. */
export type HostGuard = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A page in a browser that had its name resolved to this machine (DNS rebinding) is told by its `Host` and `Origin`. */
export function createHostGuard({
  isLoopback,
  allowedHosts,
  refusals,
  onRefused,
}: Pick<GuardOptions, "isLoopback" | "allowedHosts" | "refusals" | "onRefused">): HostGuard {
  const names = [...LOCAL_NAMES, ...allowedHosts];
  // Behind a public address a client may use any name for it; there, the token is what keeps rebinding out.
  const checksHost = isLoopback || allowedHosts.length > 0;
  return (request, response) => {
    const { host, origin } = request.headers;
    response.shouldKeepAlive = false;
    const checks = [checksHost && validateHostHeader(host, names), validateOriginHeader(origin, names)];
    const wrong = checks.find((check) => check !== false && !check.ok);
    if (wrong && !wrong.ok) {
      onRefused?.(
        wrong === checks[0] ? "it came by another host name" : "it came from a page of another origin",
        request,
      );
      refusals.write(response, 403, wrong.message);
    }
    return !wrong;
  };
}

/** Tells whose a request is before its body is read; answers it, and ends the connection, when it may not pass. */
export function createGuard(options: GuardOptions) {
  const { tokens, otherTokens = [], anonymous, refusals, onRefused } = options;
  const { noToken = NO_TOKEN, wrongToken = WRONG_TOKEN } = options;
  const hasRightHost = createHostGuard(options);
  const principalOf = createPrincipalOf(tokens);
  const otherOf = createPrincipalOf(otherTokens);

  return function admit(request: IncomingMessage, response: ServerResponse): string | undefined {
    if (!hasRightHost(request, response)) return undefined;
    const { authorization } = request.headers;
    // Where nobody needs a token, one from before does no harm.
    const principal = (authorization === undefined ? undefined : principalOf(authorization)) ?? anonymous;
    if (principal !== undefined) {
      response.shouldKeepAlive = true;
      return principal;
    }
    const isOther = otherOf(authorization) !== undefined;
    const isMissing = authorization === undefined;
    onRefused?.(
      isOther ? "a client's token where an approver's is needed" : isMissing ? "no token" : "wrong token",
      request,
    );
    if (isOther) refusals.write(response, 403, OTHER_TOKEN);
    else refusals.write(response, 401, isMissing ? noToken : wrongToken);
    return undefined;
  };
}
