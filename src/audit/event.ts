import { EVENT_CLASS_NAMES } from "../config/audit/kept-days.ts";
import type { PiiClass } from "../pii-classes.ts";
import type { RiskLevel } from "../policy/risk/score.ts";

/** How something came out. `asked`: a person is to say; `waiting`: a run waits for that. */
export const OUTCOMES = ["ok", "failed", "denied", "asked", "waiting", "cancelled"] as const;
export type EventOutcome = (typeof OUTCOMES)[number];

/** Who let a call or a command be made. */
export type Leave = {
  readonly decision: "allow" | "ask" | "deny";
  /** Which rule, level or default decided, in words. */
  readonly by: string;
  /** Whether a person approved it for this call, or no person was asked. */
  readonly approved?: "person" | "auto";
  /** The question that a person answered. */
  readonly approval?: string;
  readonly channel?: string;
  /** As whoever answered is known. */
  readonly person?: string;
};

/** How many values of each class; never the values. */
export type ClassTotals = Readonly<Partial<Record<PiiClass, number>>>;

/** A hash, and how much was hashed. Hashes are HMAC-SHA256 by a key of the log, in hex: short values can't be guessed from them. */
export type Hashed = { readonly hash: string; readonly bytes: number };

/** What the watch for anomalies must know of a call's arguments, without their values (`anomaly/call-marks.ts`). */
export type CallMarks = {
  /** An argument, or the tool, is about where credentials are kept. */
  readonly isSecret?: true;
  /** To whom or where it sends, hashed. */
  readonly recipient?: string;
};

export type TokenUse = {
  readonly seenTokens: number;
  /** Of those, what the model wrote: it costs more. */
  readonly codeTokens?: number;
  readonly keptTokens: number;
  readonly directTokens: number;
  readonly catalogTokens: number;
};

export type PlacedTier = {
  readonly tier: string;
  /** `level`, `mode`, `option`, `risk` or `resume`. */
  readonly tierBy: string;
  /** What its risk suggests, where that is missing here. */
  readonly suggestedTier?: string;
};

/** What is kept of each kind of event beside its head. Contents stand here only where the config says so, concealed. */
export type EventDetails = {
  "keyhole.started": {
    readonly version: string;
    readonly pid: number;
    readonly tier: string;
    readonly level: string;
    readonly policy: string;
    readonly config: string;
    /** By what it is configured, hashed: processes that are configured otherwise have other versions at the same time. */
    readonly source?: string;
  };
  "keyhole.stopped": { readonly runs: number };
  "session.opened": { readonly front: string };
  "session.closed": { readonly runs: number; readonly reason?: string };
  /** Somebody was not let in. */
  "login.refused": { readonly front: string; readonly reason: string; readonly from?: string };
  "run.started": {
    readonly code: Hashed & { readonly text?: string };
    readonly language: string;
    /** The least it runs in, and by what; in `run.placed` where its risk has made another of it. */
    readonly tier: string;
    readonly tierBy?: string;
    readonly model?: string;
    /** The run that it goes on with. */
    readonly resumes?: string;
  };
  /** Its risk suggests a stronger tier than it must run in: which it got, before anything of it is run. */
  "run.placed": PlacedTier;
  "run.ended": {
    readonly status: "done" | "failed" | "waiting";
    /** Of its failure (`run-failure.ts`). */
    readonly kind?: string;
    readonly message?: string;
    readonly code: Hashed;
    readonly output: Hashed & { readonly text?: string };
    /** `none` where it came to no sandbox, since one is missing. */
    readonly tier: string;
    readonly tierBy?: string;
    readonly suggestedTier?: string;
    readonly model?: string;
    readonly usage: TokenUse;
    readonly calls: number;
    readonly failedCalls: number;
    readonly score?: number;
    /** Which rules the program broke. */
    readonly violations?: readonly string[];
    readonly approvals?: readonly string[];
    /** By which way it was cancelled, and by whom, where that is known. */
    readonly cancelled?: { readonly channel: string; readonly person?: string };
  };
  /** It was not begun: its session was stopped, or what it does can't be written down. */
  "run.refused": {
    readonly code: Hashed;
    readonly kind: string;
    /** So many before it were not told one by one. */
    readonly more?: number;
  };
  /** It writes, or may: on the disk before it is handed to the server. */
  "call.sent": {
    readonly input: Hashed & { readonly text?: string };
    readonly leave: Leave;
    readonly definition: string;
    readonly marks?: CallMarks;
  };
  "call.ended": {
    readonly input: Hashed & { readonly text?: string };
    readonly output?: Hashed & { readonly text?: string };
    readonly leave?: Leave;
    /** Whether it may write, by name and annotations. */
    readonly isWrite: boolean;
    readonly isDestructive?: boolean;
    readonly isSent: boolean;
    readonly code?: string;
    /** Of its arguments and result, as the direct way would have shown them. */
    readonly directTokens: number;
    /** The form of its arguments: key names and kinds of values, hashed. */
    readonly shape: string;
    /** It was answered from the record of the run, and not made again. */
    readonly isReplayed?: boolean;
    /** It was answered with what an equal call returned before, and not sent. */
    readonly isCached?: boolean;
    readonly marks?: CallMarks;
  };
  "call.denied": {
    readonly input: Hashed;
    readonly leave: Leave;
    readonly isWrite: boolean;
    readonly marks?: CallMarks;
  };
  "approval.asked": {
    readonly approval: string;
    readonly calls: readonly {
      readonly server: string;
      readonly tool: string;
      readonly reason: string;
      /** The arguments that were shown. */
      readonly input?: Hashed;
    }[];
    readonly expiresAt: number;
  };
  "approval.answered": {
    readonly approval: string;
    readonly status: "approved" | "denied" | "expired" | "withdrawn";
    readonly channel: string;
    readonly person?: string;
    readonly scope?: string;
    readonly reason?: string;
    /** Calls that are to be made with other arguments than were asked for, by their numbers. */
    readonly edited?: readonly { readonly number: number; readonly input: Hashed }[];
    readonly waitedMs: number;
  };
  /** Let through: on the disk before anything of it leaves. */
  "egress.opened": { readonly connection: string; readonly host: string; readonly port: number };
  "egress.connected": {
    /** That of its `egress.opened`. */
    readonly connection?: string;
    readonly host: string;
    readonly port: number;
    readonly sentBytes: number;
    readonly receivedBytes: number;
    readonly failure?: string;
  };
  "egress.refused": {
    /** Where it was opened, and refused for where its name leads. */
    readonly connection?: string;
    readonly host: string;
    readonly port: number;
    readonly reason: string;
    /** Of so many, after those of the run that were told one by one. */
    readonly more?: number;
  };
  /** Before it is started, on the disk. */
  "command.started": { readonly command: string; readonly input: Hashed; readonly leave: Leave };
  "command.ended": { readonly command: string; readonly exitCode: number | null; readonly output: Hashed };
  "command.denied": { readonly command: string; readonly input: Hashed; readonly leave: Leave };
  /** Found in a result, an answer or a page, and hidden from the model. */
  "pii.found": { readonly classes: ClassTotals; readonly where: "result" | "program" | "answer" | "page" };
  /** Values were given to a tool: in place of their tokens, or as the program had them. */
  "pii.revealed": {
    readonly classes: ClassTotals;
    /** Of what is no server's tool: the command, or the host that `fetch` asked. */
    readonly recipient?: string;
  };
  /** A person looked at values, by `keyhole privacy reveal`, or in the arguments of a question. */
  "pii.shown": {
    readonly classes: ClassTotals;
    readonly person?: string;
    readonly channel?: string;
    readonly approval?: string;
    /** The host of the webhook that was told of the question. */
    readonly recipient?: string;
  };
  "pii.forgotten": { readonly classes: ClassTotals; readonly person?: string };
  "skill.changed": { readonly skill: string; readonly change: string; readonly hash: string };
  /** `change`: `kept` (a snapshot), `restored`, `removed`, `snapshot removed`. */
  "workspace.changed": {
    readonly workspace: string;
    readonly change: string;
    readonly snapshot?: string;
    readonly channel: string;
    readonly person?: string;
  };
  "policy.changed": {
    readonly policy: string;
    readonly previous?: string;
    /** As of `keyhole.started`. */
    readonly source?: string;
    /** A changed tool, which the head names, was taken for the one that rules allow: the hash of its definition. */
    readonly accepted?: string;
    readonly channel?: string;
    readonly person?: string;
  };
  "config.changed": { readonly config: string; readonly previous?: string; readonly source?: string };
  "trust.given": { readonly content: string; readonly channel: string; readonly person?: string };
  "trust.revoked": { readonly content: string; readonly channel: string; readonly person?: string };
  "tool.changed": {
    /** `listed`: all tools of a server that was not known before. */
    readonly change: "added" | "changed" | "removed" | "listed";
    /** Of how many tools, where it is more than one. */
    readonly tools?: number;
    /** The hash of the definition; of all of them, where it is more than one. */
    readonly definition?: string;
    readonly previous?: string;
  };
  "limit.hit": { readonly limit: string; readonly message: string };
  "anomaly.found": {
    readonly rule: string;
    readonly severity: "info" | "warning" | "critical";
    readonly text: string;
    /** What was done about it. */
    readonly action: "log" | "notify" | "ask" | "stop";
    readonly events: readonly string[];
  };
  /** A person lets a session go on that was stopped, or that was asked about. */
  /** What was kept, or left behind, went. */
  "clean.ended": {
    readonly by: "gateway" | "cli";
    /** How many of each kind. */
    readonly kinds: Readonly<Record<string, number>>;
    /** Those that are not among them. */
    readonly more: number;
    readonly bytes: number;
  };
  "anomaly.released": { readonly channel: string; readonly person?: string };
  /** Events were lost, and how many: work went on while nothing could be written (`onFailure: continue`). */
  "audit.gap": { readonly from: number; readonly to: number; readonly lost: number; readonly reason: string };
  /** Retention took these out of the log; their hashes stay. */
  "audit.pruned": {
    readonly ranges: readonly (readonly [from: number, to: number])[];
    readonly count: number;
    readonly classes: Readonly<Record<string, number>>;
    readonly archive?: string;
    readonly archiveHash?: string;
  };
  "audit.key": { readonly key: string; readonly previous?: string };
  "audit.anchored": { readonly target: string; readonly sequence: number };
  /** What was in the log before this event is not what had been written there. */
  "audit.broken": { readonly kind: string; readonly sequence: number; readonly message: string };
  /** A line of a spool that is no event: the disk lost a part of it, for example. */
  "audit.unreadable": { readonly spool: string; readonly bytes: number; readonly hash: string };
  "audit.exported": { readonly what: string; readonly count: number };
  /** Nothing is written from here on, until `config.changed` says that it is on again. */
  "audit.off": { readonly by: string };
  /** A new key seals the details from here on; `previous` is the one before. */
  "audit.seal": { readonly key: string; readonly previous?: string };
};

export type EventAction = keyof EventDetails;

/** What can be asked for. Everything else stands in `details`. */
export type EventHead = {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly session?: string;
  readonly principal?: string;
  readonly client?: { readonly name: string; readonly version?: string };
  readonly run?: string;
  readonly call?: string;
  readonly server?: string;
  readonly tool?: string;
  readonly risk?: RiskLevel;
  readonly outcome: EventOutcome;
  readonly durationMs?: number;
  /** In words, for a person; nothing personal in it. */
  readonly error?: string;
};

export type AuditEvent<Action extends EventAction = EventAction> = {
  [Key in Action]: EventHead & { readonly action: Key; readonly details: EventDetails[Key] };
}[Action];

/** An event before it is told when it was, and its name. */
export type NewEvent = {
  [Key in EventAction]: Omit<AuditEvent<Key>, "id" | "at"> & { readonly at?: number };
}[EventAction];

/** What retention is set for, and what the log says of itself. */
export const EVENT_CLASSES = [...EVENT_CLASS_NAMES, "audit"] as const;
export type EventClass = (typeof EVENT_CLASSES)[number];

const CLASS_OF: Readonly<Record<EventAction, EventClass>> = {
  "keyhole.started": "sessions",
  "keyhole.stopped": "sessions",
  "session.opened": "sessions",
  "session.closed": "sessions",
  "login.refused": "sessions",
  "run.started": "runs",
  "run.placed": "runs",
  "run.ended": "runs",
  "run.refused": "runs",
  "limit.hit": "runs",
  "call.sent": "calls",
  "call.ended": "calls",
  "command.started": "calls",
  "command.ended": "calls",
  "call.denied": "decisions",
  "command.denied": "decisions",
  "approval.asked": "decisions",
  "approval.answered": "decisions",
  "egress.opened": "network",
  "egress.connected": "network",
  "egress.refused": "network",
  "pii.found": "privacy",
  "pii.revealed": "privacy",
  "pii.shown": "privacy",
  "pii.forgotten": "privacy",
  "skill.changed": "changes",
  "workspace.changed": "changes",
  "policy.changed": "changes",
  "config.changed": "changes",
  "trust.given": "changes",
  "trust.revoked": "changes",
  "tool.changed": "changes",
  "clean.ended": "changes",
  "anomaly.found": "anomalies",
  "anomaly.released": "anomalies",
  "audit.gap": "audit",
  "audit.pruned": "audit",
  "audit.key": "audit",
  "audit.anchored": "audit",
  "audit.broken": "audit",
  "audit.unreadable": "audit",
  "audit.exported": "audit",
  "audit.off": "audit",
  "audit.seal": "audit",
};

export function classOf(action: EventAction): EventClass {
  return CLASS_OF[action];
}

export const ACTIONS = Object.keys(CLASS_OF) as readonly EventAction[];

/** Whether a text names one: what is read from a file may name any. */
export function isAction(text: string): text is EventAction {
  return Object.hasOwn(CLASS_OF, text);
}
