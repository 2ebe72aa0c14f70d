import { toExcerpt } from "../../../text/plain-text.ts";
import type { LogFilter } from "../../query/filter.ts";
import { createTally, type FigureUnit, type Tally, tallyEvent, toEventCount, toSum } from "../figure.ts";
import type { ReportTable } from "../report-document.ts";
import { toRestLine } from "./rest-line.ts";
import { createTopTable } from "./top-table.ts";

/** Events by one name each: how many, and what they add up to. */
export type NamedTable = {
  add(name: string, id: string, sums?: readonly number[]): void;
  table(): ReportTable;
  readonly size: number;
};

export type NamedTableOptions = {
  readonly title: string;
  /** What the names are, as the head of their column; in the plural below the table. */
  readonly column: string;
  readonly plural: string;
  readonly counted?: string;
  readonly sums?: readonly { readonly name: string; readonly unit: FigureUnit }[];
  readonly empty: string;
  readonly from?: ReportTable["from"];
  readonly shown?: number;
  filterOf(name: string): LogFilter;
  labelOf?(name: string): string;
};

/** Of events that name nothing, or whose details are sealed. */
export const UNNAMED_ROW = "(no name)";

type Entry = { readonly tally: Tally; readonly sums: readonly Tally[] };

export function createNamedTable(options: NamedTableOptions): NamedTable {
  const { title, column, plural, counted = "Events", sums = [], empty, from, shown = 15 } = options;
  const entries = createTopTable(
    (): Entry => ({ tally: createTally(), sums: sums.map(createTally) }),
    ({ tally }) => tally.count,
  );
  let total = 0;
  return {
    add(name, id, amounts = []) {
      total++;
      const entry = entries.take(name);
      tallyEvent(entry.tally, id);
      for (const [index, tally] of entry.sums.entries()) tallyEvent(tally, id, amounts[index] ?? 0);
    },
    table() {
      const top = entries.top(shown);
      const missing = total - top.reduce((sum, { value }) => sum + value.tally.count, 0);
      const rest = toRestLine(entries, top.length, { what: plural, missing });
      return {
        title,
        columns: [
          { name: column, kind: "text" },
          { name: counted, kind: "number" },
          ...sums.map(({ name }) => ({ name, kind: "number" as const })),
        ],
        rows: top.map(({ name, value, isAbout }) => {
          const filter = options.filterOf(name);
          const about = isAbout && { isAbout };
          return {
            cells: [
              toExcerpt(options.labelOf?.(name) ?? name, 100) || UNNAMED_ROW,
              { ...toEventCount(value.tally, filter), ...about },
              ...value.sums.map((tally, index) => ({
                ...toSum(tally, sums[index]?.unit ?? "events", filter),
                ...about,
              })),
            ],
          };
        }),
        ...(rest !== undefined && { rest }),
        empty,
        ...(from && { from }),
      };
    },
    get size() {
      return entries.size;
    },
  };
}
