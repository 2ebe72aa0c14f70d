import { KeyholeError } from "../errors.ts";
import { LOCAL_PRINCIPAL, type PrincipalToken } from "../session.ts";
import { type LocalToken, loadLocalToken } from "./local-token.ts";
import type { Places } from "./places.ts";
import type { KeyholeConfig } from "./schema.ts";
import { expandVariables } from "./variables.ts";

/** Who may use the gateway over HTTP. */
export type HttpAccess = {
  readonly tokens: readonly PrincipalToken[];
  /** Who may answer approvals; none of them is a client's token. */
  readonly approvers: readonly PrincipalToken[];
  /** Whether this machine needs no token. */
  readonly isOpen: boolean;
  /** The token that we made ourselves, for the user to see. */
  readonly local?: LocalToken;
};

/** Access as it is configured; where nothing says who the local user is, the token in that user's own file does. */
export async function loadHttpAccess(http: KeyholeConfig["http"], places: Places): Promise<HttpAccess> {
  const expand = (key: "tokens" | "approvers") =>
    Object.entries(http?.[key] ?? {}).flatMap(([principal, texts]) =>
      [texts].flat().map((text) => ({
        principal,
        token: expandVariables(text, `http.${key}.${principal}`, places.env),
      })),
    );
  const [tokens, approvers] = [expand("tokens"), expand("approvers")];
  const isOpen = http?.open ?? false;
  const given = places.env["KEYHOLE_TOKEN"] || undefined;
  const local = given === undefined && !isOpen ? await loadLocalToken(places) : undefined;
  const own = given ?? local?.token;
  const all = own === undefined ? tokens : [{ principal: LOCAL_PRINCIPAL, token: own }, ...tokens];
  assertApart(all);
  assertApart(approvers);
  return { tokens: all, approvers, isOpen, ...(local && { local }) };
}

function assertApart(tokens: readonly PrincipalToken[]): void {
  const owners = new Map<string, string>();
  for (const { principal, token } of tokens) {
    const other = owners.get(token);
    owners.set(token, principal);
    if (other === undefined || other === principal) continue;
    throw new KeyholeError("config_invalid", `"${other}" and "${principal}" have the same token`, {
      hint: "Give each a token of its own in http.tokens and http.approvers",
    });
  }
}
