import { toAnnotationNote } from "../../codegen/print/annotation-note.ts";
import type { Signature, SignatureStyle } from "../../codegen/print/signature.ts";
import type { Printer } from "../../codegen/printer.ts";
import { toOneLine } from "../../text/doc-text.ts";
import type { Work } from "../../text/slices.ts";
import { cutToTokens, estimateTokens } from "../../tokens/estimate-tokens.ts";
import type { Hit } from "../query/rank.ts";
import { toSentence } from "./first-sentence.ts";
import { allotNotes, type ChosenNotes, NO_NOTES } from "./notes/allot-notes.ts";
import { describe } from "./notes/described-tool.ts";
import { toNotes } from "./notes/tool-notes.ts";

/** What a program can be written from: what the function does, how it is called, and what else has to be known. */
export type Definition = {
  readonly hit: Hit;
  readonly description: string;
  readonly definition: string;
  readonly text: string;
  readonly tokens: number;
  readonly isCut: boolean;
};

export type Room = { readonly tokens: number; readonly isDocumented: boolean };

/** What the signatures should take together, and each on average where there are many; only then are they shortened. */
const FAIR_TOKENS = { together: 450, each: 90 };
/** Less than this no definition takes, so more than so many need not be tried. */
const LEAST_TOKENS = 15;
/** Each one that has no room was made for nothing; after so many the room counts as used up. */
const MOST_MISFITS = 10;
const MAX_DESCRIPTION = 160;
const MAX_FULL_DESCRIPTION = 1_000;

/**
 * The best hits, best first, within the room. When they take too much, the types of the last ones are shortened first:
 * the better a hit, the likelier it is to be called. What room is left is for notes, again the best ones' first.
 */
export function* toDefinitions(hits: readonly Hit[], printer: Printer, room: Room): Work<Definition[]> {
  const tried = hits.slice(0, Math.ceil(room.tokens / LEAST_TOKENS));
  if (room.isDocumented)
    return yield* toFitting(tried, room.tokens, (hit) => define(hit, printer, "documented"));
  const shortened = yield* shorten(tried, printer, room.tokens);
  const fitting = yield* toFitting(shortened, room.tokens, (definition) => definition);
  const left = room.tokens - fitting.reduce((sum, { tokens }) => sum + tokens, 0);
  const noted = fitting.map(({ hit, description }) => ({ hit, notes: toNotes(hit.tool, description) }));
  const chosen = allotNotes(noted, left);
  return fitting.map((definition) => addNotes(definition, chosen.get(definition.hit) ?? NO_NOTES, printer));
}

function* shorten(hits: readonly Hit[], printer: Printer, room: number): Work<Definition[]> {
  const target = Math.min(room, Math.max(FAIR_TOKENS.together, FAIR_TOKENS.each * hits.length));
  const shown = new Map<Hit, Definition>();
  for (const hit of hits) {
    shown.set(hit, define(hit, printer, "whole"));
    yield;
  }
  let tokens = [...shown.values()].reduce((sum, definition) => sum + definition.tokens, 0);
  for (const { hit, style } of toShortenings(hits)) {
    if (tokens <= target) break;
    const shorter = define(hit, printer, style);
    const { tokens: before = 0, definition = "" } = shown.get(hit) ?? {};
    tokens += shorter.tokens - before;
    // As data, where nobody counts, it stays whole.
    shown.set(hit, { ...shorter, definition });
    yield;
  }
  return [...shown.values()];
}

/** In the order in which signatures are to be shortened: from the last, twice, and only then the first. */
function toShortenings(hits: readonly Hit[]): { hit: Hit; style: SignatureStyle }[] {
  const first = hits.slice(0, 1);
  const others = hits.slice(1).reverse();
  const shortenTo = (style: SignatureStyle) => (hit: Hit) => ({ hit, style });
  return [others, first].flatMap((some) => [
    ...some.map(shortenTo("short")),
    ...some.map(shortenTo("shortest")),
  ]);
}

function define(hit: Hit, printer: Printer, style: SignatureStyle): Definition {
  const { tool } = hit;
  const isDocumented = style === "documented";
  const said = tool.description || (tool.title ?? "");
  const description = toSentence(said, MAX_DESCRIPTION);
  const { code, isCut } = sign(hit, printer, style);
  const comment = isDocumented
    ? [toOneLine(toWhole(tool, said), MAX_FULL_DESCRIPTION), toAnnotationNote(tool)]
        .filter((part) => part !== "")
        .join(" ")
    : description;
  const text = comment === "" ? code : `${printer.comment(comment)}\n${code}`;
  return { hit, description, definition: code, text, tokens: estimateTokens(text), isCut };
}

/** What a docstring says of parameters stands beside them. */
function toWhole(tool: Hit["tool"], said: string): string {
  const { parameters, prose, returns } = describe(tool).docstring;
  if (parameters.size === 0) return said;
  return returns === "" ? prose : `${prose}\nReturns: ${returns}`;
}

/** What is said of the function goes to its description, what is said of its parameters stands below, indented. */
function addNotes(definition: Definition, { facts, parameters }: ChosenNotes, printer: Printer): Definition {
  const { text, description } = definition;
  const code = description === "" ? text : text.slice(text.indexOf("\n") + 1);
  const said = toText([description, ...facts]);
  const lines = [
    ...(said === "" ? [] : [printer.comment(said)]),
    code,
    ...(parameters.length === 0 ? [] : [`  ${printer.comment(parameters.join("; "))}`]),
  ];
  const whole = lines.join("\n");
  return { ...definition, text: whole, tokens: estimateTokens(whole) };
}

function toText(sentences: readonly string[]): string {
  const said = sentences.filter((sentence) => sentence !== "");
  return said
    .map((sentence, at) =>
      at === said.length - 1 || /[.!?…:。！？]$/.test(sentence) ? sentence : `${sentence}.`,
    )
    .join(" ");
}

function sign({ server, tool }: Hit, printer: Printer, style: SignatureStyle): Signature {
  const { inputSchema, outputSchema, isCut } = describe(tool);
  const shown = { ...tool, inputSchema, outputSchema };
  const signature = printer.signature(shown, server, style);
  return { ...signature, isCut: signature.isCut || isCut };
}

/** Those that fit: one that is too large is left out, and those after it may fit. Of the first at least the beginning is shown. */
function* toFitting<Item>(
  items: readonly Item[],
  tokens: number,
  toDefinition: (item: Item) => Definition,
): Work<Definition[]> {
  const fitting: Definition[] = [];
  let used = 0;
  let misfits = 0;
  for (const item of items) {
    if (tokens - used < LEAST_TOKENS || misfits >= MOST_MISFITS) break;
    const definition = toDefinition(item);
    yield;
    const isFitting = used + definition.tokens <= tokens;
    if (!isFitting) misfits++;
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
