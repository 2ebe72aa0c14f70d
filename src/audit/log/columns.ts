import { isRecord } from "../../text/is-record.ts";
import { ownValue } from "../../text/own-value.ts";
import type { LogColumns } from "./log-store.ts";

const RISKS: readonly unknown[] = ["low", "medium", "high", "critical"];

/** What the columns say of a line of JSON. Nothing where it is not an event. */
export function parseColumns(body: string): LogColumns | undefined {
  return toColumns(body, parseJson(body));
}

/**
 * The same of a line that was parsed as a whole when it was written, and has not changed since: its head alone is parsed, half
 * of the work where millions are verified.
 */
export function parseKnownColumns(body: string): LogColumns | undefined {
  const end = body.indexOf(',"details":{');
  // Nothing that has a column may stand behind it.
  const isLast = end > 0 && body.endsWith("}}") && !body.includes('"client":', end);
  const head = isLast ? parseJson(`${body.slice(0, end)}}`) : undefined;
  return head === undefined ? parseColumns(body) : toColumns(body, head);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toColumns(body: string, value: unknown): LogColumns | undefined {
  if (!isRecord(value)) return undefined;
  // In JSON, what databases do not keep can only be written so.
  const toKept = body.includes("\\u") ? toKeptText : (text: string) => text;
  const toColumn = (one: unknown) => (typeof one === "string" ? toKept(one) : null);
  const { id, at, action, outcome, session, principal, client, run, call, server, tool, risk } = value;
  if (typeof id !== "string" || id === "" || typeof at !== "number") return undefined;
  if (!Number.isSafeInteger(Math.trunc(at))) return undefined;
  if (typeof action !== "string" || typeof outcome !== "string") return undefined;
  const rank = RISKS.indexOf(risk);
  return {
    id: toKept(id),
    at: Math.trunc(at),
    action: toKept(action),
    outcome: toKept(outcome),
    session: toColumn(session),
    principal: toColumn(principal),
    client: toColumn(isRecord(client) ? ownValue(client, "name") : client),
    run: toColumn(run),
    call: toColumn(call),
    server: toColumn(server),
    tool: toColumn(tool),
    risk: rank < 0 ? null : rank,
  };
}

/** As databases keep a text: whole characters, and no zero among them. */
function toKeptText(text: string): string {
  return text.replaceAll("\0", "\u2400").replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Of an event that retention took out. */
export const NO_COLUMNS: LogColumns = {
  id: "",
  at: 0,
  action: "",
  outcome: "",
  session: null,
  principal: null,
  client: null,
  run: null,
  call: null,
  server: null,
  tool: null,
  risk: null,
};

export const COLUMN_NAMES = Object.keys(NO_COLUMNS) as readonly (keyof LogColumns)[];
