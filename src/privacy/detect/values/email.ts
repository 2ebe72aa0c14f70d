import type { PiiFinding } from "../finding.ts";
import { isDigit, isLatinLetter, isSpace, isWordCharacter } from "./characters.ts";
import type { Context } from "./context.ts";
import { HINT } from "./hints.ts";

const MOST_LOCAL = 64;
const MOST_DOMAIN = 253;
const MOST_USER_INFO = 300;
const RARE = "!#$*^`{|}~";
/** A machine's address in place of a domain. */
const QUAD = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.-]*\w)/;
/** `icon@2x.png` */
const PICTURE = /^\d(?:\.\d)?x(?:~\w+)?\.\w+$/;
/** `_ownerid_value@OData.Community.Display.V1.FormattedValue` */
const ANNOTATION = /^(?:odata|microsoft\.dynamics)\./i;
/** What stands before `:` in `git@host:path`. */
const REPOSITORY_USERS = new Set(["git", "hg", "svn"]);

const LABEL =
  /(?:^|[\s,;([{"&?])(?:user|user_?name|login|e-?mail|account|owner|actor|sender|recipient|assignee|author|requester)"?\s?[=:]\s?"?$/i;
const MACHINE_MADE = /^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{16,}$/i;
const MESSAGE_ID = /(?:uid|message[_-]?id|in[_-]?reply[_-]?to|references)$/i;

export function findEmails(context: Context, findings: PiiFinding[]): void {
  const { text } = context;
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const inner = localStart(text, at);
    if (inner === at) continue;
    const end = domainEnd(text, at + 1, context.key === HINT.email || isLabelled(text, inner));
    if (end === -1 || isUserInfo(text, at)) continue;
    // With the rarer signs of an address only where nothing else stands: `|` parts columns elsewhere.
    const start = inner > 0 && end === text.length && isWholeLocal(text, inner) ? 0 : inner;
    const local = text.slice(start, at);
    const domain = text.slice(at + 1, end);
    if (
      PICTURE.test(domain) ||
      ANNOTATION.test(domain) ||
      (REPOSITORY_USERS.has(local) && text.charCodeAt(end) === 58)
    )
      continue;
    if (isMessageId(context, local, start)) continue;
    if (local.length > MOST_LOCAL || Buffer.byteLength(local) > MOST_LOCAL) continue;
    const confidence = domain.includes(".") || domain.startsWith("[") ? 0.97 : 0.91;
    findings.push({ class: "EMAIL", start, end, rule: "email", confidence });
  }
}

/** `user=nora.lind@lab`: without a top level, where a label says whose it is. */
function isLabelled(text: string, start: number): boolean {
  const sign = text.charAt(start - 1);
  return (
    (sign === "=" || sign === ":" || sign === " " || sign === '"') &&
    LABEL.test(text.slice(Math.max(0, start - 24), start))
  );
}

/** `<8b785d729ec3e0ef@mx.example.net>`: of a message or an event, by the machine that sent it. */
function isMessageId({ text, keyName }: Context, local: string, start: number): boolean {
  if (!MACHINE_MADE.test(local)) return false;
  return (
    (text.charCodeAt(start - 1) === 60 && !/\w "?<$/.test(text.slice(0, start).slice(-4))) ||
    MESSAGE_ID.test(keyName)
  );
}

function localStart(text: string, at: number): number {
  if (text.charCodeAt(at - 1) === 34) return quotedStart(text, at);
  let start = at;
  while (start > 0 && at - start <= MOST_LOCAL && isLocal(text, start - 1)) start--;
  while (start < at && !isInnerStart(text.charCodeAt(start))) start++;
  const dots = text.slice(start, at).lastIndexOf("..");
  if (dots !== -1) start += dots + 2;
  return text.charCodeAt(at - 1) === 46 ? at : start;
}

/** `"john smith"@example.com`; a quote that opened further away is another one. */
function quotedStart(text: string, at: number): number {
  for (let start = at - 2; start >= 0 && at - start <= MOST_LOCAL; start--) {
    const code = text.charCodeAt(start);
    if (code === 10 || code === 13) return at;
    if (code === 34 && text.charCodeAt(start - 1) !== 92) return start === at - 2 ? at : start;
  }
  return at;
}

function isLocal(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (isWordCharacter(code)) return true;
  // . + - ' %
  if (code === 46 || code === 43 || code === 45 || code === 39) return true;
  if (code === 37) return !/^%[\dA-F]{2}/i.test(text.slice(index, index + 3));
  return isForeignLetter(code);
}

/** `https://nora@example.org/`: who asks, and where. */
function isUserInfo(text: string, at: number): boolean {
  for (let start = at - 1; start >= 2 && at - start < MOST_USER_INFO; start--) {
    const code = text.charCodeAt(start);
    if (code === 47) return text.charCodeAt(start - 1) === 47 && text.charCodeAt(start - 2) === 58;
    if (code === 63 || code === 35 || code === 34 || code === 60 || code === 64 || isSpace(code))
      return false;
  }
  return false;
}

function isWholeLocal(text: string, start: number): boolean {
  // None of / = ? &, which stand in addresses of pages.
  if (start > MOST_LOCAL || !RARE.includes(text.charAt(start - 1)) || text.startsWith(".")) return false;
  for (let at = 0; at < start; at++) if (!isLocal(text, at) && !RARE.includes(text.charAt(at))) return false;
  return !text.slice(0, start).includes("..");
}

function isInnerStart(code: number): boolean {
  return code !== 46 && code !== 39 && code !== 45;
}

/** The end of the domain, or -1. Its last label is letters, or `xn--…`. */
function domainEnd(text: string, start: number, isTold: boolean): number {
  if (text.charCodeAt(start) === 91) return literalEnd(text, start);
  if (isDigit(text.charCodeAt(start))) {
    const quad = QUAD.exec(text.slice(start, start + 16))?.[0];
    if (quad !== undefined) return start + quad.length;
  }
  let at = start;
  let label = start;
  let end = -1;
  while (at - start <= MOST_DOMAIN) {
    const code = text.charCodeAt(at);
    if (isDigit(code) || isLatinLetter(code) || code === 45 || code === 95 || isForeignLetter(code)) {
      at++;
      continue;
    }
    const isLabel = at > label && at - label <= 63 && isLabelEnd(text, label, at);
    if (!isLabel) break;
    const isTop = isTopLevel(text, label, at) && (label > start || (isTold && isEnd(text, at)));
    if (isTop) end = at;
    else if (label > start && code !== 46) end = -1;
    if (code !== 46 && code !== 0x3002) break;
    at++;
    label = at;
  }
  return at - start > MOST_DOMAIN ? -1 : end;
}

function isLabelEnd(text: string, start: number, end: number): boolean {
  return text.charCodeAt(start) !== 45 && text.charCodeAt(end - 1) !== 45;
}

function isTopLevel(text: string, start: number, end: number): boolean {
  if (end - start < 2) return false;
  if (/^xn--/i.test(text.slice(start, start + 4))) return true;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isLatinLetter(code) && !isForeignLetter(code)) return false;
  }
  return true;
}

function literalEnd(text: string, start: number): number {
  const literal = /^\[(?:(?:\d{1,3}\.){3}\d{1,3}|IPv6:[\da-f:.]+)\]/i.exec(text.slice(start, start + 64));
  return literal === null ? -1 : start + literal[0].length;
}

function isEnd(text: string, at: number): boolean {
  return at >= text.length || isSpace(text.charCodeAt(at)) || text.charCodeAt(at) === 62;
}

/** Letters of other scripts, but no spaces, signs or wide forms of ASCII's. */
function isForeignLetter(code: number): boolean {
  if (!(code >= 0xc0) || code === 0xd7 || code === 0xf7) return false;
  return !(
    (code >= 0x2000 && code <= 0x2bff) ||
    (code >= 0x3000 && code <= 0x3004) ||
    (code >= 0x3008 && code <= 0x3020) ||
    code >= 0xfe00
  );
}
