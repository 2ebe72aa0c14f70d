import { isSecret, isSecretName, isSecretSegment, isSecretValue } from "../../config/looks-secret.ts";

export const MASK = "********";

export type MaskOptions = {
  /** Masks every value of a query, of the environment and of a header, not only what looks like a secret. */
  all: boolean;
  /** Shows `${X}` that a client leaves alone as it stood in its file, not as Keyhole writes it. */
  original?: boolean;
};

/** Ours, and those that we wrote so that they stay text: `${:-$}{X}`. */
const REFERENCE = /\$\{:-\$\}\{([^}]*)\}|\$\{([^}]*)\}/g;
/** Stands for the reference of that number while the text around it is looked at. */
const PLACEHOLDER = /[\ue000-\uf8ff]/g;
const ONLY_PLACEHOLDERS = /^[\ue000-\uf8ff]*$/;
const FIRST_PLACEHOLDER = 0xe000;
const MAX_PLACEHOLDERS = 0x1900;

/** Longer ones are masked unread: nobody reads them in a list, and looking for patterns takes the square of their length. */
const MAX_LENGTH = 4096;

const SCHEME_ONLY = /^\s*((bearer|basic|token)\s*)?$/i;
const ENV_OPTIONS = new Set(["-e", "--env", "--set-env"]);
const HEADER_OPTIONS = new Set(["-H", "--header", "--headers"]);

/** The value of an environment variable or of a header. What is literal in it is masked as a whole. */
export function maskValue(name: string, value: string, options: MaskOptions): string {
  if (value.length > MAX_LENGTH) return MASK;
  const { text, restore, masked, hasDefault } = hideReferences(value, options);
  const literal = `${text.replace(PLACEHOLDER, "")}${masked}`;
  if (SCHEME_ONLY.test(literal)) return restore(text);
  if (options.all && (hasDefault || text.replace(PLACEHOLDER, "") === text)) return MASK;
  return isSecret(name, literal) || maskText(literal, options) !== literal ? MASK : restore(text);
}

/** A command or an address: whatever in it looks like a secret is masked, its variables stay. */
export function maskLine(line: string, options: MaskOptions): string {
  if (line.length > MAX_LENGTH) return MASK;
  const { text, restore } = hideReferences(line, options);
  return restore(maskText(text, options));
}

export function maskArguments(args: readonly string[], options: MaskOptions): string[] {
  return args.map((arg, index) => {
    if (arg.length > MAX_LENGTH) return MASK;
    const { text, restore } = hideReferences(arg, options);
    return restore(maskWord(text, args[index - 1] ?? "", options));
  });
}

function maskText(text: string, options: MaskOptions): string {
  // A header within a command line ends with its quotes.
  const headers = maskJson(text).replace(
    /([A-Za-z][\w-]*):(\s*)([^\s"'/\\][^"'\n]*)/g,
    (written, name: string, space: string, value: string) =>
      isSecretLiteral(name, value) ? `${name}:${space}${maskScheme(value)}` : written,
  );
  let before = "";
  return headers
    .split(/(\s+)/)
    .map((word, index) => {
      if (index % 2 === 1) return word;
      const [, open = "", bare = "", close = ""] = /^(["']?)(.*?)(["']?)$/s.exec(word) ?? [];
      const masked = maskBareWord(bare, before, options);
      before = bare;
      return `${open}${masked}${close}`;
    })
    .join("");
}

/** `{"apiKey": "…"}`, also where its quotes are escaped. */
function maskJson(text: string): string {
  return text.replace(
    /(\\*")([\w.-]+)\1(\s*:\s*)\1(.*?)\1/g,
    (written, quote: string, name: string, colon: string, value: string) =>
      isSecretLiteral(name, value) ? `${quote}${name}${quote}${colon}${quote}${MASK}${quote}` : written,
  );
}

/** One argument, which may be a whole command line of its own. */
function maskWord(text: string, before: string, options: MaskOptions): string {
  const isHeader = HEADER_OPTIONS.has(before);
  if (isHeader || ENV_OPTIONS.has(before)) return maskAssignment(text, isHeader ? ":" : "=", options);
  const [, header = "", space = "", value = ""] = /^([A-Za-z][\w-]*):(\s*)([^/\\].*)$/s.exec(text) ?? [];
  if (header.length > 1 && isSecret(header, value)) return `${header}:${space}${maskScheme(value)}`;
  if (isSecretOption(before) && !text.startsWith("-")) return maskLiteral(text);
  return /\s/.test(text) ? maskText(text, options) : maskBareWord(maskJson(text), before, options);
}

/** A word without spaces: an option with its value, an assignment, an address, a key. */
function maskBareWord(word: string, before: string, options: MaskOptions): string {
  if (word === "" || ONLY_PLACEHOLDERS.test(word)) return word;
  const follows = isSecretOption(before) || /^(bearer|basic)$/i.test(before) || isSecretHeader(before);
  if (follows && !word.startsWith("-") && !/^(bearer|basic|token)$/i.test(word)) return maskLiteral(word);
  const [, name = "", value = ""] = /^(-{0,2}[A-Za-z_][\w.-]*)=(.*)$/s.exec(word) ?? [];
  if (name !== "" && value !== "") {
    if (isSecretLiteral(name, value)) return `${name}=${maskLiteral(value)}`;
    if (ENV_OPTIONS.has(name) || HEADER_OPTIONS.has(name))
      return `${name}=${maskAssignment(value, ENV_OPTIONS.has(name) ? "=" : ":", options)}`;
    return `${name}=${maskBareWord(value, "", options)}`;
  }
  if (isAddress(word)) return maskAddress(word, options);
  if (/[;,]/.test(word))
    return word
      .split(/([;,])/)
      .map((part, index) => (index % 2 === 1 ? part : maskBareWord(part, "", options)))
      .join("");
  const [, user = "", rest = ""] = /^([^\s/@:]+:[^\s@]+)@(.*)$/s.exec(word) ?? [];
  if (user !== "" && !/^(npm|jsr|pypi|docker|github):/.test(word))
    return `${maskUser(user, options)}@${rest}`;
  return isSecretValue(word) && !isPackage(word) ? maskLiteral(word) : word;
}

/** `NAME=value` or `Name: value`; a name alone is handed on from outside. */
function maskAssignment(text: string, sign: "=" | ":", options: MaskOptions): string {
  const at = text.indexOf(sign);
  if (at === -1) return isSecretValue(text) ? maskLiteral(text) : text;
  const name = text.slice(0, at);
  const [, space = "", value = ""] = /^(\s*)(.*)$/s.exec(text.slice(at + 1)) ?? [];
  const isMasked = options.all || isSecretLiteral(name, value) || maskText(value, options) !== value;
  return isMasked ? `${name}${sign}${space}${maskScheme(value)}` : text;
}

function isAddress(word: string): boolean {
  return /\/\/|[?&#][\w.-]+=|^[\ue000-\uf8ff]+[/?#]/.test(word);
}

/** Also of an address that no parser takes, because a variable stands for a part of it. */
function maskAddress(address: string, options: MaskOptions): string {
  const [, base = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  const [, scheme = "", rest = ""] = /^([^/]*\/\/)?(.*)$/s.exec(base) ?? [];
  const { user, host, path } = splitAuthority(scheme === "" ? "" : rest);
  const segments = (scheme === "" ? rest : path).split("/");
  return [
    scheme,
    user === "" ? "" : `${maskUser(user, options)}@`,
    host,
    segments.map((segment, index) => maskSegment(segment, segments[index - 1] ?? "")).join("/"),
    maskPairs(query, options),
    maskPairs(fragment, options),
  ].join("");
}

function maskUser(user: string, options: MaskOptions): string {
  const [name = "", ...password] = user.split(":");
  const isHarmless = password.length > 0 || name.length < 12;
  const isOpen = isHarmless && ONLY_PLACEHOLDERS.test(password.join("")) && !isSecretValue(name);
  return ONLY_PLACEHOLDERS.test(user) || user === "git" || (isOpen && !options.all) ? user : MASK;
}

function splitAuthority(rest: string): { user: string; host: string; path: string } {
  const end = rest.indexOf("/") === -1 ? rest.length : rest.indexOf("/");
  // A password may hold a slash that should have been escaped: then what looks like a port is none.
  const isCut = !rest.slice(0, end).includes("@") && /:(?!\d*$)[^\ue000-\uf8ff]/.test(rest.slice(0, end));
  const at = isCut ? rest.lastIndexOf("@") : rest.slice(0, end).lastIndexOf("@");
  const after = rest.slice(at + 1);
  const slash = after.indexOf("/") === -1 ? after.length : after.indexOf("/");
  return { user: at === -1 ? "" : rest.slice(0, at), host: after.slice(0, slash), path: after.slice(slash) };
}

function maskSegment(segment: string, before: string): string {
  const isKnown = ["s", "secret", "token", "key"].includes(before.toLowerCase()) && segment.length >= 8;
  const literal = segment.replace(PLACEHOLDER, "");
  return isKnown || isSecretSegment(literal) ? maskLiteral(segment) : segment;
}

/** `?a=1&b=2`, `#token=x`, or a mark that is no pair. */
function maskPairs(text: string, options: MaskOptions): string {
  if (text === "") return "";
  const pairs = text.slice(1).split("&");
  const masked = pairs.map((pair) => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, at));
    const value = pair.slice(at + 1);
    const isValue = at !== -1 || text.startsWith("?");
    const isMasked = (options.all && isValue) || isSecretLiteral(name, value) || isSecretSegment(value);
    return isMasked ? `${name}${at === -1 ? "" : "="}${maskLiteral(value)}` : pair;
  });
  return `${text[0]}${masked.join("&")}`;
}

function isSecretLiteral(name: string, value: string): boolean {
  const literal = value.replace(PLACEHOLDER, "");
  return !SCHEME_ONLY.test(literal) && isSecret(name, literal);
}

/** Masks a text unless it consists of variables alone. */
function maskLiteral(text: string): string {
  return ONLY_PLACEHOLDERS.test(text) ? text : MASK;
}

/** Keeps `Bearer`, which says what stood there. */
function maskScheme(value: string): string {
  const [, scheme = "", rest = ""] = /^((?:bearer|basic|token)\s+)?(.*)$/is.exec(value) ?? [];
  return `${scheme}${maskLiteral(rest)}`;
}

function isSecretOption(word: string): boolean {
  return /^-/.test(word) && !word.includes("=") && isSecretName(word);
}

function isSecretHeader(word: string): boolean {
  return /^[A-Za-z][\w-]*:$/.test(word) && isSecretName(word);
}

/** `@scope/name@1.2.3`: what stands behind the last @ is a version. */
function isPackage(word: string): boolean {
  return /^(@[\w.-]+\/)?[a-z][a-z.-]*@/.test(word);
}

type Hidden = {
  text: string;
  /** A default stands there as literally as the text around it. */
  hasDefault: boolean;
  /** The defaults that were masked already, by the name of their own variable. */
  masked: string;
  restore(masked: string): string;
};

/** Takes the references out, so that their colons and slashes are not taken for those of an address. */
function hideReferences(written: string, options: MaskOptions): Hidden {
  const shown: string[] = [];
  const hide = (text: string) => {
    if (shown.length >= MAX_PLACEHOLDERS) return MASK;
    shown.push(text);
    return String.fromCharCode(FIRST_PLACEHOLDER + shown.length - 1);
  };
  let hasDefault = false;
  let masked = "";
  // A text that has such characters itself could not be told from our marks.
  const text = written.replace(PLACEHOLDER, "").replace(REFERENCE, (_, escaped?: string, own?: string) => {
    const { name, sign, fallback } = splitReference(escaped ?? own ?? "");
    const lead = escaped === undefined || options.original === true ? "$" : "${:-$}";
    // Gemini's `$X` is read as `${X:-$X}`.
    if (fallback === `$${name}`)
      return hide(options.original === true ? `$${name}` : `${lead}{${name}${sign}${fallback}}`);
    if (fallback === "") return hide(`${lead}{${name}${sign}}`);
    hasDefault = true;
    if (!isSecret(name, fallback)) return `${hide(`${lead}{${name}${sign}`)}${fallback}${hide("}")}`;
    masked += fallback;
    return hide(`${lead}{${name}${sign}${MASK}}`);
  });
  const restore = (text: string) =>
    text.replace(PLACEHOLDER, (mark) => shown[mark.charCodeAt(0) - FIRST_PLACEHOLDER] ?? "");
  return { text, hasDefault, masked, restore };
}

function splitReference(inside: string): { name: string; sign: string; fallback: string } {
  const [, name, sign = "", fallback = ""] = /^((?:env:)?\w*)(:?[-=?+])(.*)$/s.exec(inside) ?? [];
  if (name !== undefined) return { name, sign, fallback };
  return isSecretValue(inside)
    ? { name: "", sign: "", fallback: inside }
    : { name: inside, sign: "", fallback: "" };
}
