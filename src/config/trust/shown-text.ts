import { toQuestionText } from "../../text/plain-text.ts";
import { isOpaque, isSecretName } from "../looks-secret.ts";

export const MASKED = "********";

const MAX_SHOWN = 2_000;
const SHOWN_OF_KEY = 4;
/** What a key or a password without spaces consists of. */
const TOKEN = "[A-Za-z0-9_.+/=~@%!*-]";
const ASSIGNED = new RegExp(`([A-Za-z_][\\w.-]*)(=|:\\s*(?:(?:bearer|basic|token)\\s+)?)(${TOKEN}+)`, "gi");
const FOLLOWING = new RegExp(`(--?([A-Za-z][\\w-]*)\\s+)(${TOKEN}+)`, "g");
const DEFAULT = new RegExp(`(\\$\\{[\\w:]*:-)(${TOKEN}+)\\}`, "g");
const USER_INFO = new RegExp(`(//[^\\s/@:]*):(${TOKEN}+?)@`, "g");
const SCHEME = /^(?:bearer|basic|token)\s+/i;

/** By these a process loads code or finds programs: what they are set to is shown, whatever it looks like. */
const STEERING =
  /^(?:PATH|SHELL|ENV|BASH_ENV|IFS|PS4|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|BROWSER|HOME|LD_.*|DYLD_.*|NODE_.*|NPM_CONFIG_.*|BUN_.*|DENO_.*|PYTHON.*|PIP_.*|UV_.*|PERL5?.*|RUBY.*|GEM_.*|JAVA_.*|_JAVA_.*|JDK_.*|GIT_.*|SSH_.*|DOCKER_.*|HTTPS?_PROXY|ALL_PROXY|NO_PROXY|SSL_.*|CURL_.*|OPENSSL_.*|GCONV_PATH|XDG_.*|KEYHOLE_.*)$/i;

export function isSteering(name: string): boolean {
  return STEERING.test(name);
}

/** A command, a name or a path of the project on a line: what nobody would see is written out, and nothing is hidden. */
export function toShown(text: string): string {
  return toLine(text.slice(0, MAX_SHOWN), text.length);
}

/**
 * An argument, after the one before it, or an address. Of it are hidden the value that is given to a secret's name, and the password
 * in an address, where that can be nothing but a key. Never the whole of it, whatever it looks like: it may be what is run.
 */
export function toShownArgument(text: string, before = ""): string {
  if (before.startsWith("-") && !before.includes("=") && isSecretName(before) && isOpaque(text))
    return `${text.slice(0, SHOWN_OF_KEY)}${MASKED}`;
  return toLine(maskSecretParts(text.slice(0, MAX_SHOWN)), text.length);
}

/** The value of a variable, of a header or of a setting: hidden where it can be nothing but a key. */
export function toShownValue(name: string, value: string): string {
  if (isSteering(name)) return toShown(value);
  const scheme = SCHEME.exec(value)?.[0] ?? "";
  return isOpaque(value.slice(scheme.length)) ? `${scheme}${MASKED}` : toShownArgument(value);
}

/** Data as JSON, which is no text of its own. */
export function toShownJson(value: unknown): string {
  const json = JSON.stringify(value) ?? "";
  return `${toQuestionText(maskSecretParts(json.slice(0, MAX_SHOWN)))}${toCut(json.length)}`;
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
    .replace(DEFAULT, (written, before: string, value: string) =>
      isOpaque(value) ? `${before}${value.slice(0, SHOWN_OF_KEY)}${MASKED}}` : written,
    )
    .replace(FOLLOWING, (written, before: string, name: string, value: string) =>
      isSecretName(name) && isOpaque(value) ? `${before}${value.slice(0, SHOWN_OF_KEY)}${MASKED}` : written,
    )
    .replace(ASSIGNED, (written, name: string, sign: string, value: string) =>
      isSecretName(name) && isOpaque(value) ? `${name}${sign}${MASKED}` : written,
    );
}

/** In quotes where it is no plain word. Many spaces could push the rest out of sight. */
function toLine(text: string, length: number): string {
  const cut = toCut(length);
  if (/^[\w@%+=:,./${}[\]*?&~-]+$/.test(text)) return `${text}${cut}`;
  const quoted = JSON.stringify(text).replace(/ {5,}/g, (spaces) => `[${spaces.length} spaces]`);
  return `${toQuestionText(quoted)}${cut}`;
}

function toCut(length: number): string {
  return length > MAX_SHOWN ? ` … and ${length - MAX_SHOWN} more characters` : "";
}
