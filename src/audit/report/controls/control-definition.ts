import type { FigureName } from "../figure-names.ts";
import type { GapId } from "../gaps.ts";
import type { ReportVerification } from "../report-document.ts";
import type { ReportSettings } from "../report-settings.ts";

/** A control, and what of the log supports it. */
export type ControlDefinition = {
  readonly id: string;
  readonly title: string;
  readonly evidence: string;
  readonly figures: readonly FigureName[];
  readonly gaps: readonly GapId[];
  readonly statements?: (input: {
    readonly settings: ReportSettings;
    readonly verification: ReportVerification;
  }) => readonly string[];
};
