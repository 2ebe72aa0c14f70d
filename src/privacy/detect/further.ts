import { KeyholeError } from "../../errors.ts";
import type { PiiClass } from "../../pii-classes.ts";
import { eachText } from "../../text/each-text.ts";
import type { PiiFinding } from "./finding.ts";
import { findByCompromise } from "./prose/compromise.ts";
import { findByPresidio } from "./prose/presidio.ts";

/** What somebody else finds in the sentences of a value. */
export type FindFurther = (value: unknown) => Promise<readonly FurtherValue[]>;

export type FurtherValue = { readonly class: PiiClass; readonly value: string };

export type FurtherOptions = {
  readonly presidio: { readonly url: string; readonly timeoutMs: number } | undefined;
  readonly names: "lists" | "compromise";
};

const LEAST_LENGTH = 12;
const PIECE = 100_000;
const MAX_TEXT = 2_000_000;
const BETWEEN = "\n\n";

/** By a service or a library that the user has chosen, beside our own rules. Nothing where there is none. */
export function createFindFurther({ presidio, names }: FurtherOptions): FindFurther | undefined {
  const finders: ((text: string) => Promise<PiiFinding[]>)[] = [];
  if (presidio !== undefined)
    finders.push((text) => findByPresidio(presidio.url, text, { timeoutMs: presidio.timeoutMs }));
  if (names === "compromise") finders.push(findByCompromise);
  if (finders.length === 0) return undefined;
  return async (value) => {
    const found: FurtherValue[] = [];
    // Across two texts that were only put together for this, nothing stands.
    for (const text of toPieces(value))
      for (const find of finders)
        for (const { class: kind, start, end } of await find(text))
          if (!text.slice(start, end).includes(BETWEEN))
            found.push({ class: kind, value: text.slice(start, end) });
    return found;
  };
}

/** The texts that may be sentences, put together. */
function toPieces(value: unknown): string[] {
  const pieces: string[] = [];
  let piece = "";
  let length = 0;
  eachText(value, (text) => {
    if (text.length < LEAST_LENGTH || !text.includes(" ")) return;
    length += text.length;
    if (length > MAX_TEXT)
      throw new KeyholeError("too_large", `More than ${MAX_TEXT} characters to look for names in`, {
        hint: "Ask for less at once, or leave privacy.presidio and privacy.names out of the config",
      });
    for (let from = 0; from < text.length; from += PIECE) {
      const part = text.slice(from, from + PIECE);
      if (piece.length + part.length > PIECE) {
        pieces.push(piece);
        piece = "";
      }
      piece += piece === "" ? part : `${BETWEEN}${part}`;
    }
  });
  return piece === "" ? pieces : [...pieces, piece];
}
