import { type AuditTrail, commitSoon } from "./trail.ts";

/** Somebody who was not let in. */
export type RefusedLogin = {
  readonly front: string;
  /** In words of ours: nothing that a stranger has sent. */
  readonly reason: string;
  /** The address that it came from. */
  readonly from?: string | undefined;
};

export type LoginTrail = { refused(login: RefusedLogin): void; close(): void };

/** So many are told one by one in a minute; of those after them, how many there were. */
const MAX_A_MINUTE = 20;
const MINUTE_MS = 60_000;
/** Reasons are few; addresses are not. */
const MAX_ADDRESSES = 3;

/** A flood of wrong tokens is a few events, and not a full disk. */
export function createLoginTrail(trail: AuditTrail, now = () => performance.now()): LoginTrail {
  let since = Number.NEGATIVE_INFINITY;
  let told = 0;
  const further = new Map<string, { readonly front: string; count: number; readonly from: Set<string> }>();
  let timer: NodeJS.Timeout | undefined;

  function tell({ front, reason, from }: RefusedLogin): void {
    const details = { front, reason, ...(from !== undefined && { from }) };
    trail.add({ action: "login.refused", outcome: "denied", details });
  }

  function summarise(): void {
    clearTimeout(timer);
    timer = undefined;
    try {
      for (const [reason, { front, count, from }] of further)
        tell({ front, reason: `${reason} (${count} more within a minute)`, from: [...from].join(", ") });
      if (further.size > 0) commitSoon(trail);
    } catch {
      // They were refused; that nothing can be written is told by whoever has something to do.
    }
    further.clear();
  }

  return {
    refused(login) {
      if (now() - since >= MINUTE_MS) {
        summarise();
        since = now();
        told = 0;
      }
      if (told < MAX_A_MINUTE) {
        told++;
        try {
          tell(login);
          commitSoon(trail);
        } catch {
          // As above.
        }
        return;
      }
      const known = further.get(login.reason) ?? { front: login.front, count: 0, from: new Set<string>() };
      known.count++;
      if (login.from !== undefined && known.from.size < MAX_ADDRESSES) known.from.add(login.from);
      further.set(login.reason, known);
      timer ??= setTimeout(summarise, MINUTE_MS).unref();
    },
    close: summarise,
  };
}
