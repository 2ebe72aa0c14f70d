import { ALL_CLASSES } from "../../pii-classes.ts";
import { finishInSlices } from "../../text/slices.ts";
import { detectInJson, detectInText } from "../detect/detect.ts";
import { detectEncoded } from "../detect/encoded.ts";
import { LEAST_CONFIDENCE } from "../detect/finding.ts";
import type { JsonFinding, TextFinding } from "../detect/structure/json/json-finding.ts";
import { normalise } from "../normal.ts";
import type { PrivacySettings } from "../settings.ts";
import { placeTokens, type TokenPlace } from "../token-text/escape-tokens.ts";
import { hasToken } from "../token-text/has-token.ts";
import type { VaultEntry } from "../vault/workspace-vault.ts";
import { applyFindings, applyPlaces } from "./apply-findings.ts";
import { type FilterParts, filterInPieces, filterText, isClear, outsideTokens } from "./filter-text.ts";
import type { KnownValues } from "./known-values.ts";
import { createLargeValues } from "./large-values.ts";
import { isLargerThan, mapInSlices, mapLeaves } from "./map-in-slices.ts";
import { placeFindings } from "./place-findings.ts";
import type { Met, MetValue, ShownValues } from "./shown-values.ts";
import { withKnown } from "./with-known.ts";

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
  /** What would be concealed in a text is known from now on. */
  noteText(text: string, met: Met, options: ConcealOptions): void;
  /** Whether anything of such a value would not even enter. */
  blocks(met: Met): boolean;
  isMeant(finding: TextFinding): boolean;
};

export type ConcealOptions = {
  /** Whether what looks like a token is data, and gets its tilde; where it may be one of ours, it is left. */
  readonly escapes: boolean;
  /** A literal of a program can be a name as a whole. */
  readonly isLiteral?: boolean;
  /** It enters a world of tokens: nothing in it may become one there. */
  readonly entersTokens?: boolean;
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
    toShown: (entry, written) =>
      isOtherText(entry, written, region) ? values.show(entry.class, written, met) : values.showKnown(entry),
  });

  function findKnown(text: string, isKey: boolean) {
    const { matches } = known.find(text);
    return isKey ? matches.filter((match) => isClear(text, match)) : matches;
  }

  function showFinding({ class: kind, value, path, in: where }: JsonFinding, written: string, met: Met) {
    const together = toRecord(met.together, path);
    return values.show(kind, value ?? written, { ...met, together, isNumber: where === "number" });
  }

  function noteEncoded(value: unknown, met: Met): void {
    for (const { class: kind, value: found } of detectEncoded(value, { region, names }))
      values.note(kind, found, met);
  }

  function findIn(text: string, isLiteral: boolean): readonly TextFinding[] {
    const found = detectInText(text, { region, names, isLiteral }).filter(isMeant);
    return outsideTokens(
      text,
      isLiteral ? found.filter(({ class: kind }) => settings.actionOf(kind) === "tokenise") : found,
    );
  }

  function text(text: string, met: Met, { escapes, isLiteral = false }: ConcealOptions): string {
    if (text.length > LARGE) throw new RangeError("Too long to be looked at at once");
    const places: TokenPlace[] = [];
    noteEncoded(text, met);
    for (const finding of withKnown(findIn(text, isLiteral), known.find(text).matches)) {
      const { class: kind, start, end, value = text.slice(start, end), quote } = finding;
      const token = values.show(kind, value, met);
      if (token !== undefined) places.push({ start, end, token, form: "plain", quote });
    }
    const placed = places.length > 0 || escapes ? placeTokens(text, places, { escapes }) : text;
    const { find, toShown } = toFilter(met);
    // What a tool would get in the place of what the model wrote must stand for it.
    const toLiteral: FilterParts["toShown"] = (entry, written) =>
      settings.actionOf(entry.class) === "tokenise" ? toShown(entry, written) : undefined;
    return filterText(placed, { find, toShown: isLiteral ? toLiteral : toShown });
  }

  function json(value: unknown, met: MetValue, options: ConcealOptions): unknown {
    const { escapes, entersTokens = false } = options;
    if (isLargerThan(value, LARGE)) return concealLarge(value, met, options);
    noteEncoded(value, met);
    const found = detectInJson(value, { region, names, schema: met.schema }).filter(isMeant);
    const places = placeFindings(value, found).map((place) => ({
      ...place,
      findings: withKnown(place.findings, findKnown(place.text, place.in === "key")),
    }));
    const replace = (finding: JsonFinding, written: string) =>
      !escapes && hasToken(written) ? undefined : showFinding(finding, written, met);
    const placed = applyPlaces(value, places, replace, { escape: escapes, bareWords: entersTokens });
    const filter = toFilter(met);
    return mapLeaves(placed, (one, isKey) => filterText(one, filter, isKey));
  }

  async function concealLarge(value: unknown, met: MetValue, options: ConcealOptions): Promise<unknown> {
    return filterLarge(await large.rewrite(toJson(value), met, options), met);
  }

  async function filterLarge(json: Uint8Array, met: Met): Promise<unknown> {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(json));
    const filter = toFilter(met);
    return finishInSlices(mapInSlices(parsed, (one, isKey) => filterInPieces(one, filter, isKey)));
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
      noteEncoded(value, met);
      const found = detectInJson(value, { region, names, schema: met.schema }).filter(isMeant);
      if (found.length === 0) return value;
      const replace = (finding: JsonFinding, written: string) => {
        const shown = showFinding(finding, written, met);
        return isBlocked(finding, met) ? shown : undefined;
      };
      return applyFindings(value, found, replace, { escape: false });
    },
    async largeJson(bytes, met, options) {
      const shown = await filterLarge(await large.rewrite(bytes, met, options), met);
      return Buffer.from(JSON.stringify(shown) ?? "null");
    },
    noteLarge,
    noteText(text, met, { isLiteral = false }) {
      for (const { class: kind, start, end, value } of findIn(text, isLiteral))
        values.note(kind, value ?? text.slice(start, end), met);
    },
    blocks: hasBlocked,
    isMeant,
  };
}

/**
 * Some of a name, or the name with other signs in it, is another text than the name: its token gives back just that. What is written
 * backwards or in an encoding is none of these.
 */
function isOtherText(
  { class: kind, value }: VaultEntry,
  written: string,
  region: string | undefined,
): boolean {
  if (
    written === "" ||
    written === value ||
    normalise(kind, written, region) === normalise(kind, value, region)
  )
    return false;
  return value.includes(written) || toLetters(written) === toLetters(value);
}

function toLetters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
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
