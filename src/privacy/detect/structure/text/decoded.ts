import type { Span } from "../values/mail-addresses.ts";

/** A part of a text as it is meant, and where each of its letters stands in that text. */
export type Decoded = {
  readonly text: string;
  /** Where the part begins, when it is written as it is meant. */
  readonly from: number;
  /** Else where each letter begins, and where the last one ends. */
  readonly starts: readonly number[] | undefined;
};

export function plainPart(source: string, from: number, to: number): Decoded {
  return { text: source.slice(from, to), from, starts: undefined };
}

export function toSource(decoded: Decoded, { start, end }: Span): Span {
  if (decoded.starts === undefined) return { start: decoded.from + start, end: decoded.from + end };
  return { start: decoded.starts[start] ?? decoded.from, end: decoded.starts[end] ?? decoded.from };
}

/** Reads a part letter by letter: `read` says what stands at a place, and how long that is written there. */
export function decodePart(
  source: string,
  from: number,
  to: number,
  read: (at: number) => { text: string; length: number } | undefined,
): Decoded {
  let text = "";
  const starts: number[] = [];
  let at = from;
  while (at < to) {
    const special = read(at);
    const letters = special?.text ?? source.charAt(at);
    for (let index = 0; index < letters.length; index++) starts.push(at);
    text += letters;
    at += special?.length ?? 1;
  }
  starts.push(to);
  return { text, from, starts };
}
