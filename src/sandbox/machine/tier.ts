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
