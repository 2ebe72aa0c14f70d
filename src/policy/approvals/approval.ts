import type { PiiClass } from "../../pii-classes.ts";
import { type ClientInfo, isSharedSession } from "../../session.ts";
import type { RiskLevel } from "../risk/score.ts";

/** One question to a person: calls of one run that came to the gate together. */
export type Approval = {
  readonly id: string;
  readonly runId: string;
  readonly session: string;
  readonly principal: string;
  readonly status: ApprovalStatus;
  readonly calls: readonly PendingCall[];
  readonly about: About;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly answer?: GivenAnswer;
};

export const APPROVAL_STATUSES = ["pending", "approved", "denied", "expired", "withdrawn"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** A call that waits for a person, with what it would do. */
export type PendingCall = {
  /** Which of the program's calls it is. */
  readonly number: number;
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  /** Of the tool's definition, as it was asked for. */
  readonly toolHash: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Why somebody must be asked. */
  readonly reason: string;
  /** So often it was sent before, and nobody knows whether it was done. No other answer holds for it. */
  readonly repeat?: number;
  /** So many calls like it were made before it was asked for: no approval of it is used up by those. */
  readonly made?: number;
};

/** What a person should know to answer. */
export type About = {
  /** The program around the call, with line numbers. */
  readonly excerpt?: string;
  readonly risk?: { readonly score: number; readonly level: string };
  readonly impact?: unknown;
  /** How much the gravest of its calls risks by itself. */
  readonly gravest?: RiskLevel;
  /** How many personal values of each class are in the arguments; for the audit log. */
  readonly classes?: Readonly<Partial<Record<PiiClass, number>>>;
  /** Whose program it is, as the audit log has it. */
  readonly client?: ClientInfo;
  /** All that the program would write, as it was planned; from which call on that is a guess. */
  readonly plan?: { readonly guessFrom?: number };
  /** Writes of this run that have been made already. */
  readonly written: readonly {
    readonly server: string;
    readonly tool: string;
    readonly effect: string;
    /** What it was made with, in a line. */
    readonly arguments?: string;
  }[];
  /** Earlier questions of this run that were approved. */
  readonly approvedBefore: readonly string[];
};

/** For how much an approval holds: these calls, all of the same tool in this run, in this session, or from now on. */
export const SCOPES = ["once", "run", "session", "always"] as const;
export type ApprovalScope = (typeof SCOPES)[number];

/** How many tools a question names in each way it is shown. Of more, nobody has seen what a wider answer would be for. */
export const MAX_NAMED_TOOLS = 50;

/** What a question is about, each tool once with how often it is called; of commands, each command. The first call of each first. */
export function toolsOf(
  calls: readonly PendingCall[],
): { readonly first: PendingCall; readonly count: number }[] {
  const tools = new Map<string, { readonly first: PendingCall; count: number }>();
  for (const call of calls) {
    const key = JSON.stringify([call.server, call.tool, call.toolHash]);
    const known = tools.get(key);
    if (known) known.count++;
    else tools.set(key, { first: call, count: 1 });
  }
  return [...tools.values()];
}

/**
 * Which scopes an answer to it may have, but for `always`, whose rules are shown by themselves.
 * @param asked the session of whoever is asked: in another one, nobody means the one that the question is of
 */
export function scopesOf(
  { calls, session }: Pick<Approval, "calls" | "session">,
  asked = session,
): ("once" | "run" | "session")[] {
  if (toolsOf(calls).length > MAX_NAMED_TOOLS) return ["once"];
  return isSharedSession(session) || asked !== session ? ["once", "run"] : ["once", "run", "session"];
}

export type ApprovalAnswer =
  | {
      readonly decision: "approve";
      readonly scope: ApprovalScope;
      /** Other arguments for a call, by its number. */
      readonly edits?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    }
  | { readonly decision: "deny"; readonly reason?: string };

export type GivenAnswer = ApprovalAnswer & {
  /** By which way, and who as far as that is known: `terminal`, `cli root`, `elicitation claude-code`. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
};
