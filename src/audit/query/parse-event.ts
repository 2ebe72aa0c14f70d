import { isRecord } from "../../text/is-record.ts";
import { type AuditEvent, isAction, OUTCOMES } from "../event.ts";
import type { DetailSeal } from "../log/sealed-details.ts";
import type { LoggedEvent } from "../reader.ts";

export type ParsedEvent =
  | { readonly event: LoggedEvent; readonly problem?: string }
  | { readonly event?: undefined; readonly problem: string };

/** An event out of its line. The line may have been changed by others: its head is looked at, what it details is not believed. */
export function parseEvent(body: string, sequence: number, open: DetailSeal["open"]): ParsedEvent {
  const line = parseJson(body);
  if (!isRecord(line)) return { problem: "it is no JSON" };
  const { event, problem } = open(line);
  if (!isEvent(event)) return { problem: "it is no event of this version of Keyhole" };
  // It was parsed for this alone: a copy of each of a million takes a second.
  const logged = Object.assign(event, { sequence });
  return problem === undefined ? { event: logged } : { event: logged, problem };
}

function isEvent(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & AuditEvent {
  const { id, at, action, outcome, details, client } = value;
  return (
    typeof id === "string" &&
    typeof at === "number" &&
    Number.isFinite(at) &&
    typeof action === "string" &&
    isAction(action) &&
    KNOWN_OUTCOMES.has(outcome) &&
    isRecord(details) &&
    TEXTS.every((key) => value[key] === undefined || typeof value[key] === "string") &&
    (client === undefined || (isRecord(client) && typeof client["name"] === "string"))
  );
}

const KNOWN_OUTCOMES: ReadonlySet<unknown> = new Set(OUTCOMES);
const TEXTS = ["session", "principal", "run", "call", "server", "tool", "risk", "error"] as const;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
