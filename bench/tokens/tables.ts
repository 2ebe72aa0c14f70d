import type { BenchTable } from "../suite.ts";
import { type Cost, VARIANTS, type Variant } from "./costs.ts";
import type { CatalogPool, Task } from "./tasks.ts";

/** What Anthropic's article on code execution with MCP reports: 150,000 tokens became 2,000. */
const CLAIM = 0.987;

export type Row = {
  readonly set: string;
  readonly task: Task;
  readonly direct: Cost;
  readonly keyhole: { readonly [variant in Variant]: Cost };
  /** Tokens of the definitions in each catalogue that has this task's tools in it. */
  readonly catalogs: readonly number[];
};

type Billing = "once" | "resent";

/** Tasks under the name of their data. */
export type Group = readonly [string, readonly Row[]];

/** A conversation's cost with what stands before it: once, or in each of its turns. */
function toTotal(cost: Cost, before: number, billing: Billing): number {
  return billing === "once" ? before + cost.once : before * cost.turns + cost.resent;
}

export function savingTable(
  title: string,
  groups: readonly Group[],
  pools: readonly CatalogPool[],
  front: number,
  billing: Billing,
): BenchTable {
  const rows = groups.flatMap(([name, members]) =>
    pools.map((pool, index) => {
      const direct = sum(members.map((row) => toTotal(row.direct, row.catalogs[index] ?? 0, billing)));
      const cells = VARIANTS.flatMap((variant) => {
        const keyhole = sum(members.map((row) => toTotal(row.keyhole[variant], front, billing)));
        return [keyhole, percent(1 - keyhole / direct)];
      });
      return [name, `${pool.size} (${pool.name})`, direct, ...cells];
    }),
  );
  const columns = ["data", "tools", "direct", ...VARIANTS.flatMap((variant) => [variant, "saved"])];
  return { title, columns, rows };
}

export function lossTable(
  groups: readonly Group[],
  pools: readonly CatalogPool[],
  front: number,
): BenchTable {
  const billings: readonly Billing[] = ["once", "resent"];
  const rows = groups.flatMap(([name, members]) =>
    pools.map((pool, index) => {
      const cells = billings.flatMap((billing) =>
        VARIANTS.map((variant) => {
          const isDearer = (row: Row) =>
            toTotal(row.keyhole[variant], front, billing) >
            toTotal(row.direct, row.catalogs[index] ?? 0, billing);
          return members.filter(isDearer).length;
        }),
      );
      return [name, pool.size, members.length, ...cells];
    }),
  );
  const columns = [
    "data",
    "tools",
    "tasks",
    ...VARIANTS,
    ...VARIANTS.map((variant) => `${variant}, per turn`),
  ];
  return { title: "Tasks in which Keyhole costs more", columns, rows };
}

export function breakEvenTable(groups: readonly Group[], front: number, perTool: number): BenchTable {
  const sizes: [string, (calls: number) => boolean][] = [
    ["all", () => true],
    ["1", (calls) => calls === 1],
    ["2–4", (calls) => calls >= 2 && calls <= 4],
    ["5–9", (calls) => calls >= 5 && calls <= 9],
    ["10+", (calls) => calls >= 10],
  ];
  const rows = groups.flatMap(([name, members]) =>
    sizes.map(([label, isSize]) => {
      const chosen = members.filter((row) => isSize(row.task.calls.length));
      const cells = (["once", "resent"] as const).flatMap((billing) =>
        VARIANTS.map((variant) => breakEven(chosen, variant, front, perTool, billing)),
      );
      return [name, label, chosen.length, ...cells];
    }),
  );
  const columns = [
    "data",
    "calls a task",
    "tasks",
    ...VARIANTS,
    ...VARIANTS.map((variant) => `${variant}, per turn`),
  ];
  return {
    title: `Break-even: tools in the catalogue (of ${Math.round(perTool)} tokens each) above which Keyhole costs less in total; 0: always`,
    columns,
    rows,
  };
}

function breakEven(
  rows: readonly Row[],
  variant: Variant,
  front: number,
  perTool: number,
  billing: Billing,
): number | string {
  if (rows.length === 0) return "-";
  const keyhole = sum(rows.map((row) => toTotal(row.keyhole[variant], front, billing)));
  const direct = sum(rows.map((row) => toTotal(row.direct, 0, billing)));
  const contexts = sum(rows.map((row) => (billing === "once" ? 1 : row.direct.turns)));
  return Math.max(0, Math.ceil((keyhole - direct) / contexts / perTool));
}

export function taskTable(rows: readonly Row[], pools: readonly CatalogPool[], front: number): BenchTable {
  const at = pools.findIndex((pool) => pool.size === 50);
  const columns = [
    "data",
    "task",
    "calls",
    "direct without definitions",
    ...VARIANTS,
    "saved at 50 tools",
    "at 3,000",
  ];
  const last = pools.length - 1;
  const saved = (row: Row, index: number) =>
    VARIANTS.map((variant) => {
      const keyhole = toTotal(row.keyhole[variant], front, "once");
      return percent(1 - keyhole / toTotal(row.direct, row.catalogs[index] ?? 0, "once"));
    }).join(" / ");
  return {
    title: "Each task, each token once; Keyhole with its front",
    columns,
    rows: rows.map((row) => [
      row.set,
      row.task.id,
      row.task.calls.length,
      row.direct.once,
      ...VARIANTS.map((variant) => front + row.keyhole[variant].once),
      saved(row, at),
      saved(row, last),
    ]),
  };
}

export function claimNotes(groups: readonly Group[], front: number, perTool: number): string[] {
  return groups.map(([name, members]) => {
    const needs = VARIANTS.map((variant) => {
      const keyhole = sum(members.map((row) => toTotal(row.keyhole[variant], front, "once")));
      const direct = sum(members.map((row) => row.direct.once));
      return Math.ceil((keyhole / (1 - CLAIM) - direct) / members.length / perTool);
    });
    return `The claim of 98.7% (150,000 → 2,000 tokens, one chosen task) holds for ${name} from a catalogue of ${needs.map((tools, index) => `${tools.toLocaleString("en-US")} tools (${VARIANTS[index] ?? ""})`).join(", ")}, each token once`;
  });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
