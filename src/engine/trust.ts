import type { Brought } from "../config/trust/brought.ts";
import type { Session } from "../session.ts";

export { toShownBrought } from "../config/trust/shown-brought.ts";

/**
 * What a project folder brings, until a person has said yes to it. No model, program or tool result leads to `accept`, and
 * no principal but the local user: it starts commands as that one. */
export type ProjectTrust = {
  /** Whether a client may be asked to ask its user. By the user's own config alone: the project's is what is asked about. */
  readonly mayElicit: boolean;
  /** What waits for a yes, as it was read: servers that are not started, settings that are not obeyed. */
  pending(): readonly Brought[];
  /**
   * A person's yes to what `pending` showed, all of it or these ids; it is written down, and servers are started with the
   * next search or run. With settings among it, all of it holds from the next start of Keyhole: no server is started
   * without the rules that came with it. `by`: in whose conversation it was said.
   */
  accept(ids?: readonly string[], by?: Session): Promise<{ readonly needsRestart: boolean }>;
  /**
   * Takes up what a person said yes to meanwhile, also by `keyhole trust` elsewhere, and closes servers that were revoked. Throws
   * where settings were: what they allow can't be taken back while it runs.
   */
  look(): Promise<void>;
};
