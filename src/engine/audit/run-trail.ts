import type { EventAction, EventDetails, EventHead, Hashed, NewEvent } from "../../audit/event.ts";
import type { MaskedText } from "../../privacy/conceal/masker.ts";
import type { FoundValues } from "../../privacy/conceal/shown-values.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import type { ClientInfo, Session } from "../../session.ts";
import type { ToShape } from "./shape.ts";
import { type AuditTrail, toHashed, toTotals } from "./trail.ts";

/** What is told of one run: the trail, and whose it is. */
export type RunTrail = {
  readonly contents: AuditTrail["contents"];
  readonly client: ClientInfo;
  readonly toShape: ToShape;
  readonly hash: AuditTrail["hash"];
  hashed(text: string | Uint8Array): Hashed;
  add<Action extends EventAction>(action: Action, details: EventDetails[Action], head: RunEventHead): void;
  readonly commit: AuditTrail["commit"];
  readonly commitTogether: AuditTrail["commitTogether"];
  readonly later: AuditTrail["later"];
  /** Values were found in something of it, and hidden. */
  found(
    found: FoundValues,
    where: EventDetails["pii.found"]["where"],
    head?: Omit<RunEventHead, "outcome">,
  ): void;
  /** What stands in its program that is personal, for who has to look where it goes. */
  literals: MaskedText["found"];
  /** What was sent to tools as it stands, in egress mode; looked at when the run ends. */
  readonly sent: { readonly byRecipient: Map<string, SentTexts>; chars: number };
  /** The server whose results the program was handed, since all that is told was committed for a call. */
  heardOf: string | undefined;
  /** Questions to people that it was for. */
  readonly approvals: Set<string>;
  /** Connections that it was refused. */
  refused: number;
  readonly code: Hashed;
  /** Once it was told that it runs. */
  progress: ToldRun | undefined;
  /** As it is told, once it was. */
  model?: string;
};

export type ToldRun = {
  /** Where it runs, and why there. */
  tier: ToldTier;
  readonly startMs: number;
  isEnded: boolean;
};

type ToldTier = Pick<EventDetails["run.ended"], "tier" | "tierBy" | "suggestedTier">;

export type SentTexts = ToldParty & { readonly texts: string[] };

/** Who is told something. `recipient`: the command or the host, where it is no server's tool. */
export type ToldParty = { readonly server: string; readonly tool: string; readonly recipient?: string };

export type RunEventHead = Partial<
  Pick<EventHead, "call" | "server" | "tool" | "risk" | "durationMs" | "error">
> &
  Pick<EventHead, "outcome">;

export type RunTrailParts = {
  readonly id: string;
  readonly session: Session;
  readonly code: string;
};

export function createRunTrail(
  trail: AuditTrail,
  toShape: ToShape,
  { id, session, code }: RunTrailParts,
): RunTrail {
  const { id: sessionId, principal, client } = session;
  let hashedCode: Hashed | undefined;

  const add: RunTrail["add"] = (action, details, head) => {
    const { call, server, tool, risk, outcome, durationMs, error } = head;
    // Each by its name: what is not there is not written.
    trail.add({
      action,
      session: sessionId,
      principal,
      client,
      run: id,
      call,
      server,
      tool,
      risk,
      outcome,
      durationMs,
      error,
      details,
    } as NewEvent);
  };

  return {
    contents: trail.contents,
    client,
    toShape,
    hash: trail.hash,
    hashed: (text) => toHashed(trail, text),
    add,
    commit: trail.commit,
    commitTogether: trail.commitTogether,
    later: trail.later,
    found(found, where, head = {}) {
      if (found.size > 0)
        add("pii.found", { classes: toTotals(found.values()), where }, { ...head, outcome: "ok" });
    },
    literals: [],
    sent: { byRecipient: new Map(), chars: 0 },
    heardOf: undefined,
    approvals: new Set(),
    refused: 0,
    // While its program is read, not before.
    get code() {
      hashedCode ??= toHashed(trail, code);
      return hashedCode;
    },
    progress: undefined,
  };
}

/** A text of ours that may name something of others'. */
export function toMasked(text: string, privacy: WorkspacePrivacy | undefined): string | undefined {
  return privacy?.mask(text.slice(0, MAX_MESSAGE)).text;
}

const MAX_MESSAGE = 1_000;

/** Times in milliseconds, to a hundredth. */
export function toMs(ms: number): number {
  return Math.round(ms * 100) / 100;
}
