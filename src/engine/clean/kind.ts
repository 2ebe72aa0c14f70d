/**
 * A kind of thing that Keyhole has put on the disk or left running, and that can go. They stand in `kinds.ts`, in the order in which
 * they go when room is needed.
 */
export type CleanKind = {
  /** As people are told of it: "saved results". */
  readonly name: string;
  /** It lies elsewhere than in `.keyhole`: what goes of it makes no room there. */
  readonly isElsewhere?: boolean;
  /** What could go. Bounded, and never outside of the project's own folder: its content may be hostile. */
  list(): Promise<readonly Removable[]>;
};

/** One thing that could go, as a whole. */
export type Removable = {
  /** Which one, for people: no content, nothing personal. */
  readonly name: string;
  /** On the disk, about. */
  readonly bytes: number;
  /** When it was last used, in milliseconds since 1970. Of two, the older one goes first. */
  readonly usedAt: number;
  /** Why it goes in any case, in words: "not used for 14 days". Nothing where it goes only to make room. */
  readonly reason?: string;
  /** Somebody has it now, in whatever process: it stays. */
  readonly isInUse?: boolean;
  /** Removes all of it or nothing. Looks again first: false where it may not go any more. */
  remove(): Promise<boolean>;
};
