import type { ResolvedServer } from "../config/expand.ts";
import type { ServerDefinition } from "../config/server-definition.ts";
import { KeyholeError, ToolError } from "../errors.ts";
import { findSecrets, type Secret } from "./find-secrets.ts";

export type Redactor = {
  /** Of what a child, a library or the system said. */
  text(text: string): string;
  /** Of what a server says as a server: only what is a secret for sure, so that its words stay its own. */
  words(text: string): string;
  error(error: KeyholeError): KeyholeError;
};

/** Shorter ones are hidden only where they stand alone. */
const LONG_ENOUGH = 8;
/** Of these a large part is hidden too: whoever handed the text on may have cut it. */
const PARTS_FROM = 12;

/**
 * Takes secrets out of texts: children echo them to stderr, libraries repeat addresses in their messages. It must come
 * before anything is cut.
 */
export function createRedactor(
  definition: ServerDefinition,
  resolved: ResolvedServer,
  env: NodeJS.ProcessEnv,
): Redactor {
  const secrets = findSecrets(definition, resolved, env);
  if (secrets.length === 0) return NO_REDACTOR;
  const sure = secrets.filter(({ isSure, text }) => isSure && text.length >= LONG_ENOUGH);
  const hideAll = (text: string) => secrets.reduce(hide, text);
  const words = (text: string) => sure.reduce(hide, text);
  return {
    text: hideAll,
    words,
    error(error) {
      if (error instanceof ToolError) {
        const { server = "", tool = "", content } = error;
        const message = words(error.message);
        return message === error.message
          ? error
          : new ToolError(server, tool, message, toHidden(content, words));
      }
      // Its cause has the same texts, unredacted.
      const { code, message, hint, details, server, tool } = error;
      return new KeyholeError(code, hideAll(message), {
        hint: hint && hideAll(hint),
        details: details.map(hideAll),
        server,
        tool,
      });
    },
  };
}

export const NO_REDACTOR: Redactor = { text: (text) => text, words: (text) => text, error: (error) => error };

function hide(text: string, { text: secret, shown, isSure }: Secret): string {
  if (secret.length < LONG_ENOUGH) return hideAlone(text, secret, shown);
  const whole = text.replaceAll(secret, shown);
  return secret.length < PARTS_FROM || !isSure ? whole : hideParts(whole, secret, shown);
}

/** `hunter2` in `--key=hunter2`, and `test` not in `latest`. */
function hideAlone(text: string, secret: string, shown: string): string {
  if (!text.includes(secret)) return text;
  const isInWord = (char: string | undefined) => char !== undefined && /[A-Za-z0-9]/.test(char);
  const parts = text.split(secret);
  return parts.reduce((before, after) => {
    const isPart = isInWord(before.at(-1)) || isInWord(after[0]);
    return `${before}${isPart ? secret : shown}${after}`;
  });
}

/** Where two thirds of a secret stand, from its start or to its end. Each text is gone through once. */
function hideParts(text: string, secret: string, shown: string): string {
  const size = Math.ceil((secret.length * 2) / 3);
  const rest = secret.length - size;
  const withoutStarts = replaceAt(text, secret.slice(0, size), shown, (at) => {
    let more = 0;
    while (more < rest && text[at + size + more] === secret[size + more]) more++;
    return { from: at, to: at + size + more };
  });
  return replaceAt(withoutStarts, secret.slice(-size), shown, (at, min) => {
    let more = 0;
    while (more < rest && at - more > min && withoutStarts[at - more - 1] === secret[rest - more - 1]) more++;
    return { from: at - more, to: at + size };
  });
}

function replaceAt(
  text: string,
  part: string,
  shown: string,
  extend: (at: number, min: number) => { from: number; to: number },
): string {
  let result = "";
  let done = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, done)) {
    const { from, to } = extend(at, done);
    result += `${text.slice(done, from)}${shown}`;
    done = to;
  }
  return done === 0 ? text : result + text.slice(done);
}

/** Content blocks of a failure, with the same taken out. */
function toHidden(content: readonly unknown[], words: (text: string) => string): readonly unknown[] {
  const parsed: unknown = JSON.parse(words(JSON.stringify(content)));
  return Array.isArray(parsed) ? parsed : [];
}
