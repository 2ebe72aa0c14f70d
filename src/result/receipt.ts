import type { NetworkUse } from "../network/connection.ts";
import type { TokenCounter } from "../tokens/tokens.ts";
import { toJsonText } from "./json-text.ts";
import { createTokenMeter } from "./token-meter.ts";

/** What a run cost and what it spared, in tokens (o200k). docs/receipt.md says how each is counted. */
export type Receipt = {
  /** What the model saw: its own code and our text. */
  readonly seenTokens: number;
  /** The code's part of `seenTokens`, which the model wrote. */
  readonly codeTokens?: number;
  /** Arguments and results of calls that can't have been in what it saw. */
  readonly keptTokens: number;
  /** The direct way: all definitions once, and each call with its result. */
  readonly directTokens: number;
  /** The definitions' part of `directTokens`. */
  readonly catalogTokens: number;
  /** Half the width of the 95% interval of the numbers above; 0 when all was counted. */
  readonly marginTokens: number;
  readonly calls: number;
  /** Images and audio in results: the direct way pays for them too, but their price can't be counted here. */
  readonly mediaBlocks: number;
  readonly phasesMs: { readonly [phase: string]: number };
  /** What the program reached with fetch, or was refused; absent where it used none. */
  readonly network?: NetworkUse;
  /** In which sandbox it ran; absent where it came to none. */
  readonly tier?: RunTier;
};

export type RunTier = {
  readonly name: string;
  readonly by: TierReason;
  /** What its risk suggests, where that is stronger and not to be had here. */
  readonly suggested?: string;
  /** Of a run that went on there: by what it was chosen when it began. */
  readonly first?: TierReason;
  /** What ran the program, where a language has several: `CPython 3.11`, `Pyodide`. */
  readonly runtime?: string;
};

/** Who chose it: `securityLevel`, `sandboxMode`, the caller's option, the program's risk, or the run that it goes on with. */
export type TierReason = (typeof TIER_REASONS)[number];

const TIER_REASONS = ["level", "mode", "option", "risk", "resume"] as const;

export function isTierReason(word: unknown): word is TierReason {
  return TIER_REASONS.some((reason) => reason === word);
}

/** Of what cost nothing and spared nothing. */
export const EMPTY_RECEIPT: Receipt = {
  seenTokens: 0,
  codeTokens: 0,
  keptTokens: 0,
  directTokens: 0,
  catalogTokens: 0,
  marginTokens: 0,
  calls: 0,
  mediaBlocks: 0,
  phasesMs: {},
};

export type ReceiptCall = {
  readonly server: string;
  readonly tool: string;
  /** The arguments as JSON text. */
  readonly argumentsText: string;
  readonly result: DirectResult;
};

export type DirectResult = { readonly text: string; readonly mediaBlocks: number };

export type ReceiptEnd = {
  readonly code: string;
  readonly text: string;
  readonly phasesMs: { readonly [phase: string]: number };
};

export type ReceiptBook = {
  /** To be called as each call ends: the texts need not be kept. What the direct way would have cost is returned. */
  addCall(call: ReceiptCall): number;
  finish(end: ReceiptEnd): Receipt;
  /** One in which nothing stands yet. */
  blank(): ReceiptBook;
};

/** @param toCatalogTokens asked when a receipt is written: a run may be answered before the catalogue was counted */
export function createReceiptBook(counter: TokenCounter, toCatalogTokens: () => number): ReceiptBook {
  const meter = createTokenMeter(counter);
  let flowed = 0;
  let names = 0;
  // Margins of independent samples add by their squares.
  let variance = 0;
  let calls = 0;
  let mediaBlocks = 0;
  const known = new Map<string, number>();
  const nameTokens = (name: string) => {
    const tokens = known.get(name) ?? counter.count(name);
    known.set(name, tokens);
    return tokens;
  };
  return {
    addCall(call) {
      calls++;
      mediaBlocks += call.result.mediaBlocks;
      let own = nameTokens(toCallName(call));
      names += own;
      for (const text of [call.argumentsText, call.result.text]) {
        const { tokens, marginTokens } = meter.add(text);
        flowed += tokens;
        own += tokens;
        variance += marginTokens ** 2;
      }
      return own;
    },
    blank: () => createReceiptBook(counter, toCatalogTokens),
    finish({ code, text, phasesMs }) {
      // Emitted blocks are part of it, and can be very long.
      const { tokens: textTokens, marginTokens: textMargin } = counter.measure(text);
      const { tokens: codeTokens, marginTokens: codeMargin } = counter.measure(JSON.stringify({ code }));
      const catalogTokens = toCatalogTokens();
      return {
        // As the model writes it: an argument in JSON.
        seenTokens: codeTokens + textTokens,
        codeTokens,
        keptTokens: Math.max(0, flowed - textTokens),
        directTokens: catalogTokens + names + flowed,
        catalogTokens,
        marginTokens: Math.ceil(Math.sqrt(variance + textMargin ** 2 + codeMargin ** 2)),
        calls,
        mediaBlocks,
        phasesMs,
      };
    },
  };
}

/** What a client hands its model of a result: the text blocks, or the structured content where there is no text. */
export function toDirectResult(content: readonly unknown[], value: unknown): DirectResult {
  const texts: string[] = [];
  let mediaBlocks = 0;
  for (const block of content) {
    const text = toBlockText(block);
    if (text === undefined) mediaBlocks++;
    else texts.push(text);
  }
  return { text: content.length === 0 ? toJsonText(value) : texts.join("\n"), mediaBlocks };
}

function toBlockText(block: unknown): string | undefined {
  if (typeof block !== "object" || block === null) return "";
  if ("text" in block && typeof block.text === "string") return block.text;
  if ("data" in block || ("resource" in block && hasBlob(block.resource))) return undefined;
  if ("resource" in block) return toBlockText(block.resource);
  return toJsonText(block);
}

function hasBlob(resource: unknown): boolean {
  return typeof resource === "object" && resource !== null && "blob" in resource;
}

function toCallName(call: ReceiptCall): string {
  return `${call.server}__${call.tool}`;
}
