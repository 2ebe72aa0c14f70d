import { randomId } from "./text/random-id.ts";

/** The user on whose machine this runs: stdio, the CLI, the library, HTTP with the local token. */
export const LOCAL_PRINCIPAL = "local";

/** Whoever shows this token is this principal. */
export type PrincipalToken = { readonly principal: string; readonly token: string };

/**
 * One conversation of one client. The fronts make it, and the engine takes nothing without one: turns, the journal,
 * statistics, saved results and runs that go on are a session's; the workspace is its principal's.
 */
export type Session = {
  /** Told apart from those of all processes that share the project; never chosen by a client. */
  readonly id: string;
  /** Whoever the client is authenticated as. */
  readonly principal: string;
  /** What the client says of itself. */
  readonly client: ClientInfo;
  /** Whose files its programs see: by its principal's name, unless its front says otherwise. */
  readonly workspace: string;
  /** Who sees what was saved of its results: it alone, until it ends, or all of the principal's that share theirs. */
  readonly savesFor: "session" | "principal";
  /** By which way its requests come. */
  readonly front?: "stdio" | "http" | "cli" | "library";
};

export type ClientInfo = { readonly name: string; readonly version?: string };

/** A session that is nobody else's. */
export function createSession(
  known: Partial<Omit<Session, "id">> & { readonly client: ClientInfo },
): Session {
  return {
    id: randomId("s"),
    principal: LOCAL_PRINCIPAL,
    workspace: known.principal ?? LOCAL_PRINCIPAL,
    savesFor: "principal",
    ...known,
  };
}

/**
 * What stands for a session where there is none, since nobody says which runs belong together: those of `keyhole run` on one
 * day, and those that a principal has started by HTTP without a session.
 */
export function createSharedSession(
  kind: "cli" | "http",
  known: Parameters<typeof createSession>[0],
): Session {
  const session = createSession({ front: kind, ...known });
  const id = kind === "cli" ? new Date().toISOString().slice(0, 10) : session.id.slice("s_".length);
  return { ...session, id: `${kind}-${id}` };
}

/** Whether others than one client may be in it, so that nothing can be approved for all of it. */
export function isSharedSession(id: string): boolean {
  return /^(?:cli|http)-/.test(id);
}

const MAX_CLIENT_TEXT = 100;

/** What a client says of itself is kept with its runs: it is cut, whatever it is. */
export function toClientInfo(
  said: { readonly name?: unknown; readonly version?: unknown } | undefined,
): ClientInfo {
  const toText = (value: unknown) => (typeof value === "string" ? value.slice(0, MAX_CLIENT_TEXT) : "");
  const version = toText(said?.version);
  return { name: toText(said?.name) || "unknown", ...(version === "" ? {} : { version }) };
}
