import { toVisibleText } from "../../text/plain-text.ts";
import { isSecretName, isSecretValue } from "../looks-secret.ts";

export const MASKED = "********";

const MAX_SHOWN = 2_000;
/** What a key or a password without spaces consists of. Nothing else is hidden: no instruction can be written with it alone. */
const TOKEN = "[A-Za-z0-9_.+/=~@%!*-]";
const ASSIGNED = new RegExp(`([A-Za-z_][\\w.-]*)(=|:\\s*(?:(?:bearer|basic|token)\\s+)?)(${TOKEN}+)`, "gi");
const WORD = /[A-Za-z0-9_+=~-]{12,}/g;
const USER_INFO = new RegExp(`(//[^\\s/@:]*):(${TOKEN}+?)@`, "g");
const ONLY_TOKEN = new RegExp(`^${TOKEN}+$`);
const ONLY_REFERENCES = /^(?:(?:bearer|basic|token)\s+)?(?:\$\{[A-Za-z_]\w*\}|\s)*$/i;

/** By these a process loads code or finds programs: what they are set to is shown, whatever it looks like. */
const STEERING =
  /^(?:PATH|SHELL|ENV|BASH_ENV|IFS|PS4|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|BROWSER|HOME|LD_.*|DYLD_.*|NODE_.*|NPM_CONFIG_.*|BUN_.*|DENO_.*|PYTHON.*|PIP_.*|UV_.*|PERL5?.*|RUBY.*|GEM_.*|JAVA_.*|_JAVA_.*|JDK_.*|GIT_.*|SSH_.*|DOCKER_.*|HTTPS?_PROXY|ALL_PROXY|NO_PROXY|SSL_.*|CURL_.*|OPENSSL_.*|GCONV_PATH|XDG_.*|KEYHOLE_.*)$/i;

export function isSteering(name: string): boolean {
  return STEERING.test(name);
}

/** A text of the project as it may be shown on a line: what nobody would see is written out, what looks like a secret is not. */
export function toShown(text: string): string {
  return toLine(maskSecretParts(text.slice(0, MAX_SHOWN)), text.length);
}

/** An argument, after the one before it: `--api-key`, then its value. */
export function toShownArgument(arg: string, before: string): string {
  const follows = before.startsWith("-") && !before.includes("=") && isSecretName(before);
  return follows && !arg.startsWith("-") && isToken(arg) ? MASKED : toShown(arg);
}

/** The value of a variable, of a header or of a setting. */
export function toShownValue(name: string, value: string): string {
  if (isSteering(name) || ONLY_REFERENCES.test(value)) return toLine(value.slice(0, MAX_SHOWN), value.length);
  return isSecretName(name) ? MASKED : toShown(value);
}

/** Data as JSON, which is no text of its own. */
export function toShownJson(value: unknown): string {
  const json = JSON.stringify(value) ?? "";
  return `${toVisibleText(maskSecretParts(json.slice(0, MAX_SHOWN)))}${toCut(json.length)}`;
}

/** The same text with all that is not ASCII written out, for letters can look like others; undefined where all is ASCII. */
export function toAscii(text: string): string | undefined {
  const short = JSON.stringify(maskSecretParts(text.slice(0, MAX_SHOWN)));
  const written = short.replace(
    /[^\u0000-\u007e]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return written === short ? undefined : written;
}

function maskSecretParts(text: string): string {
  return text
    .replace(USER_INFO, (_, before: string) => `${before}:${MASKED}@`)
    .replace(ASSIGNED, (written, name: string, sign: string, value: string) =>
      isSecretName(name) && isToken(value) ? `${name}${sign}${MASKED}` : written,
    )
    .replace(WORD, (word) => (isSecretValue(word) ? MASKED : word));
}

/** A path is shown: it may be that of a program. */
function isToken(text: string): boolean {
  return ONLY_TOKEN.test(text) && !/^[.~]{0,2}\//.test(text);
}

/** In quotes where it is no plain word. Many spaces could push the rest out of sight. */
function toLine(text: string, length: number): string {
  const cut = toCut(length);
  if (/^[\w@%+=:,./${}[\]*?&~-]+$/.test(text)) return `${text}${cut}`;
  const quoted = JSON.stringify(text).replace(/ {5,}/g, (spaces) => `[${spaces.length} spaces]`);
  return `${toVisibleText(quoted)}${cut}`;
}

function toCut(length: number): string {
  return length > MAX_SHOWN ? ` … and ${length - MAX_SHOWN} more characters` : "";
}
