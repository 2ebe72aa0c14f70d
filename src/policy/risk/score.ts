export type RiskLevel = "low" | "medium" | "high" | "critical";

/** 0 to 100, and why: the points of the reasons make the score, up to 100. */
export type Risk = {
  readonly score: number;
  readonly level: RiskLevel;
  readonly reasons: readonly RiskReason[];
};

export type RiskReason = {
  readonly points: number;
  readonly reason: string;
  readonly line?: number;
  /** The skill whose line it is; nothing for the program's own. */
  readonly skill?: string;
};
