import type { CallFailureCode, ErrorCode } from "./errors.ts";

/** Why a program did not come to its end: data for whoever has to mend it. `kind` tells which of the details there are. */
export type RunFailure =
  | RefusedProgram
  | DeniedProgram
  | WrongTypes
  | NoLanguage
  | NoTier
  | LimitPassed
  | EndedProgram;

/**
 * Why there is no result, in one word, wherever that is told: in answers, reports, events, lists and the journal. The last ones
 * are no program's: nobody went on with it while it could, the request was wrong, nothing can be written down, or Keyhole itself failed.
 */
export type FailureKind = RunFailure["kind"] | "expired" | "usage" | "internal";

type Common = {
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Where in the program as it was written, counted from 1. */
  readonly location?: Location;
};

export type Location = { readonly line: number; readonly column: number };

/** A place in a skill, by its file: `skills/tidy-rows/index.ts`. */
export type SkillLocation = Location & {
  readonly file: string;
  /** The line as it is written there. */
  readonly text: string;
};

/** Nothing ran: no program at all, an import of what there is not, or more than is taken. */
export type RefusedProgram = Common & {
  readonly kind: "syntax" | "import" | "too_large";
  /** The line with a caret below the column. */
  readonly excerpt?: string;
};

/** Nothing ran: the validation of the code refuses it, at this security level. */
export type DeniedProgram = Common & { readonly kind: "denied"; readonly findings: readonly CodeFinding[] };

export type CodeFinding = Location & {
  /** The skill in whose text it is; nothing for the program's own. */
  readonly skill?: string;
  readonly rule: string;
  readonly message: string;
  /** What to write instead. */
  readonly fix: string;
};

/** Nothing ran: the types do not fit the tools. */
export type WrongTypes = Common & { readonly kind: "types"; readonly errors: readonly TypeMistake[] };

export type TypeMistake = Location & {
  readonly message: string;
  readonly hint?: string;
  /** What the tool concerned takes or returns. */
  readonly signature?: string;
};

/** Nothing ran: programs in this language can't. */
export type NoLanguage = Common & { readonly kind: "language" };

/** Nothing ran: the sandbox that it must run in is not there. The hint says what to install. */
export type NoTier = Common & { readonly kind: "tier"; readonly tier: string };

type Thrown = Common & {
  /** The class of what was thrown, by its own word. */
  readonly name?: string;
  /** Where it happened, if in a skill. `location` is then where the program came to it. */
  readonly inSkill?: SkillLocation;
  /** With the skill's file where a place is in one. */
  readonly stack?: readonly (Location & { readonly function?: string; readonly file?: string })[];
  /** Of the call that failed, if it was one; `code` also of what `fetch` was refused. */
  readonly server?: string;
  readonly tool?: string;
  readonly code?: CallFailureCode;
};

/** The kind is the limit that was passed. */
export type LimitPassed = Thrown & {
  readonly kind: "timeout" | "cpu" | "memory" | "output" | "calls" | "frame" | "disk";
  readonly limit?: {
    readonly allowed: number;
    readonly used: number;
    readonly unit: "ms" | "bytes" | "calls";
  };
};

export type EndedProgram = Thrown & {
  readonly kind: /** The program threw, or left a rejection alone. */
    | "exception"
    /** A tool's failure that the program did not catch. */
    | "tool_error"
    /** Nothing is left to do, and it awaits a promise that nothing can settle any more. */
    | "stuck"
    /** Its process ended by itself in the middle; died of a signal that no limit accounts for; broke the protocol. */
    | "exit"
    | "crash"
    | "protocol"
    /** It goes on from its record, and goes another way than it did. */
    | "diverged"
    /** What became of a call of it can't be written down. */
    | "store_unusable"
    /** By the caller's signal, or because Keyhole was closed. */
    | "cancelled"
    /** The sandbox could not be started. */
    | "sandbox";
};

const FAILURE_KINDS: { readonly [kind in FailureKind]: true } = {
  syntax: true,
  import: true,
  too_large: true,
  types: true,
  language: true,
  tier: true,
  denied: true,
  timeout: true,
  cpu: true,
  memory: true,
  output: true,
  calls: true,
  frame: true,
  disk: true,
  exception: true,
  tool_error: true,
  stuck: true,
  exit: true,
  crash: true,
  protocol: true,
  diverged: true,
  cancelled: true,
  sandbox: true,
  expired: true,
  usage: true,
  store_unusable: true,
  internal: true,
};

export function isFailureKind(text: string): text is FailureKind {
  return Object.hasOwn(FAILURE_KINDS, text);
}

/** Of an error instead of a run: too many programs wait, for example. */
export function toFailureKind(code: ErrorCode): FailureKind {
  if (code === "config_invalid" || code === "config_unreadable") return "usage";
  return isFailureKind(code) ? code : "internal";
}
