import type { RiskLevel } from "../../policy/risk/score.ts";
import type { PageRequest } from "../log/log-store.ts";
import type { LogFilter } from "./filter.ts";

/** How a database writes what the others write differently. */
export type SqlDialect = {
  /** The placeholder of the value with this number, from 1. */
  place(number: number): string;
  /** Compares without regard to the case of letters. */
  readonly like: "LIKE" | "ILIKE";
};

export const SQLITE_DIALECT: SqlDialect = { place: () => "?", like: "LIKE" };
export const POSTGRES_DIALECT: SqlDialect = { place: (number) => `$${number}`, like: "ILIKE" };

export type SqlCondition = { readonly sql: string; readonly values: readonly (string | number)[] };

const RISK_RANKS: Readonly<Record<RiskLevel, number>> = { low: 0, medium: 1, high: 2, critical: 3 };

/** As it stands in the column `risk`. */
export function toRiskRank(level: RiskLevel): number {
  return RISK_RANKS[level];
}

const EQUAL = ["id", "session", "principal", "client", "run", "call", "server", "tool"] as const;

/**
 * What stands after WHERE for a page of events, on the columns of `LogColumns`. Only rows that still have a body are asked for. Of
 * a text, it lets through a little more than what is asked for, and all that is sealed: the reader compares it (`event-text.ts`).
 */
export function toCondition(
  filter: LogFilter,
  { after, until, order }: Pick<PageRequest, "after" | "until" | "order">,
  { place, like }: SqlDialect,
): SqlCondition {
  const values: (string | number)[] = [];
  const bind = (value: string | number) => place(values.push(value));
  const parts = ["body IS NOT NULL"];
  const isNewest = order === "newest";
  if (after !== undefined) parts.push(`sequence ${isNewest ? "<" : ">"} ${bind(after)}`);
  if (until !== undefined) parts.push(`sequence ${isNewest ? ">=" : "<="} ${bind(until)}`);
  for (const column of EQUAL) {
    const value = filter[column];
    if (value !== undefined) parts.push(`${column} = ${bind(value)}`);
  }
  if (filter.from !== undefined) parts.push(`at >= ${bind(filter.from)}`);
  if (filter.to !== undefined) parts.push(`at < ${bind(filter.to)}`);
  if (filter.risk !== undefined) parts.push(`risk >= ${bind(toRiskRank(filter.risk))}`);
  if (filter.outcomes !== undefined) parts.push(toOneOf("outcome", filter.outcomes, bind));
  if (filter.actions !== undefined) parts.push(toOneOf("action", filter.actions, bind));
  if (filter.text !== undefined)
    parts.push(
      `(body ${like} ${bind(toPattern(filter.text))} ESCAPE '~' OR body LIKE ${bind('%"sealed":"%')})`,
    );
  return { sql: parts.join(" AND "), values };
}

function toOneOf(column: string, options: readonly string[], bind: (value: string) => string): string {
  return options.length === 0 ? "1 = 0" : `${column} IN (${options.map(bind).join(", ")})`;
}

/** The text as it stands within a line of JSON. SQLite knows the cases of ASCII's letters alone: all others may be anything. */
function toPattern(text: string): string {
  const written = JSON.stringify(text).slice(1, -1).replace(/[~%_]/g, "~$&");
  return `%${written.replace(/[^ -~]+/g, "%")}%`;
}
