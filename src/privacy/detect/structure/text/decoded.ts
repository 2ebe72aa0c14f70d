import type { TextSpan } from "../values/mail-addresses.ts";

/** A part of a text as it is meant, and where its letters stand in that text. */
export type Decoded = {
  readonly text: string;
  /** Where the part begins, when it is written as it is meant. */
  readonly from: number;
  /** Else where each letter begins and ends. */
  readonly places: readonly TextSpan[] | undefined;
};

export function plainPart(source: string, from: number, to: number): Decoded {
  return { text: source.slice(from, to), from, places: undefined };
}

export function toSource({ from, places }: Decoded, { start, end }: TextSpan): TextSpan {
  if (places === undefined) return { start: from + start, end: from + end };
  return { start: places[start]?.start ?? from, end: places[end - 1]?.end ?? from };
}

/** A part of a part. */
export function cutPart({ text, from, places }: Decoded, start: number, end = text.length): Decoded {
  return { text: text.slice(start, end), from: from + start, places: places?.slice(start, end) };
}

/** Reads a part letter by letter: `read` says what stands at a place, and how long that is written there. */
export function decodePart(
  source: string,
  from: number,
  to: number,
  read: (at: number) => { text: string; length: number } | undefined,
): Decoded {
  let text = "";
  const places: TextSpan[] = [];
  let at = from;
  while (at < to) {
    const special = read(at);
    const letters = special?.text ?? source.charAt(at);
    const end = at + (special?.length ?? 1);
    for (let index = 0; index < letters.length; index++) places.push({ start: at, end });
    text += letters;
    at = end;
  }
  return { text, from, places };
}
