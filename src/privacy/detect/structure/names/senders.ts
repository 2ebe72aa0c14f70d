import type { PiiFinding } from "../../finding.ts";
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
