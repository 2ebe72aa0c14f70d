import { PII_CLASSES, type PiiClass, SECRET_CLASSES } from "../../pii-classes.ts";
import { detectInText } from "../detect/detect.ts";
import { LEAST_CONFIDENCE } from "../detect/finding.ts";
import { noNames } from "../detect/structure/names/known-names.ts";
import { concealInProgram } from "../program/conceal-in-program.ts";
import type { ProgramLanguage } from "../program/literal-piece.ts";
import { filterText, outsideTokens } from "./filter-text.ts";
import type { KnownValues } from "./known-values.ts";
import { withKnown } from "./with-known.ts";

/** A text as it can be kept for good. */
export type MaskedText = {
  readonly text: string;
  /** What was found in it; for who has to look for it elsewhere, and never to be kept. */
  readonly found: readonly { readonly class: PiiClass; readonly value: string }[];
};

/** Of a text; what is beyond it is left out. */
const MAX_MASKED = 64 * 1024;
const MASKED: ReadonlySet<string> = new Set([...PII_CLASSES, ...SECRET_CLASSES]);

/** Most literals of programs are a word: what is personal in one is found with the text around it as well. */
const COULD_BE_PERSONAL = /[@\d\u0080-\uffff]|\p{L}[\s.,'-]+\p{L}/u;

const WRITTEN = /[A-Za-z0-9+/_-]{12,}={0,2}/g;
const HEX = /^(?:[0-9a-f]{2})+$/i;
const UNREADABLE = /[\p{Cc}\ufffd]/u;

export type Masker = (text: string, language?: ProgramLanguage) => MaskedText;

/**
 * Takes every personal value out of a text, also where the config lets models see them: what is known leaves its token, else its
 * class is left. Nothing becomes known by it.
 */
export function createMasker(known: KnownValues, region: string | undefined): Masker {
  function maskPiece(text: string, isLiteral: boolean, found: MaskedText["found"][number][]): string {
    const findings = detectInText(text, { region, names: noNames(), isLiteral }).filter(
      ({ class: kind, confidence }) => confidence >= LEAST_CONFIDENCE && MASKED.has(kind),
    );
    let masked = "";
    let after = 0;
    for (const { class: kind, start, end } of withKnown(
      outsideTokens(text, findings),
      known.find(text).matches,
    )) {
      const value = text.slice(start, end);
      found.push({ class: kind, value });
      const [same] = known.find(value).matches.filter((match) => match.end - match.start === value.length);
      masked += `${text.slice(after, start)}${same?.entry.token ?? `[${kind}]`}`;
      after = end;
    }
    return masked + text.slice(after);
  }

  /** A value that is new is in no index of forms: what is written in base64 or hex is read, and looked at. */
  function maskWritten(text: string, found: MaskedText["found"][number][]): string {
    return text.replace(WRITTEN, (written) => {
      const isHex = HEX.test(written);
      const plain = Buffer.from(written, isHex ? "hex" : "base64").toString("utf8");
      if (UNREADABLE.test(plain)) return written;
      const before = found.length;
      maskPiece(plain, false, found);
      const [first] = found.slice(before);
      return first === undefined ? written : `[${first.class}]`;
    });
  }

  return (whole, language) => {
    const found: MaskedText["found"][number][] = [];
    const isCut = whole.length > MAX_MASKED;
    const start = isCut ? whole.slice(0, MAX_MASKED) : whole;
    const literals =
      language === undefined || isCut
        ? start
        : concealInProgram(start, language, (text) =>
            COULD_BE_PERSONAL.test(text) ? maskPiece(text, true, found) : text,
          );
    const pieces = maskWritten(maskPiece(literals, false, found), found);
    const text = filterText(pieces, { find: known.find, toShown: ({ token }) => token });
    return { text: isCut ? `${text.slice(0, -MAX_CUT)}…` : text, found };
  };
}

/** What a value that was cut off can have left. */
const MAX_CUT = 256;
