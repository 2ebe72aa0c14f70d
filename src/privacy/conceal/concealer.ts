import { ALL_CLASSES } from "../../pii-classes.ts";
import { mapTexts } from "../../text/map-texts.ts";
import { finishInSlices } from "../../text/slices.ts";
import { detectInJson, detectInText } from "../detect/detect.ts";
import { LEAST_CONFIDENCE } from "../detect/finding.ts";
import type { JsonFinding, TextFinding } from "../detect/structure/json/json-finding.ts";
import type { PrivacySettings } from "../settings.ts";
import { placeTokens, type TokenPlace } from "../token-text/escape-tokens.ts";
import { applyFindings } from "./apply-findings.ts";
import { type FilterParts, filterInPieces, filterText, hasOwnToken, outsideTokens } from "./filter-text.ts";
import type { KnownValues } from "./known-values.ts";
import { createLargeValues } from "./large-values.ts";
import { isLargerThan, mapInSlices } from "./map-in-slices.ts";
import type { Met, MetValue, ShownValues } from "./shown-values.ts";

/** Tokens for values: what is found by detection first, then every value that is known. */
export type Concealer = {
  text(text: string, met: Met, options: ConcealOptions): string;
  /** At once, unless it is large. */
  json(value: unknown, met: MetValue, options: ConcealOptions): unknown;
  /** What is personal in it is known from now on. It stays as it is, but for what is blocked. */
  note(value: unknown, met: MetValue): unknown;
  /** The same for JSON that nobody has read. */
  largeJson(json: Uint8Array, met: MetValue, options: ConcealOptions): Promise<Uint8Array>;
  noteLarge(json: Uint8Array, met: MetValue): Promise<Uint8Array>;
  isMeant(finding: TextFinding): boolean;
};

export type ConcealOptions = {
  /** Whether what looks like a token is data, and gets its tilde; where it may be one of ours, it is left. */
  readonly escapes: boolean;
  /** A literal of a program can be a name as a whole. */
  readonly isLiteral?: boolean;
};

export type ConcealerOptions = {
  readonly settings: PrivacySettings;
  readonly known: KnownValues;
  readonly values: ShownValues;
};

/** More is looked at in another thread. */
const LARGE = 64 * 1024;

export function createConcealer({ settings, known, values }: ConcealerOptions): Concealer {
  const { region } = settings;
  const { names } = known;
  const classes = ALL_CLASSES.filter((kind) => settings.actionOf(kind) !== "keep");
  const large = createLargeValues({ settings, known, values, classes });
  const isMeant = ({ class: kind, confidence }: TextFinding) =>
    confidence >= LEAST_CONFIDENCE && settings.actionOf(kind) !== "keep";
  const isBlocked = ({ class: kind }: { class: JsonFinding["class"] }, { server }: Met) =>
    settings.actionOf(kind, server) === "block";
  const hasBlocked = (met: Met) => classes.some((kind) => isBlocked({ class: kind }, met));

  const toFilter = (met: Met): FilterParts => ({
    find: known.find,
    toShown(entry, written, isPart) {
      // Some of a name is another text than the name: its token gives back just that.
      const isWord = isPart && written !== "" && entry.value.includes(written);
      return isWord ? values.show(entry.class, written, met) : values.showKnown(entry);
    },
  });

  function showFinding({ class: kind, value, path }: JsonFinding, written: string, met: Met) {
    return values.show(kind, value ?? written, { ...met, together: toRecord(met.together, path) });
  }

  function text(text: string, met: Met, { escapes, isLiteral = false }: ConcealOptions): string {
    if (text.length > LARGE) throw new RangeError("Too long to be looked at at once");
    const places: TokenPlace[] = [];
    const found = detectInText(text, { region, names, isLiteral }).filter(isMeant);
    for (const finding of outsideTokens(text, found)) {
      const { class: kind, start, end, value = text.slice(start, end), quote } = finding;
      const token = values.show(kind, value, met);
      if (token !== undefined) places.push({ start, end, token, form: "plain", quote });
    }
    const placed = places.length > 0 || escapes ? placeTokens(text, places, { escapes }) : text;
    return filterText(placed, toFilter(met));
  }

  function json(value: unknown, met: MetValue, { escapes }: ConcealOptions): unknown {
    if (isLargerThan(value, LARGE)) return concealLarge(value, met, escapes);
    const found = detectInJson(value, { region, names, schema: met.schema }).filter(isMeant);
    const replace = (finding: JsonFinding, written: string) =>
      !escapes && hasOwnToken(written) ? undefined : showFinding(finding, written, met);
    const placed = applyFindings(value, found, replace, { escape: escapes });
    const filter = toFilter(met);
    return mapTexts(placed, (one) => filterText(one, filter));
  }

  async function concealLarge(value: unknown, met: MetValue, escapes: boolean): Promise<unknown> {
    const rewritten = await large.rewrite(toJson(value), met, escapes);
    const parsed: unknown = JSON.parse(new TextDecoder().decode(rewritten));
    const filter = toFilter(met);
    return finishInSlices(mapInSlices(parsed, (one) => filterInPieces(one, filter)));
  }

  async function noteLarge(bytes: Uint8Array, met: MetValue): Promise<Uint8Array> {
    if (hasBlocked(met)) return large.block(bytes, met);
    await large.note(bytes, met);
    return bytes;
  }

  async function noteLargeValue(value: unknown, met: MetValue): Promise<unknown> {
    const bytes = toJson(value);
    const noted = await noteLarge(bytes, met);
    return noted === bytes ? value : JSON.parse(new TextDecoder().decode(noted));
  }

  return {
    text,
    json,
    note(value, met) {
      if (isLargerThan(value, LARGE)) return noteLargeValue(value, met);
      const found = detectInJson(value, { region, names, schema: met.schema }).filter(isMeant);
      if (found.length === 0) return value;
      const replace = (finding: JsonFinding, written: string) => {
        const shown = showFinding(finding, written, met);
        return isBlocked(finding, met) ? shown : undefined;
      };
      return applyFindings(value, found, replace, { escape: false });
    },
    largeJson: (bytes, met, { escapes }) => large.rewrite(bytes, met, escapes),
    noteLarge,
    isMeant,
  };
}

function toJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value) ?? "null");
}

/** The values of one record: what lies under the same place of the innermost list. */
function toRecord(call: string | undefined, path: string): string | undefined {
  if (call === undefined) return undefined;
  const steps = path.split("/");
  const last = steps.findLastIndex((step) => /^\d+$/.test(step));
  return `${call} ${steps.slice(0, last + 1).join("/")}`;
}
