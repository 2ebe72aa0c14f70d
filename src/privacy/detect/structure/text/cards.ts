import type { PiiClass } from "../../../../pii-classes.ts";
import type { KeyVerdict } from "../keys/key-verdict.ts";
import { learnName } from "../names/known-names.ts";
import { cutPart, type Decoded, decodePart } from "./decoded.ts";
import { addValue, type TextWalk } from "./fields.ts";

/** What the lines of a vCard hold (RFC 6350), one entry for each part between semicolons. */
const CARD_LINES: { readonly [name: string]: readonly (PiiClass | undefined)[] } = {
  FN: ["NAME"],
  N: ["NAME", "NAME", "NAME", undefined, undefined],
  NICKNAME: ["USER_ID"],
  TEL: ["PHONE"],
  EMAIL: ["EMAIL"],
  ORG: ["COMPANY"],
  BDAY: ["DATE_OF_BIRTH"],
  ADR: ["ADDRESS", "ADDRESS", "ADDRESS", "LOCATION", "LOCATION", "POSTAL_CODE", "LOCATION"],
  LABEL: ["ADDRESS"],
};
const MAX_LINE = 4_000;

/** vCards, and who is named in an iCalendar. */
export function addCards(walk: TextWalk): void {
  const { text } = walk;
  let isCard = false;
  if (!/BEGIN:V(?:CARD|CALENDAR|EVENT)/i.test(text)) return;
  for (let at = 0; at < text.length; ) {
    const end = unfoldedEnd(text, at);
    if (end - at <= MAX_LINE) {
      const line = text.slice(at, end);
      if (/^BEGIN:VCARD/i.test(line)) isCard = true;
      else if (/^END:VCARD/i.test(line)) isCard = false;
      else if (isCard) addCardLine(walk, at, end);
      else if (/^(?:ATTENDEE|ORGANIZER|CONTACT)[;:]/i.test(line)) addAttendee(walk, at, end);
    }
    at = end + 1;
  }
}

function addCardLine(walk: TextWalk, start: number, end: number): void {
  const { text } = walk;
  const colon = colonOf(text, start, end);
  const name = /^(?:[\w-]+\.)?([\w-]+)/.exec(text.slice(start, colon))?.[1]?.toUpperCase() ?? "";
  const classes = Object.hasOwn(CARD_LINES, name) ? CARD_LINES[name] : undefined;
  if (classes === undefined || colon >= end) return;
  const parts = classes.length === 1 ? [{ from: colon + 1, to: end }] : splitParts(text, colon + 1, end);
  const names: string[] = [];
  parts.forEach(({ from, to }, index) => {
    const value = unfold(text, from, to);
    const kind = classes[index];
    if (kind === undefined) return;
    addValue(walk, verdictFor(kind, name), withoutScheme(value));
    if (kind === "NAME") names.push(value.text);
  });
  if (names.length > 1 && walk.options.names !== undefined) learnName(walk.options.names, names.join(" "));
}

/** `ATTENDEE;CN="Ann Lee";ROLE=…:mailto:ann@lee`. */
function addAttendee(walk: TextWalk, start: number, end: number): void {
  const { text } = walk;
  const colon = colonOf(text, start, end);
  const named = /;CN=(?:"([^"]*)"|([^;:"]*))/i.exec(text.slice(start, colon));
  if (named !== null) {
    const name = named[1] ?? named[2] ?? "";
    const from = start + named.index + named[0].indexOf(name, 4);
    addValue(walk, verdictFor("NAME", "CN"), unfold(text, from, from + name.length));
  }
  addValue(walk, verdictFor("EMAIL", "attendee"), withoutScheme(unfold(text, colon + 1, end)));
}

function verdictFor(name: PiiClass, line: string): KeyVerdict {
  return { class: name, confidence: 0.95, takes: "whole", rule: `card:${line.toLowerCase()}` };
}

/** A long line goes on in the next one, after a blank. */
function unfoldedEnd(text: string, start: number): number {
  let end = text.indexOf("\n", start);
  while (end !== -1 && (text.charAt(end + 1) === " " || text.charAt(end + 1) === "\t"))
    end = text.indexOf("\n", end + 1);
  return end === -1 ? text.length : end;
}

/** The colon before the value, not one between quotes. */
function colonOf(text: string, start: number, end: number): number {
  let isQuoted = false;
  for (let at = start; at < end; at++) {
    const letter = text.charAt(at);
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === ":" && !isQuoted) return at;
  }
  return end;
}

function splitParts(text: string, start: number, end: number): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  let from = start;
  for (let at = start; at <= end; at++) {
    if (text.charAt(at) === "\\") at++;
    else if (at === end || text.charAt(at) === ";") {
      parts.push({ from, to: at });
      from = at + 1;
    }
  }
  return parts;
}

function unfold(text: string, from: number, to: number): Decoded {
  return decodePart(text, from, to, (at) => {
    const letter = text.charAt(at);
    if (letter === "\\" && at + 1 < to) return { text: text.charAt(at + 1).replace(/n/i, "\n"), length: 2 };
    const fold = letter === "\r" || letter === "\n" ? /^\r?\n[ \t]/.exec(text.slice(at, at + 3)) : null;
    if (fold !== null) return { text: "", length: fold[0].length };
    return letter === "\r" ? { text: "", length: 1 } : undefined;
  });
}

function withoutScheme(value: Decoded): Decoded {
  const scheme = /^\s*(?:mailto|tel|sms):/i.exec(value.text)?.[0].length ?? 0;
  return scheme === 0 ? value : cutPart(value, scheme);
}
