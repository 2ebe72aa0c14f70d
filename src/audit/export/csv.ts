import { readDetails } from "../query/details.ts";
import type { LoggedEvent } from "../reader.ts";
import type { EventFormat } from "./format.ts";

const COLUMNS: readonly (readonly [name: string, of: (event: LoggedEvent) => string | number | undefined])[] =
  [
    ["sequence", ({ sequence }) => sequence],
    ["id", ({ id }) => id],
    ["time", ({ at }) => new Date(at).toISOString()],
    ["action", ({ action }) => action],
    ["outcome", ({ outcome }) => outcome],
    ["session", ({ session }) => session],
    ["principal", ({ principal }) => principal],
    // Who answered, trusted or looked: not whose run it is.
    ["person", (event) => readDetails(event).text("person")],
    ["client", ({ client }) => client?.name],
    ["client_version", ({ client }) => client?.version],
    ["run", ({ run }) => run],
    ["call", ({ call }) => call],
    ["server", ({ server }) => server],
    ["tool", ({ tool }) => tool],
    ["risk", ({ risk }) => risk],
    ["duration_ms", ({ durationMs }) => durationMs],
    ["error", ({ error }) => error],
    ["details", ({ details }) => JSON.stringify(details)],
  ];

/** A spreadsheet would take what begins with one of these for a formula, also in their wide forms. */
const FORMULA = /^[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const NEEDS_QUOTES = /[",;\r\n\t]|^\s|\s$/;

/** RFC 4180. A text that a spreadsheet would run has an apostrophe before it: there is nothing else that all of them take. */
export const csvFormat: EventFormat = {
  start: () => toRow(COLUMNS.map(([name]) => name)),
  line: (event) => toRow(COLUMNS.map(([, of]) => toCell(of(event)))),
};

function toRow(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}

function toCell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  // A zero character ends the file for some.
  const text = value.replaceAll("\0", "\u2400");
  if (FORMULA.test(text)) return `"'${text.replaceAll('"', '""')}"`;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
