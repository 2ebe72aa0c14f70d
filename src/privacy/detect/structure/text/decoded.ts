import type { TextSpan } from "../values/mail-addresses.ts";

/** A part of a text as it is meant, and where its letters stand in that text. */
export type Decoded = {
  readonly text: string;
  /** Where the part begins, when it is written as it is meant. */
  readonly from: number;
  /** Else where each letter begins and ends. */
  readonly places: LetterPlaces | undefined;
};

/** Packed: a text may have millions of letters, and be within others that do. */
type LetterPlaces = { readonly starts: Uint32Array; readonly ends: Uint32Array };

export function plainPart(source: string, from: number, to: number): Decoded {
  return { text: source.slice(from, to), from, places: undefined };
}

export function toSource({ from, places }: Decoded, { start, end }: TextSpan): TextSpan {
  if (places === undefined) return { start: from + start, end: from + end };
  return { start: places.starts[start] ?? from, end: places.ends[end - 1] ?? from };
}

/** A part of a part. */
export function cutPart({ text, from, places }: Decoded, start: number, end = text.length): Decoded {
  const cut = places && {
    starts: places.starts.subarray(start, end),
    ends: places.ends.subarray(start, end),
  };
  return { text: text.slice(start, end), from: from + start, places: cut };
}

/** Reads a part letter by letter: `read` says what stands at a place, and how long that is written there. */
export function decodePart(
  source: string,
  from: number,
  to: number,
  read: (at: number) => { text: string; length: number } | undefined,
): Decoded {
  const starts = new Uint32Array(to - from);
  const ends = new Uint32Array(to - from);
  let text = "";
  let length = 0;
  let plainFrom = from;
  let at = from;
  while (at < to) {
    const special = read(at);
    const end = at + (special?.length ?? 1);
    for (let letters = special?.text.length ?? 1; letters > 0; letters--) {
      starts[length] = at;
      ends[length++] = end;
    }
    if (special !== undefined) {
      text += source.slice(plainFrom, at) + special.text;
      plainFrom = end;
    }
    at = end;
  }
  return { text: text + source.slice(plainFrom, to), from, places: { starts, ends } };
}
