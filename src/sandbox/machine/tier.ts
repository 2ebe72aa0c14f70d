import type { CreateMachine } from "./machine.ts";

/** A kind of place to run programs in, as the table of tiers has it. */
export type Tier = {
  /** Throws a `KeyholeError` where it can't be had; what takes longer to find out is told by `missing`. */
  readonly create: CreateMachine;
  /** Why programs can't run in it on this machine, and what to do about it; nothing where they can. Asks anew each time. */
  missing(): Promise<MissingTier | undefined>;
  /** Makes what it needs, where it needs anything made: `keyhole sandbox build`. */
  readonly build?: BuildTier;
  /** Writes to a folder what the user's own tools can make it from. */
  writeOut?(dir: string, signal: AbortSignal): Promise<BuiltTier>;
  /** What is not removed by the watchdog, which ends and removes what belongs to a process as soon as that is gone. */
  leftovers?(): Promise<readonly TierLeftover[]>;
};

/** What a process that is gone has left running or lying, and that can go. */
export type TierLeftover = {
  readonly name: string;
  readonly bytes: number;
  /** In milliseconds since 1970. */
  readonly usedAt: number;
  /** Why it can go, in words. */
  readonly reason: string;
  /** False where it is gone already, or may not go any more. */
  remove(): Promise<boolean>;
};

/** Sentences, the second one says what to do. */
export type MissingTier = { readonly why: string; readonly fix: string };

export type BuildTier = (options: {
  onProgress(text: string): void;
  readonly signal: AbortSignal;
}) => Promise<BuiltTier>;

export type BuiltTier = {
  /** What was made: an image's name, or the folder with a template. */
  readonly made: string;
  /** The hash of what went into it. */
  readonly hash: string;
  /** Whether it was there already, and nothing was done. */
  readonly isKnown: boolean;
};
