/** Skills on their way to others and from them, as a library's user sees them: plain data. */
export type ExportedPack = {
  /** The pack, as it is to be written into a file. */
  readonly text: string;
  /** With what they import. */
  readonly skills: readonly string[];
  /** The public key that it is signed with, and the fingerprint by which people compare keys. */
  readonly key: string;
  readonly fingerprint: string;
};

export type ImportChoice = {
  /** Only these, by the names under which they are packed. */
  readonly names?: readonly string[] | undefined;
  /** Another name for the only one. */
  readonly as?: string | undefined;
  /** Is shown what it is before anything is kept; nothing is unless this says `true`. */
  readonly review: (review: SkillImportReview) => boolean | Promise<boolean>;
};

export type SkillImportReview = {
  readonly signer: {
    readonly kind: "unsigned" | "unknown" | "own" | "trusted";
    readonly fingerprint?: string;
    /** That the user has given to a key in `skills.trustedKeys`. */
    readonly name?: string;
  };
  readonly skills: readonly ReviewedSkill[];
  /** What can't be taken, and what is left out. */
  readonly problems: readonly { readonly place: string; readonly problem: string }[];
};

export type ReviewedSkill = {
  readonly name: string;
  readonly state: "new" | "changed" | "same";
  readonly language: "typescript" | "python";
  /** The texts of its author, whom nobody may know. */
  readonly description: string;
  readonly manual: string;
  readonly code: string;
  readonly tests?: string;
  /** Of the tools that it calls, whether they are here, and defined as where it was checked. */
  readonly tools: readonly {
    readonly server: string;
    readonly tool: string;
    readonly state: "same" | "changed" | "missing" | "no server" | "not known";
  }[];
  readonly skills: readonly { readonly name: string; readonly state: "packed" | "here" | "missing" }[];
  /** Nothing where it is instructions alone. */
  readonly risk?: { readonly score: number; readonly level: "low" | "medium" | "high" | "critical" };
  readonly findings: readonly string[];
  /** Why it can't be imported at all. */
  readonly forbidden: readonly string[];
};

export type ImportedAs = {
  readonly name: string;
  readonly version: number;
  readonly status: "ready" | "quarantined" | "broken" | "untrusted";
  readonly problem?: string;
};
