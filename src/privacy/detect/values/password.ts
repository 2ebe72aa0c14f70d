import type { PiiFinding } from "../finding.ts";
import { isDigit, isLatinLetter, isSpace, isWordCharacter } from "./characters.ts";
import type { Context } from "./context.ts";
import { HINT, type Hint, nextHint } from "./hints.ts";
import { isPlaceholder, looksRandom } from "./secret-value.ts";

const MOST = 4_096;
/** What is longer and no secret is not looked into again. */
const LONG = 64;

/** What a word says is a password or a key: `password=…`, `api_key: "…"`, `--token …`, `Bearer …`, `my password is …`. */
export function findNamedSecrets({ text }: Context, findings: PiiFinding[]): void {
  for (let at = 0; at < text.length; ) {
    const hint = nextHint(text, at, text.length);
    if (hint === undefined) return;
    at = hint.end;
    if ((hint.bits & (HINT.password | HINT.secret)) === 0) continue;
    const value = assignedTo(text, hint);
    if (value === undefined) continue;
    const finding = namedSecret(text, hint, value);
    if (finding !== undefined) findings.push(finding);
    if (finding !== undefined || value.end - value.start > LONG) at = value.end;
  }
}

type Assigned = {
  readonly start: number;
  readonly end: number;
  readonly how: "=" | ":" | "is" | "--" | "bearer" | "quoted" | "basic";
};

function namedSecret(text: string, hint: Hint, value: Assigned): PiiFinding | undefined {
  const { start, end, how } = value;
  if (end - start >= MOST) return undefined;
  const word = text.slice(start, end);
  if (isPlaceholder(word) || /^https?:\/\//i.test(word)) return undefined;
  if (how === "basic")
    return isUserAndPassword(word)
      ? { class: "PASSWORD", start, end, rule: "basic-authorization", confidence: 0.97 }
      : undefined;
  const isPassword = hint.bits === HINT.password;
  if (isPassword ? !isAssignedPassword(text, value, word) : !looksRandom(word)) return undefined;
  const confidence = how === "is" ? 0.8 : 0.93;
  return isPassword
    ? { class: "PASSWORD", start, end, rule: "password-named", confidence }
    : { class: "API_KEY", start, end, rule: "key-named", confidence };
}

/** `user:password` in base64. */
function isUserAndPassword(word: string): boolean {
  return (
    /^[A-Za-z\d+/]{4,}={0,2}$/.test(word) &&
    /^[ -~]*:[ -~]+$/.test(Buffer.from(word, "base64").toString("latin1"))
  );
}

/** A word alone is a password where one is assigned, not where people or programs talk of one. */
function isAssignedPassword(text: string, { start, end, how }: Assigned, word: string): boolean {
  if (how === "quoted") return word.length >= 3;
  const isPlainWord = /^[A-Za-z_$][A-Za-z_$.]*$/.test(word);
  if (/^[\w$.]+\(/.test(word)) return false;
  if (how === "=" || how === "--")
    return word.length >= 3 && !(isPlainWord && isSpace(text.charCodeAt(start - 1)) && how === "=");
  if (how === ":") return word.length >= 4 && (!isPlainWord || isLineEnd(text, end));
  return word.length >= 4 && /\d|[^\w\s.,;:'"-]/.test(word) && !/^\d+[a-z]+$/i.test(word);
}

/** The value after a name: behind the rest of the name, a sign, and perhaps a quote. */
function assignedTo(text: string, hint: Hint): Assigned | undefined {
  let at = hint.end;
  // The rest of the name: `password_hash` is another name, `passwordConfirm` too, `password2` and `"password"` are not.
  while (isDigit(text.charCodeAt(at))) at++;
  if (isWordCharacter(text.charCodeAt(at)) || text.charCodeAt(at) === 45) return undefined;
  const quote = text.charCodeAt(at);
  if (quote === 34 || quote === 39 || quote === 96 || quote === 93) at++;
  if (quote === 92 && text.charCodeAt(at + 1) === 34) at += 2;
  const gap = at;
  while (at - gap < 3 && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at++;
  const sign = text.charCodeAt(at);
  if (sign === 61 || sign === 58 || sign === 0xff1a) return afterSign(text, at, sign === 61 ? "=" : ":");
  if (at === gap) return undefined;
  if (/^(?:is|was|ist|es|est|é) /i.test(text.slice(at, at + 4)))
    return valueAt(text, text.indexOf(" ", at) + 1, "is");
  if (isOption(text, hint.start)) return valueAt(text, at, "--");
  if (/^bearer$/i.test(text.slice(hint.start, hint.end))) return valueAt(text, at, "bearer");
  return undefined;
}

function afterSign(text: string, sign: number, how: "=" | ":"): Assigned | undefined {
  let at = sign + 1;
  // `:=`, `==`, `=>`
  if (text.charCodeAt(at) === 61 || text.charCodeAt(at) === 62) at++;
  const from = at;
  while (at - from < 4 && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at++;
  const scheme = /^\\?["'`]?(Bearer|Token|Basic) +/i.exec(text.slice(at, at + 12));
  if (scheme === null) return valueAt(text, at, how);
  return valueAt(text, at + scheme[0].length, /^basic$/i.test(scheme[1] ?? "") ? "basic" : how);
}

function valueAt(text: string, from: number, how: Assigned["how"]): Assigned | undefined {
  let start = from;
  const isEscaped = text.charCodeAt(start) === 92;
  if (isEscaped) start++;
  const quote = text.charCodeAt(start);
  if (quote === 34 || quote === 39 || quote === 96) {
    start++;
    const closing = isEscaped ? 92 : quote;
    let end = start;
    while (
      end < text.length &&
      end - start < MOST &&
      text.charCodeAt(end) !== closing &&
      text.charCodeAt(end) !== 10
    )
      end++;
    return text.charCodeAt(end) === closing && end > start ? { start, end, how: "quoted" } : undefined;
  }
  let end = start;
  while (end < text.length && end - start < MOST && !isValueEnd(text, end, how)) end++;
  while (end > start && isAfterValue(text, start, end - 1, how)) end--;
  return end - start >= 3 ? { start, end, how } : undefined;
}

/** The full stop of a sentence, and brackets that close what stands around. */
function isAfterValue(text: string, start: number, at: number, how: Assigned["how"]): boolean {
  const character = text.charAt(at);
  if (how === "is" && ".,!?".includes(character)) return true;
  const opening = "([{".charAt(")]}".indexOf(character));
  return opening !== "" && !text.slice(start, at).includes(opening);
}

function isValueEnd(text: string, at: number, how: Assigned["how"]): boolean {
  const code = text.charCodeAt(at);
  // ; & , " ' < > | and the backslash of an escaped line
  return (
    isSpace(code) ||
    code === 59 ||
    (code === 38 && how === "=" && PARAMETER.test(text.slice(at, at + 64))) ||
    code === 44 ||
    code === 34 ||
    code === 39 ||
    code === 60 ||
    code === 62 ||
    code === 124 ||
    code === 92
  );
}

/** In a query another one follows; elsewhere it is a sign of the secret. */
const PARAMETER = /^&(?:[\w.[\]-]{1,60}=|[\w.-]{0,60}$|\s)/;

function isOption(text: string, start: number): boolean {
  let at = start;
  while (
    at > 0 &&
    start - at < 24 &&
    (isLatinLetter(text.charCodeAt(at - 1)) || text.charCodeAt(at - 1) === 45)
  )
    at--;
  return text.startsWith("--", at);
}

function isLineEnd(text: string, end: number): boolean {
  return end >= text.length || text.charCodeAt(end) === 10 || text.charCodeAt(end) === 13;
}
