import { finish, finishInSlices } from "../../text/slices.ts";
import { readEncodedRuns } from "./encoded-runs.ts";
import { createFormLevel, type FormLevel, type LevelPattern, scanPiece } from "./form-level.ts";
import { type FoundSpan, resolveSpans } from "./found-spans.ts";
import { type FormEntry, isOrdinaryValue, RULES, toPatterns } from "./patterns.ts";
import { createSymbolStream, endOf, fillStream, OVERLAP, PIECE, type SymbolStream } from "./symbol-stream.ts";
import { ASCII, SEPARATOR } from "./symbols.ts";
import { toWrittenSpan, type WrittenForm } from "./written-forms.ts";

/** A value where it stands in a text, in one of the ways in which it can be written. */
export type FormMatch<Entry> = {
  readonly start: number;
  readonly end: number;
  readonly entry: Entry;
  /** Some of it alone: a word of a name. */
  readonly isPart: boolean;
  readonly form: WrittenForm;
  /** The whole run of base64 or hexadecimal digits that it stands in, and what is in there. */
  readonly inside?: EncodedMatch<Entry>;
};

export type EncodedMatch<Entry> = {
  readonly encoding: "base64" | "hex";
  readonly start: number;
  readonly end: number;
  readonly decoded: string;
  readonly matches: readonly FormMatch<Entry>[];
};

export type FormsFound<Entry> = {
  /** In the order of the text; none overlaps another. */
  readonly matches: readonly FormMatch<Entry>[];
  /** How far the text was searched: there were too many in it, and nobody may see what comes after. */
  readonly end: number;
};

export type FormIndex<Entry> = {
  add(entries: Iterable<Entry>): void;
  remove(entry: Entry): void;
  find(text: string): FormsFound<Entry>;
  /** Builds what was added between other work; the next search would build it at once. */
  settle(): Promise<void>;
  stats(): FormStats;
};

export type FormStats = {
  readonly entries: number;
  readonly patterns: number;
  readonly states: number;
  /** Of the automata, about. */
  readonly bytes: number;
  /** Values that are too short to be looked for, or words that mean anything. */
  readonly unmatched: number;
};

/** Those that were added last are built anew with each addition, so they are few. */
const SMALL = 128;
const MEDIUM = 4_096;
/** Removed ones are dropped when they are this part of all. */
const REMOVED_PART = 1 / 16;
const MAX_MATCHES = 100_000;
const MAX_DEPTH = 2;
/** Values of signs alone are looked for as they are; each costs a pass. */
const MAX_SIGNS = 32;
const SHORTEST_SIGNS = 6;
/** Some of which is looked for in pieces. */
const LONG = 64;
/** Words decode to short names by chance. */
const SURE = 6;
/** An escape that is read as it stands, and what can follow. */
const RAW_UNITS = 192;

/** Finds every value that it knows, in all its written forms, in one pass over a text. */
export function createFormIndex<Entry extends FormEntry>(): FormIndex<Entry> {
  const alive = new Map<Entry, number>();
  const entries: (Entry | undefined)[] = [];
  const signs = new Set<Entry>();
  const streams = Array.from({ length: MAX_DEPTH + 1 }, () => ({
    plain: createSymbolStream(),
    raw: createSymbolStream(),
  }));
  /** What is not in an automaton yet. */
  let fresh: LevelPattern[] = [];
  let levels: FormLevel[] = [];
  let removed = 0;
  const unmatched = new Set<Entry>();
  let merging: Promise<void> | undefined;

  function toLevelPatterns(entry: Entry, number: number): LevelPattern[] {
    return toPatterns(entry).map((pattern) => ({ ...pattern, entry: number }));
  }

  /** Puts what is new where it is found. Small ones are merged at once, the large one between other work. */
  function absorb(): void {
    if (fresh.length === 0) return;
    const small = levels.filter((level) => level.patterns.length + fresh.length <= SMALL * 4);
    const medium = levels.filter(
      (level) => !small.includes(level) && level.patterns.length + fresh.length <= MEDIUM * 4,
    );
    const merged = small.length > 0 || fresh.length <= SMALL * 4 ? small : medium;
    const patterns = [...merged.flatMap((level) => level.patterns), ...fresh];
    levels = [...levels.filter((level) => !merged.includes(level)), finish(createFormLevel(patterns))];
    fresh = [];
    if (levels.length > 2) mergeLater();
  }

  function mergeLater(): void {
    merging ??= mergeAll().finally(() => {
      merging = undefined;
      if (levels.length > 2) mergeLater();
    });
  }

  async function mergeAll(): Promise<void> {
    const before = levels;
    const patterns = before
      .flatMap((level) => level.patterns)
      .filter((pattern) => entries[pattern.entry] !== undefined);
    removed = 0;
    const merged = await finishInSlices(createFormLevel(patterns));
    levels = [merged, ...levels.filter((level) => !before.includes(level))];
  }

  function scan(
    text: string,
    stream: SymbolStream,
    isOpenBefore: boolean,
    isOpenAfter: boolean,
    spans: FoundSpan[],
  ) {
    const edges = { text, isOpenBefore, isOpenAfter };
    for (const level of levels) scanPiece(level, stream, edges, entries, spans);
  }

  function scanPlain(text: string, depth: number, spans: FoundSpan[]): number {
    const { plain, raw } = streams[depth] ?? { plain: createSymbolStream(), raw: createSymbolStream() };
    for (let from = 0; from < text.length; ) {
      const to = Math.min(text.length, from + PIECE);
      const end = fillStream(plain, text, from, to, true);
      const lastEnd = plain.length === 0 ? from : endOf(plain, plain.length - 1);
      scan(text, plain, from === 0, end === text.length || lastEnd < end, spans);
      if (plain.escapes.length > 0) scanRaw(text, plain, raw, spans);
      if (end >= text.length) return end;
      if (spans.length > MAX_MATCHES) return end - OVERLAP;
      from = Math.max(end - OVERLAP, from + Math.ceil((end - from) / 2));
    }
    return text.length;
  }

  /** What begins right after a sign that also begins an escape: `\nadia` can be a line's end, or a name after a backslash. */
  function scanRaw(text: string, { escapes }: SymbolStream, raw: SymbolStream, spans: FoundSpan[]): void {
    let done = 0;
    for (const at of escapes) {
      if (at < done) continue;
      let from = at + 1;
      while (text[from] === "\\") from++;
      if (text[at] === "\\" && !canBegin(text, from)) continue;
      const limit = Math.min(text.length, from + RAW_UNITS);
      const end = fillStream(raw, text, from, limit, false);
      scan(text, raw, true, end === text.length, spans);
      done = at + RAW_UNITS / 2;
    }
  }

  function canBegin(text: string, at: number): boolean {
    const [first, second] = [
      ASCII[text.charCodeAt(at)] ?? SEPARATOR,
      ASCII[text.charCodeAt(at + 1)] ?? SEPARATOR,
    ];
    if (first >= SEPARATOR) return false;
    if (second >= SEPARATOR) return true;
    return levels.some((level) => level.canBegin(first, second));
  }

  function findSigns(text: string, spans: FoundSpan[]): void {
    for (const entry of signs) {
      const number = alive.get(entry) ?? 0;
      for (
        let at = text.indexOf(entry.value);
        at >= 0;
        at = text.indexOf(entry.value, at + entry.value.length)
      ) {
        spans.push({ start: at, end: at + entry.value.length, entry: number, rules: 0 });
        if (spans.length > MAX_MATCHES) return;
      }
    }
  }

  function findAt(text: string, depth: number): FormsFound<Entry> {
    const spans: FoundSpan[] = [];
    let end = scanPlain(text, depth, spans);
    findSigns(text, spans);
    const plain = spans.map((span) => toMatch(text, span)).filter((match) => match !== undefined);
    const encoded: FormMatch<Entry>[] = [];
    if (depth < MAX_DEPTH) {
      for (const run of readEncodedRuns(text)) {
        const inside = findAt(run.decoded, depth + 1).matches;
        const matches = run.isReadable ? inside : inside.filter(({ start, end }) => end - start >= SURE);
        const [first] = matches;
        const last = matches.at(-1);
        if (first === undefined || last === undefined) continue;
        const { encoding, decoded } = run;
        encoded.push({
          start: run.place(first.start, false),
          end: run.place(last.end, true),
          entry: first.entry,
          isPart: matches.every(({ isPart }) => isPart),
          form: "other",
          inside: { encoding, start: run.start, end: run.end, decoded, matches },
        });
        if (encoded.length > MAX_MATCHES) {
          end = Math.min(end, run.start);
          break;
        }
      }
    }
    if (plain.length + encoded.length === 0) return { matches: [], end };
    const matches = resolveSpans([...plain, ...encoded], ({ entry }, start, end) => ({
      start,
      end,
      entry,
      isPart: true,
      form: "other" as const,
    }));
    return { matches: end < text.length ? matches.filter((match) => match.end <= end) : matches, end };
  }

  function toMatch(
    text: string,
    { start, end, entry: number, rules }: FoundSpan,
  ): FormMatch<Entry> | undefined {
    const entry = entries[number];
    if (entry === undefined) return undefined;
    const isPart = (rules & RULES.part) !== 0;
    const isLong = entry.value.length > LONG;
    const isRepeated = (rules & RULES.repeated) !== 0 && !isLong;
    if (isRepeated || rules & RULES.reversed) return { start, end, entry, isPart, form: "other" };
    if (!isPart || isLong) {
      const span = toWrittenSpan(text, entry.value, start, end);
      if (span.form !== "other") return { ...span, entry, isPart: false };
    }
    const isPlain = isPart && !/[%&\\]/.test(text.slice(start, end));
    return { start, end, entry, isPart, form: isPlain ? "plain" : "other" };
  }

  return {
    add(added) {
      for (const entry of added) {
        if (alive.has(entry)) continue;
        const number = entries.push(entry) - 1;
        alive.set(entry, number);
        const patterns = toLevelPatterns(entry, number);
        for (const pattern of patterns) fresh.push(pattern);
        if (patterns.length > 0) continue;
        if (isSigned(entry) && signs.size < MAX_SIGNS) signs.add(entry);
        else unmatched.add(entry);
      }
    },
    remove(entry) {
      const number = alive.get(entry);
      if (number === undefined) return;
      alive.delete(entry);
      signs.delete(entry);
      unmatched.delete(entry);
      entries[number] = undefined;
      fresh = fresh.filter((pattern) => pattern.entry !== number);
      if (++removed > alive.size * REMOVED_PART && levels.length > 0) mergeLater();
    },
    find(text) {
      absorb();
      return alive.size === 0 ? { matches: [], end: text.length } : findAt(text, 0);
    },
    async settle() {
      const added = fresh;
      const count = added.length;
      if (count > MEDIUM) {
        const level = await finishInSlices(createFormLevel(added.slice()));
        // Unless a search could not wait for it.
        if (fresh === added) {
          levels = [...levels, level];
          fresh = added.slice(count);
        }
      }
      absorb();
      if (levels.length > 1) mergeLater();
      while (merging !== undefined) await merging;
    },
    stats: () => ({
      entries: alive.size,
      patterns: levels.reduce((sum, level) => sum + level.patterns.length, fresh.length),
      states: levels.reduce((sum, level) => sum + level.states, 0),
      bytes: levels.reduce((sum, level) => sum + level.bytes, 0),
      unmatched: unmatched.size,
    }),
  };
}

/** Of which its signs are what tells it from other text: "password!" is a password, and "status." is the end of a sentence. */
function isSigned(entry: FormEntry): boolean {
  const { class: kind, value } = entry;
  if (value.length < SHORTEST_SIGNS) return false;
  const isSecret = kind === "PASSWORD" || kind === "API_KEY";
  return !isOrdinaryValue(entry) || (isSecret && !/^\s*[\p{L}\p{M}]+\s*$/u.test(value));
}
