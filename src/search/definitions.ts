import { toAnnotationNote } from "../codegen/print/annotation-note.ts";
import { toCommentLine, toOneLine } from "../codegen/print/doc-text.ts";
import { toPythonSignature } from "../codegen/print/python-signature.ts";
import { type Signature, type SignatureStyle, toTypeScriptSignature } from "../codegen/print/signature.ts";
import type { Language } from "./answer.ts";
import { cutToTokens, estimateTokens } from "./estimate-tokens.ts";
import { toSentence } from "./lines.ts";
import type { Hit } from "./rank.ts";

/** What a program can be written from: a line on what the function does, and how it is called. */
export type Definition = {
  readonly hit: Hit;
  readonly description: string;
  readonly definition: string;
  readonly text: string;
  readonly tokens: number;
  readonly isCut: boolean;
};

export type Room = { readonly tokens: number; readonly isDocumented: boolean };

/** What the definitions should take together, and each on average where there are many; only then are they shortened. */
const FAIR_TOKENS = { together: 450, each: 90 };
/** Less than this no definition takes, so more than so many need not be tried. */
const LEAST_TOKENS = 15;
const MAX_DESCRIPTION = 160;
const MAX_FULL_DESCRIPTION = 1_000;

/**
 * The best hits, best first, within the room. When they take too much, the types of the last ones are shortened first:
 * the better a hit, the likelier it is to be called.
 */
export function toDefinitions(hits: readonly Hit[], language: Language, room: Room): Definition[] {
  const tried = hits.slice(0, Math.ceil(room.tokens / LEAST_TOKENS));
  if (room.isDocumented) return toFitting(tried, room.tokens, (hit) => define(hit, language, "documented"));
  const target = Math.min(room.tokens, Math.max(FAIR_TOKENS.together, FAIR_TOKENS.each * tried.length));
  const shown = new Map(tried.map((hit) => [hit, define(hit, language, "whole")]));
  let tokens = [...shown.values()].reduce((sum, definition) => sum + definition.tokens, 0);
  for (const { hit, style } of toShortenings(tried)) {
    if (tokens <= target) break;
    const shorter = define(hit, language, style);
    const { tokens: before = 0, definition = "" } = shown.get(hit) ?? {};
    tokens += shorter.tokens - before;
    // As data, where nobody counts, it stays whole.
    shown.set(hit, { ...shorter, definition });
  }
  return toFitting([...shown.values()], room.tokens, (definition) => definition);
}

/** In the order in which signatures are to be shortened: from the last, twice, and only then the first. */
function toShortenings(hits: readonly Hit[]): { hit: Hit; style: SignatureStyle }[] {
  const first = hits.slice(0, 1);
  const others = hits.slice(1).reverse();
  const shorten = (style: SignatureStyle) => (hit: Hit) => ({ hit, style });
  return [others, first].flatMap((some) => [...some.map(shorten("short")), ...some.map(shorten("shortest"))]);
}

function define(hit: Hit, language: Language, style: SignatureStyle): Definition {
  const { tool } = hit;
  const isDocumented = style === "documented";
  const description = toSentence(tool.description || (tool.title ?? ""), MAX_DESCRIPTION);
  const { code, isCut } = sign(hit, language, style);
  const whole = isDocumented
    ? toOneLine(tool.description || (tool.title ?? ""), MAX_FULL_DESCRIPTION)
    : description;
  const comment = [whole, ...(isDocumented ? [toAnnotationNote(tool)] : [])]
    .filter((part) => part !== "")
    .join(" ");
  const mark = language === "python" ? "#" : "//";
  const text = comment === "" ? code : `${mark} ${toCommentLine(comment)}\n${code}`;
  return { hit, description, definition: code, text, tokens: estimateTokens(text), isCut };
}

function sign({ server, tool }: Hit, language: Language, style: SignatureStyle): Signature {
  return language === "python"
    ? toPythonSignature(tool, server, style)
    : toTypeScriptSignature(tool, server, style);
}

/** Those that fit: a large one costs its place, not that of others. The first is always shown, at least its beginning: an answer that shows nothing helps nobody. */
function toFitting<Item>(
  items: readonly Item[],
  tokens: number,
  toDefinition: (item: Item) => Definition,
): Definition[] {
  const fitting: Definition[] = [];
  let used = 0;
  for (const item of items) {
    const definition = toDefinition(item);
    const isFitting = used + definition.tokens <= tokens;
    if (!isFitting && fitting.length > 0) continue;
    fitting.push(isFitting ? definition : cutTo(definition, tokens));
    used += definition.tokens;
  }
  return fitting;
}

function cutTo(definition: Definition, tokens: number): Definition {
  const text = cutToTokens(definition.text, tokens);
  return { ...definition, text, tokens, isCut: true };
}
