import type { ResolvedServer } from "../config/expand.ts";
import type { ServerDefinition } from "../config/server-definition.ts";
import { KeyholeError, ToolError } from "../errors.ts";
import { mapTexts } from "../text/map-texts.ts";
import { findSecrets, type Secret } from "./find-secrets.ts";
import { fold, foldDecoded } from "./folded-text.ts";
import { findSpans, type Span, toNeedles } from "./needles.ts";

export type Redactor = {
  /** Of what a child, a library or the system said. */
  text(text: string): string;
  /** Of what a server says as a server: only what is a secret for sure, so that its words stay its own. */
  words(text: string): string;
  error(error: KeyholeError): KeyholeError;
};

/** Shorter ones are hidden only where they stand alone. */
const LONG_ENOUGH = 8;
/** A folded text takes many times its size: of a long one, a piece at a time is. */
const PIECE = 256 * 1024;
/** Of a character, with room for white space: `\\\\u002b`. */
const LONGEST_ESCAPE = 16;

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
  const hideAll = createHiding(secrets);
  const words = createHiding(sure);
  return {
    text: hideAll,
    words,
    error(error) {
      if (error instanceof ToolError) {
        const { server = "", tool = "", content } = error;
        const message = words(error.message);
        const shown = mapTexts(content, words);
        if (message === error.message && shown === content) return error;
        return new ToolError(server, tool, message, Array.isArray(shown) ? shown : []);
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

function createHiding(secrets: readonly Secret[]): (text: string) => string {
  const exact = secrets.flatMap((secret) =>
    [...writtenForms(secret.text)].map((text) => ({ text, shown: secret.shown })),
  );
  const needles = secrets
    .filter(({ isSure, text }) => isSure && text.length >= LONG_ENOUGH)
    .flatMap((secret) => toNeedles(secret));
  const overlap = needles.reduce((most, { text }) => Math.max(most, text.length * LONGEST_ESCAPE), 1_024);
  const size = Math.max(PIECE, overlap);
  return (text) => {
    const spans = exact.flatMap((form) => spansOf(text, form));
    for (let at = 0; needles.length > 0 && at + LONG_ENOUGH <= text.length; at += size) {
      const piece = text.slice(at, at + size + overlap);
      for (const folded of [fold(piece), foldDecoded(piece)]) {
        if (folded === undefined) continue;
        for (const needle of needles)
          for (const { from, to, shown } of findSpans(folded, needle))
            spans.push({ from: at + from, to: at + to, shown });
      }
    }
    return replaceSpans(text, spans);
  };
}

/** As it is, and as it is written in addresses, JSON and base64. */
function writtenForms(text: string): Set<string> {
  const escaped = encodeURIComponent(Buffer.from(text).toString("utf8"));
  const lower = escaped.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const json = JSON.stringify(text).slice(1, -1);
  const bytes = Buffer.from(text);
  const base64 =
    text.length < LONG_ENOUGH
      ? []
      : [bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
  return new Set([text, escaped, lower, escaped.replaceAll("%20", "+"), json, ...base64]);
}

/** Short ones only where they stand alone: `hunter2` in `--key=hunter2`, and `test` not in `latest`. */
function spansOf(text: string, { text: secret, shown }: { text: string; shown: string }): Span[] {
  const spans: Span[] = [];
  const isInWord = (char: string | undefined) => char !== undefined && /[A-Za-z0-9]/.test(char);
  for (let from = text.indexOf(secret); from !== -1; ) {
    const to = from + secret.length;
    const isPart = secret.length < LONG_ENOUGH && (isInWord(text[from - 1]) || isInWord(text[to]));
    if (!isPart) spans.push({ from, to, shown });
    from = text.indexOf(secret, to);
  }
  return spans;
}

/** Where spans overlap, the longest says what is shown for all of it. */
function replaceSpans(text: string, spans: Span[]): string {
  spans.sort((a, b) => a.from - b.from || b.to - a.to);
  let result = "";
  let done = 0;
  for (let index = 0; index < spans.length; ) {
    let longest = spans[index++];
    if (longest === undefined) break;
    const { from } = longest;
    let { to } = longest;
    for (let next = spans[index]; next && next.from < to; next = spans[++index]) {
      to = Math.max(to, next.to);
      if (next.to - next.from > longest.to - longest.from) longest = next;
    }
    result += text.slice(done, from) + longest.shown;
    done = to;
  }
  return done === 0 ? text : result + text.slice(done);
}
