import { toExcerpt, toQuestionText } from "../../text/plain-text.ts";
import type { Brought } from "./brought.ts";

const STATES = {
  trusted: "trusted",
  new: "not trusted yet",
  changed: "changed since it was trusted",
  removed: "taken away; what you trusted holds until you say yes",
} as const;

/** One thing that a folder brings, as a person is to judge it: safe to show, each line within a line. */
export type ShownBrought = {
  readonly title: string;
  readonly state: string;
  /** What it is; with marks, against what was accepted. */
  readonly lines: readonly { readonly mark: " " | "-" | "+"; readonly text: string }[];
  readonly remarks: readonly string[];
};

export function toShownBrought({ kind, name, file, state, lines, remarks, diff }: Brought): ShownBrought {
  const changed = new Set(diff?.map(({ text }) => text));
  const same = lines.filter((line) => !changed.has(line)).map((text) => ({ mark: " " as const, text }));
  return {
    title: kind === "settings" ? `settings (${toExcerpt(name)})` : `${kind} ${toExcerpt(name)}`,
    state: `${STATES[state]} · ${toExcerpt(file, 1_000)}`,
    lines: [...same, ...(diff ?? [])].map(({ mark, text }) => ({ mark, text: toQuestionText(text) })),
    remarks: remarks.map(toQuestionText),
  };
}
