import type { ErrorCode } from "../../errors.ts";
import type { TierReason } from "../../result/receipt.ts";
import type { Happening } from "../../sandbox/sandbox.ts";
import type { WriteEffect } from "./ledger-entry.ts";

/** All that is needed to have a program go the way it went before. */
export type ReplayRun = ReplayStart & {
  /** Why it can't go on from its record. */
  readonly obstacle?: string;
  readonly past: readonly Happening[];
  readonly calls: readonly ReplayedCall[];
};

export type ReplayStart = {
  readonly id: string;
  readonly principal: string;
  /** Of its text and language: the same program goes on where this one was. */
  readonly programHash: string;
  /** 32 bytes, in hexadecimal digits. */
  readonly seed: string;
  /** When it began, in milliseconds since 1970. */
  readonly time: number;
  /** Its writes are to be planned: none is made that is not on an approved plan or approved by itself. */
  readonly isPlanned: boolean;
  /** In which tier it began, where that is known: it goes on in no weaker one. */
  readonly tier?: string;
  /** Why there. */
  readonly tierReason?: TierReason;
  /** The skills that it imports, as they were when it began. */
  readonly skills?: readonly ReplayedSkill[];
};

/** By its name, and the hash of its code. */
export type ReplayedSkill = { readonly name: string; readonly hash: string };

export type CallIdentity = {
  /** Which of the program's calls it is. */
  readonly number: number;
  readonly server: string;
  readonly tool: string;
  readonly argumentsHash: string;
  /** Of a write: what it was made with, in a line; as a person changed it. */
  readonly arguments?: string;
};

export type ReplayedCall = CallIdentity & {
  readonly isWrite: boolean;
  /** How often it was sent, as far as that was written down: of writes, always. */
  readonly sent: number;
  /** What it did out there. Unknown: it was sent, and nobody has heard what became of it. */
  readonly effect: WriteEffect;
  /** What the program was told; nothing when it was told nothing. */
  readonly outcome?: ReplayedOutcome;
};

export type ReplayedOutcome =
  | { readonly ok: true; readonly form: "json" | "bytes"; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };
