import type { Figures } from "./measure.ts";

export type Target = {
  readonly dataset: string;
  readonly figure: keyof Figures;
  readonly label: string;
  readonly least: number;
};

export const TARGETS: readonly Target[] = [
  { dataset: "Azure", figure: "hit1", label: "hit@1", least: 0.87 },
  { dataset: "Azure", figure: "recall5", label: "recall@5", least: 0.96 },
  { dataset: "Azure among 2,657 others", figure: "hit1", label: "hit@1", least: 0.84 },
  { dataset: "Azure among 2,657 others", figure: "recall5", label: "recall@5", least: 0.95 },
  { dataset: "Live: steps", figure: "recall5", label: "recall@5", least: 0.78 },
  { dataset: "Live: tasks", figure: "recall5", label: "recall@5", least: 0.46 },
  { dataset: "Live: tasks", figure: "recall10", label: "recall@10", least: 0.56 },
  { dataset: "Live: agents' searches", figure: "recall5", label: "recall@5", least: 0.55 },
  { dataset: "MetaTool: one tool", figure: "hit1", label: "hit@1", least: 0.57 },
  { dataset: "MetaTool: one tool", figure: "recall5", label: "recall@5", least: 0.8 },
  { dataset: "MetaTool: two tools", figure: "recall5", label: "recall@5", least: 0.84 },
];
