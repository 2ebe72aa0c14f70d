import { FIGURE_LABELS } from "../figure-names.ts";
import { findGaps, type GapInput, GENERAL_GAPS } from "../gaps.ts";
import type { Framework, ReportControl, ReportGap } from "../report-document.ts";
import type { ControlDefinition } from "./control-definition.ts";
import { GDPR_CONTROLS } from "./gdpr.ts";
import { HIPAA_CONTROLS } from "./hipaa.ts";
import { SOC2_CONTROLS } from "./soc2.ts";

const CONTROLS: Readonly<Record<Framework, readonly ControlDefinition[]>> = {
  soc2: SOC2_CONTROLS,
  hipaa: HIPAA_CONTROLS,
  gdpr: GDPR_CONTROLS,
};

/** The controls of a framework, each with the figures that support it and what is missing. */
export function toControls(input: GapInput): readonly ReportControl[] {
  return CONTROLS[input.framework].map(({ id, title, evidence, figures, gaps, statements }) => ({
    id,
    title,
    evidence,
    figures: figures.map((name) => ({ name: FIGURE_LABELS[name], figure: input.figures[name] })),
    statements: statements?.(input) ?? [],
    gaps: findGaps(gaps, input),
  }));
}

/** All gaps that are named anywhere in the report, each once. */
export function toAllGaps(input: GapInput): readonly ReportGap[] {
  return findGaps([...GENERAL_GAPS, ...CONTROLS[input.framework].flatMap(({ gaps }) => gaps)], input);
}
