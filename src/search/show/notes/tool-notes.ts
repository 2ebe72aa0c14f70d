import type { ToolRecord } from "../../../catalog/tool.ts";
import { toResponseType } from "../../../codegen/print/response-type.ts";
import { toParameters } from "../../../schema/object-keys.ts";
import { parseInputSchema } from "../../../schema/parse-schema.ts";
import type { Property, TypeNode } from "../../../schema/type-tree.ts";
import { toOneLine } from "../../../text/doc-text.ts";
import { toTerms } from "../../lexicon/terms.ts";
import { describe } from "./described-tool.ts";
import { isFact, isInformative, saysExtent, saysResult } from "./informative.ts";
import { toListedValues } from "./listed-values.ts";
import { toSentences } from "./sentences.ts";

/** What a program's writer has to know of a tool beside its signature, most needed first. All of it is one line each. */
export type ToolNotes = {
  /** Of the description, after its first sentence: what comes back, how much, in which order, what has to hold. */
  readonly facts: readonly string[];
  readonly parameters: readonly ParameterNote[];
};

export type ParameterNote = { readonly name: string; readonly text: string; readonly required: boolean };

/** Room for a sentence that names a dozen fields and then says what comes back when there is nothing. */
const MAX_FACT = 320;
const MAX_FACTS = 8;
const MAX_NOTE = 180;
const MAX_NOTES = 40;
/** Of objects in objects, and in arrays. */
const MAX_DEPTH = 3;
const MAX_VISITED = 400;
const MAX_NAME = 60;
/** What anybody would take for the default. */
const GUESSED_DEFAULT = /\bdefault: (?:false|0|""|\[\]|\{\})(?:; |(?=\)|$))/g;

type Kept = { readonly notes: ToolNotes; readonly isUnknown: boolean };
const kept = new WeakMap<ToolRecord, Kept>();

/** `summary` is what the answer says of the tool in any case; it is always the same. */
export function toNotes(tool: ToolRecord, summary: string): ToolNotes {
  // A result's type may be learned meanwhile, which makes words needless.
  const isUnknown = toResponseType(tool).type.kind === "unknown";
  const before = kept.get(tool);
  if (before?.isUnknown === isUnknown) return before.notes;
  const parameters = before?.notes.parameters ?? toParameterNotes(tool);
  const notes = { facts: toFacts(tool, summary, isUnknown), parameters };
  kept.set(tool, { notes, isUnknown });
  return notes;
}

function toFacts(tool: ToolRecord, summary: string, isUnknown: boolean): string[] {
  const { docstring } = describe(tool);
  const sentences = toSentences(docstring.prose).filter((sentence) => !isSaid(sentence, summary));
  const returned = toSentences(docstring.returns).slice(0, MAX_FACTS);
  const results = sentences.filter((sentence) => saysResult(sentence) && (isUnknown || saysExtent(sentence)));
  const words = returned.filter((sentence) => isUnknown || saysExtent(sentence));
  const [first, ...more] = words;
  const inReturns = first === undefined ? [] : [toReturns(first), ...more];
  const others = sentences.filter((sentence) => !results.includes(sentence) && isFact(sentence));
  return [...results, ...inReturns, ...others].map((fact) => toOneLine(fact, MAX_FACT)).slice(0, MAX_FACTS);
}

function isSaid(sentence: string, summary: string): boolean {
  const line = toOneLine(sentence, MAX_FACT);
  return summary.includes(line) || (summary !== "" && line.startsWith(summary.replace(/….*$/, "")));
}

function toReturns(text: string): string {
  return /^returns?\b|返回/i.test(text) ? text : `Returns: ${text}`;
}

function toParameterNotes(tool: ToolRecord): ParameterNote[] {
  const notes: ParameterNote[] = [];
  let visited = 0;
  const visit = (properties: readonly Property[], path: string, depth: number): void => {
    for (const property of toRequiredFirst(properties)) {
      if (++visited > MAX_VISITED || notes.length === MAX_NOTES || property.name.length > MAX_NAME) continue;
      const name = `${path}${property.name}`;
      const text = toNote(property);
      if (text !== "") notes.push({ name: toOneLine(name, MAX_NAME * 2), text, required: property.required });
      if (depth < MAX_DEPTH) visit(toInner(property.type), `${name}.`, depth + 1);
    }
  };
  visit(toParameters(parseInputSchema(describe(tool).inputSchema).type), "", 1);
  return notes;
}

function toRequiredFirst(properties: readonly Property[]): Property[] {
  return [
    ...properties.filter(({ required }) => required),
    ...properties.filter(({ required }) => !required),
  ];
}

/** The properties of the objects that a type holds. */
function toInner(type: TypeNode): readonly Property[] {
  if (type.kind === "array") return toInner(type.items);
  if (type.kind === "union")
    return type.members.find(isObject) === undefined
      ? []
      : toParameters({ ...type, members: type.members.filter(isObject) });
  return isObject(type) ? toParameters(type) : [];
}

function isObject(type: TypeNode): boolean {
  return type.kind === "object" || type.kind === "reference";
}

/** The sentences that carry information, each without the part that only repeats the name or the type. */
function toNote({ name, doc, type }: Property): string {
  const hasValues = isChoice(type);
  const parts = toSentences(doc.replace(GUESSED_DEFAULT, "")).flatMap((sentence) => {
    const rest = tidy(hasValues ? withoutValues(sentence, name) : sentence);
    return isInformative(rest) ? [toEssence(rest, name)] : [];
  });
  return toOneLine(parts.join(" "), MAX_NOTE).replace(/\.$/, "");
}

/** What is said beside the values themselves; where each is explained, all of it. */
function withoutValues(sentence: string, name: string): string {
  const listed = toListedValues(sentence, { name });
  return listed === undefined || listed.isExplained ? sentence : sentence.replace(listed.written, " ");
}

/** Without what is left where something was taken out. */
function tidy(sentence: string): string {
  return sentence
    .replace(/(?<=^|\s)[([]\s*[)\]]/g, " ")
    .replace(/\s+/g, " ")
    .replace(/ (?=[.,;:])/g, "")
    .replace(/[:,]+ ?(?=\.|$)/g, "")
    .trim();
}

/** Whether the signature shows the values, so that words need not. */
function isChoice(type: TypeNode): boolean {
  if (type.kind === "array") return isChoice(type.items);
  if (type.kind === "union") return type.members.some(isChoice);
  return type.kind === "literal" || (type.kind === "primitive" && type.known !== undefined);
}

/** `Start of the period (YYYY-MM-DD)` is `YYYY-MM-DD`, where the words before say nothing that the name does not. */
function toEssence(sentence: string, name: string): string {
  const bracket = /^([^()]*)\(([^()]{2,})\)[.\s]*$/.exec(sentence);
  const [, lead = "", inner = ""] = bracket ?? [];
  if (bracket !== null && !isInformative(lead) && isInformative(inner)) return inner;
  const said = sentence.replace(/^\(?optional\)?[:,.]?\s+/i, "").trim();
  const [repeated = ""] = /^.{0,60}?(?=\bin\s)/.exec(said) ?? [];
  return repeatsName(repeated, name) ? said.slice(repeated.length) : said;
}

/** `The start date` of `start_date`. */
function repeatsName(text: string, name: string): boolean {
  const own = new Set(toTerms(name).map(({ stem }) => stem));
  const words = toTerms(text).filter(({ isStop }) => !isStop);
  return words.length > 0 && words.every(({ stem }) => own.has(stem));
}
