/** A place in a program, both numbers from 1; columns count UTF-16 units, as editors and V8 do. */
export type Position = { readonly line: number; readonly column: number };

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;
const MAX_EXCERPT = 100;

export function toPosition(source: string, offset: number): Position {
  const place = Math.min(Math.max(offset, 0), source.length);
  let line = 1;
  let start = 0;
  for (const end of source.matchAll(LINE_END)) {
    const next = end.index + end[0].length;
    if (next > place) break;
    line++;
    start = next;
  }
  return { line, column: place - start + 1 };
}

/** The same for many places of one text. */
export function createPositionOf(source: string): (offset: number) => Position {
  const starts = lineStarts(source);
  return (offset) => {
    const place = Math.min(Math.max(offset, 0), source.length);
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    return { line: low, column: place - (starts[low - 1] ?? 0) + 1 };
  };
}

/** The way back: the offset of a place. */
export function createOffsetOf(source: string): (position: Position) => number {
  const starts = lineStarts(source);
  return ({ line, column }) => (starts[line - 1] ?? source.length) + column - 1;
}

function lineStarts(source: string): number[] {
  return [0, ...Array.from(source.matchAll(LINE_END), (end) => end.index + end[0].length)];
}

/** The lines as places count them. */
export function splitLines(source: string): string[] {
  return source.split(LINE_END);
}

/** A line with what is around a column, when it is long. */
export function toSourceLine(source: string, { line, column }: Position): string {
  const { text, from } = lineAround(source, line, column);
  return text.slice(from, from + MAX_EXCERPT);
}

/** The line with a caret below the column, cut around it when it is long. */
export function toSourceExcerpt(source: string, { line, column }: Position): string {
  const { text, from } = lineAround(source, line, column);
  const label = `${line} | `;
  const shown = text.slice(from, from + MAX_EXCERPT);
  return `${label}${shown}\n${" ".repeat(label.length + column - 1 - from)}^`;
}

function lineAround(source: string, line: number, column: number): { text: string; from: number } {
  const text = (splitLines(source)[line - 1] ?? "").replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
  const from = Math.max(0, Math.min(column - 1 - MAX_EXCERPT / 2, text.length - MAX_EXCERPT));
  return { text, from };
}

/** The text with everything but line ends turned into spaces: what follows stays where it was. */
export function toBlank(text: string): string {
  return text.replace(/[^\n\r\u2028\u2029]/g, " ");
}
