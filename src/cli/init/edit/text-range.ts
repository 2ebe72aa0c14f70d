export type Range = { start: number; end: number };

/** Takes the ranges out, from left to right; a line of which nothing is left goes as a whole. */
export function cutLines(text: string, ranges: readonly Range[]): string {
  let result = "";
  let from = 0;
  for (const range of ranges) {
    const { start, end } = wholeLines(text, range);
    result += text.slice(from, Math.max(from, start));
    from = Math.max(from, end);
  }
  return result + text.slice(from);
}

function wholeLines(text: string, { start, end }: Range): Range {
  let left = start;
  while (left > 0 && isBlank(text[left - 1])) left--;
  let right = end;
  while (right < text.length && isBlank(text[right])) right++;
  const isLineStart = left === 0 || text[left - 1] === "\n";
  if (isLineStart && right === text.length) return { start: left, end: right };
  if (isLineStart && text[right] === "\r" && text[right + 1] === "\n") return { start: left, end: right + 2 };
  if (isLineStart && text[right] === "\n") return { start: left, end: right + 1 };
  return { start, end };
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
