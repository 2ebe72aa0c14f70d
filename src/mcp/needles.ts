import type { Secret } from "./find-secrets.ts";
import { type FoldedText, fold } from "./folded-text.ts";

/** A secret as it is looked for in a folded text. */
type Needle = {
  readonly text: string;
  readonly shown: string;
  /** So much of it, from its start or to its end, counts as found: whoever handed the text on may have cut it. */
  readonly part: number;
  readonly characters: ReadonlySet<string>;
  /** In base64, whether the characters beside it are partly its own. */
  readonly isShared: boolean;
};

/** A part of a text that must not be shown, and what is shown instead. */
export type Span = { readonly from: number; readonly to: number; readonly shown: string };

/** Shorter ones would be found in words, once case and spaces do not count. */
const FOLDED_FROM = 12;

/** A secret by itself, in hex, and as it stands in base64 of a longer text. */
export function toNeedles({ text, shown }: Secret): Needle[] {
  const bytes = Buffer.from(text);
  const isLong = text.length >= FOLDED_FROM;
  const plain = isLong ? [text, bytes.toString("latin1")] : [];
  const needles = [...plain, bytes.toString("hex")].map((form) => ({ form, isShared: false }));
  const encoded = [0, 1, 2].map((offset) => ({ form: base64Within(bytes, offset), isShared: true }));
  const found = new Map<string, Needle>();
  for (const { form, isShared } of [...needles, ...encoded]) {
    const folded = fold(form).text;
    if (folded.length < (isShared ? SHORTEST_BASE64 : FOLDED_FROM) || found.has(folded)) continue;
    const part = isLong ? Math.ceil((folded.length * 2) / 3) : folded.length;
    found.set(folded, { text: folded, shown, part, characters: new Set(folded), isShared });
  }
  return [...found.values()];
}

/** Of a secret of eight bytes. */
const SHORTEST_BASE64 = 10;

/** The characters of base64 that are the same whatever stands before (`offset` bytes, modulo 3) and behind. */
function base64Within(bytes: Buffer, offset: number): string {
  const all = Buffer.concat([Buffer.alloc(offset), bytes]);
  return all.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((all.length * 8) / 6));
}

/** Goes through the text twice for each needle, whatever it finds. */
export function findSpans(folded: FoldedText, needle: Needle): Span[] {
  const { text, part, shown } = needle;
  const spans: Span[] = [];
  const add = (first: number, last: number) => {
    const [start, end] = needle.isShared ? widened(folded, first, last) : [first, last];
    spans.push({ from: folded.from(start), to: folded.to(end), shown });
  };
  const rest = text.length - part;
  const start = text.slice(0, part);
  for (let at = folded.text.indexOf(start), end = 0; at !== -1; at = folded.text.indexOf(start, end)) {
    end = at + part;
    while (end < at + text.length && folded.text[end] === text[end - at]) end++;
    while (end < at + text.length && isNext(folded, end - 1, end) && isOf(needle, folded, end)) end++;
    add(at, end - 1);
  }
  if (rest === 0) return spans;
  const ending = text.slice(rest);
  for (let at = folded.text.indexOf(ending), done = 0; at !== -1; at = folded.text.indexOf(ending, done)) {
    let first = at;
    const min = Math.max(done, at - rest);
    while (first > min && folded.text[first - 1] === text[rest - (at - first) - 1]) first--;
    while (first > min && isNext(folded, first - 1, first) && isOf(needle, folded, first - 1)) first--;
    done = at + part;
    add(first, done - 1);
  }
  return spans;
}

/** What stands beside a part, as long as the whole would be, is the rest of it, written in some other way. */
function isOf({ characters }: Needle, { text }: FoldedText, index: number): boolean {
  return characters.has(text[index] ?? "");
}

function isNext(folded: FoldedText, index: number, next: number): boolean {
  return next < folded.text.length && folded.to(index) === folded.from(next);
}

function widened(folded: FoldedText, first: number, last: number): [first: number, last: number] {
  const isBase64 = (index: number) => /[a-z0-9+/]/.test(folded.text[index] ?? "");
  const before = first > 0 && isNext(folded, first - 1, first) && isBase64(first - 1) ? first - 1 : first;
  const after = isNext(folded, last, last + 1) && isBase64(last + 1) ? last + 1 : last;
  return [before, after];
}
