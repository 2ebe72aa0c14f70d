/** The user on whose machine this runs: stdio, the CLI, the library, HTTP with the local token. */
export const LOCAL_PRINCIPAL = "local";

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
  /** The workspace by its name; empty for the principal's own. */
  readonly workspace: string;
};

export type ClientInfo = { readonly name: string; readonly version?: string };
