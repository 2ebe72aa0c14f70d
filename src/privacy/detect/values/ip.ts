import type { PiiFinding } from "../finding.ts";
import { isDigit, isHexDigit, isLatinLetter, isWordCharacter } from "./characters.ts";
import { type Context, hintAt } from "./context.ts";
import { HINT } from "./hints.ts";

const QUAD = /(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}/y;

export function findIpv4(context: Context, findings: PiiFinding[]): void {
  const { text } = context;
  for (let at = 0; at < text.length; at++) {
    if (!isDigit(text.charCodeAt(at))) continue;
    const start = at;
    while (isDigit(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) !== 46 || at - start > 3 || !isStart(text, start)) continue;
    QUAD.lastIndex = start;
    const quad = QUAD.exec(text)?.[0];
    if (quad === undefined) continue;
    const end = start + quad.length;
    at = end - 1;
    const after = text.charCodeAt(end);
    if (
      isWordCharacter(after) ||
      ((after === 46 || after === 45) && isWordCharacter(text.charCodeAt(end + 1)))
    )
      continue;
    if (isVersion(context, start, end)) continue;
    const isPublic = !/^(?:0|127|255)\.|^1\.0\.0\.0$/.test(quad);
    findings.push({
      class: "IP",
      start,
      end: maskEnd(text, end, 32),
      rule: isPublic ? "ipv4" : "ipv4-local",
      confidence: isPublic ? 0.92 : 0.6,
    });
  }
}

/** Not in the middle of a longer number, a name or a path, and not a version of a product: `Chrome/120.0.0.0`. */
function isStart(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  const further = text.charCodeAt(start - 2);
  if (isWordCharacter(before)) return false;
  if (before === 46 || before === 45) return !isWordCharacter(further);
  return !(before === 47 && (isLatinLetter(further) || isDigit(further)));
}

/** Only a word right before it counts. */
function isVersion(context: Context, start: number, end: number): boolean {
  const before = context.text.slice(Math.max(0, start - 24), start);
  if (
    /(?:\bv|version|versions|build|release|firmware|kernel|driver|section|chapter|§|oid)[\s.:="'#]*$/i.test(
      before,
    )
  )
    return true;
  return context.key === HINT.other && start === 0 && end === context.text.length;
}

/** Eight groups, or fewer with `::`, or the last two as IPv4. */
export function findIpv6(context: Context, findings: PiiFinding[]): void {
  const { text } = context;
  for (let colon = text.indexOf(":"); colon !== -1; ) {
    let start = colon;
    while (start > 0 && colon - start < 5 && isHexDigit(text.charCodeAt(start - 1))) start--;
    let end = colon;
    while (isPart(text.charCodeAt(end)) && end - start < 50) end++;
    const next = text.indexOf(":", Math.max(end, colon + 1));
    const found = end - start === 2 && isUnspecified(context, start) ? end : ipv6End(text, start, end);
    if (found !== -1) {
      const hint = hintAt(context, start, found);
      const isLocal = /^(?:::1?|fe80::1)$/i.test(text.slice(start, found));
      if (hint !== HINT.mac) {
        findings.push({
          class: "IP",
          start,
          end: maskEnd(text, zoneEnd(text, found), 128),
          rule: isLocal ? "ipv6-local" : "ipv6",
          confidence: isLocal ? 0.6 : 0.95,
        });
      }
    }
    colon = next;
  }
}

/** `::` alone is a sign of many languages. */
function isUnspecified(context: Context, start: number): boolean {
  const { text } = context;
  if (text.slice(start, start + 2) !== "::" || /[^\s"'[(]/.test(text[start - 1] ?? " ")) return false;
  return text.trim() === "::" || hintAt(context, start, start + 2) === HINT.ip;
}

function ipv6End(text: string, start: number, limit: number): number {
  const before = text.charCodeAt(start - 1);
  if (isWordCharacter(before) || before === 58 || before === 46) return -1;
  // `rows[::2]`
  if (before === 91 && isWordCharacter(text.charCodeAt(start - 2))) return -1;
  let end = limit;
  while (end > start && text.charCodeAt(end - 1) === 46) end--;
  if (text.charCodeAt(end - 1) === 58 && text.charCodeAt(end - 2) !== 58) end--;
  if (isWordCharacter(text.charCodeAt(end))) return -1;
  return isIpv6(text.slice(start, end)) ? end : -1;
}

function isIpv6(value: string): boolean {
  const [left = "", right, ...more] = value.split("::");
  if (more.length > 0 || value === "::") return false;
  const quad = /(?:^|:)((?:\d{1,3}\.){3}\d{1,3})$/.exec(value)?.[1];
  if (quad !== undefined) {
    QUAD.lastIndex = 0;
    if (QUAD.exec(quad)?.[0] !== quad) return false;
  }
  const groups = [...left.split(":"), ...(right ?? "").split(":")].filter((group) => group !== "");
  const hasEmpty = `${left}:`.startsWith(":") ? left !== "" : /::|^:|:$/.test(left);
  if (hasEmpty || (right !== undefined && /^:|:$|::/.test(right))) return false;
  const areGroups = groups.every((group) => /^[\da-f]{1,4}$/i.test(group) || group === quad);
  const count = groups.length + (quad === undefined ? 0 : 1);
  // Pairs alone are bytes of a fingerprint.
  if (right === undefined && groups.every((group) => group.length === 2)) return false;
  return areGroups && (right === undefined ? count === 8 : count < 8);
}

function isPart(code: number): boolean {
  return isHexDigit(code) || code === 58 || code === 46;
}

function zoneEnd(text: string, end: number): number {
  if (text.charCodeAt(end) !== 37) return end;
  let at = end + 1;
  while (isWordCharacter(text.charCodeAt(at)) && at - end < 20) at++;
  return at === end + 1 ? end : at;
}

function maskEnd(text: string, end: number, most: number): number {
  if (text.charCodeAt(end) !== 47) return end;
  const mask = /^\d{1,3}(?![\w/])/.exec(text.slice(end + 1, end + 6))?.[0];
  return mask !== undefined && Number(mask) <= most ? end + 1 + mask.length : end;
}
