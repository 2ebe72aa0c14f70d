import type { PiiFinding } from "../../finding.ts";
import { foldWord } from "../keys/key-words.ts";
import { findMailAddresses } from "../values/mail-addresses.ts";
import { looksLikeName } from "../values/name-look.ts";

const MAX_NAME = 80;
const STOPS = new Set([...'\n\r\t,;:<>|()[]{}"'].map((letter) => letter.charCodeAt(0)));
const MAX_ADDRESS = 320;

/** `Ada Berg <ada@berg>`: an address in brackets, and whose it is, wherever that stands. */
export function findSenders(text: string): PiiFinding[] {
  const findings: PiiFinding[] = [];
  let from = 0;
  for (let open = text.indexOf("<"); open !== -1; open = text.indexOf("<", open + 1)) {
    const name = nameBefore(text, from, open);
    if (name === undefined) continue;
    const close = text.slice(open, open + MAX_ADDRESS).indexOf(">");
    if (close === -1) continue;
    const inside = text.slice(open + 1, open + close);
    const [address] = findMailAddresses(inside);
    if (address === undefined || address.start !== 0 || address.end !== inside.length) continue;
    from = open + close + 1;
    findings.push({ class: "NAME", ...name, rule: "sender", confidence: 0.92 });
    findings.push({ class: "EMAIL", start: open + 1, end: from - 1, rule: "sender", confidence: 0.92 });
  }
  return findings;
}

/** What stands before the bracket, in quotes or not, and looks like a name. */
function nameBefore(text: string, from: number, open: number): { start: number; end: number } | undefined {
  let end = open;
  while (end > from && text.charCodeAt(end - 1) === 32) end--;
  if (text.charCodeAt(end - 1) === 34) end--;
  let start = end;
  while (start > from && end - start <= MAX_NAME && !STOPS.has(text.charCodeAt(start - 1))) start--;
  while (start < end && text.charCodeAt(start) === 32) start++;
  if (start === end || end - start > MAX_NAME) return undefined;
  return looksLikeName(text.slice(start, end), 1) ? { start, end } : undefined;
}

const NEAR = 80;
const MOST_ADDRESSES = 2_000;
const FULL_NAME = /\p{Lu}[\p{L}\p{M}'’-]+(?: \p{L}[\p{L}\p{M}'’.-]*){1,3}/gu;
const LEAST_WORD = 3;

/** `Abebe Bekele - abebe.bekele@lab`: a name on the line of an address that is made of it. */
export function findNamedByMail(text: string): PiiFinding[] {
  const findings: PiiFinding[] = [];
  if (!text.includes("@") || !text.includes(" ")) return findings;
  for (const { start: from, end } of findMailAddresses(text).slice(0, MOST_ADDRESSES)) {
    const at = text.indexOf("@", from);
    const start = from + text.slice(from, at).search(/[^=:/&?]*$/);
    const local = foldWord(text.slice(start, at)).replace(/[^\p{L}]/gu, "");
    const name =
      nameOf(text, lineStart(text, start), start, local) ?? nameOf(text, end, lineEnd(text, end), local);
    if (name === undefined) continue;
    findings.push({ class: "NAME", ...name, rule: "name-of-address", confidence: 0.85 });
    findings.push({ class: "EMAIL", start, end, rule: "name-of-address", confidence: 0.85 });
  }
  return findings;
}

function lineStart(text: string, at: number): number {
  const from = Math.max(0, at - NEAR);
  return from + text.slice(from, at).lastIndexOf("\n") + 1;
}

function lineEnd(text: string, at: number): number {
  const length = text.slice(at, at + NEAR).indexOf("\n");
  return length === -1 ? Math.min(text.length, at + NEAR) : at + length;
}

/** Words that are all in the address, or the last of them with the first letters of the others. */
function nameOf(
  text: string,
  from: number,
  to: number,
  local: string,
): { start: number; end: number } | undefined {
  for (const match of text.slice(from, to).matchAll(FULL_NAME)) {
    const words = match[0].split(" ");
    for (let first = 0, start = from + match.index; first < words.length - 1; first++) {
      const own = words.slice(first);
      if (isIn(own, local)) return { start, end: start + own.join(" ").length };
      start += (words[first] ?? "").length + 1;
    }
  }
  return undefined;
}

function isIn(words: readonly string[], local: string): boolean {
  const folded = words.map((word) => foldWord(word).replace(/[^\p{L}]/gu, ""));
  const last = folded.at(-1) ?? "";
  if (last.length < LEAST_WORD || !local.includes(last)) return false;
  const first = folded[0] ?? "";
  return (
    (first.length >= LEAST_WORD && local.includes(first)) ||
    local === first.charAt(0) + last ||
    local === last + first.charAt(0)
  );
}
