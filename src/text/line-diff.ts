/** Above this many pairs of lines, what differs is shown as one block. */
const MAX_PAIRS = 1_000_000;

export type DiffLine = { mark: "-" | "+" | " "; text: string };

/** Only the lines between the first and the last that differ. */
export function toLineDiff(before: string, after: string): DiffLine[] {
  const old = toLines(before);
  const fresh = toLines(after);
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  return align(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
}

function align(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const gone = (text: string): DiffLine => ({ mark: "-", text });
  const come = (text: string): DiffLine => ({ mark: "+", text });
  if (old.length * fresh.length > MAX_PAIRS) return [...old.map(gone), ...fresh.map(come)];
  const common = old.map(() => new Array<number>(fresh.length + 1).fill(0));
  const at = (row: number, column: number) => common[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      const best =
        old[row] === fresh[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
      common[row]?.splice(column, 1, best);
    }
  }
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length || column < fresh.length) {
    const isSame = row < old.length && old[row] === fresh[column];
    const isGone =
      !isSame && row < old.length && (column >= fresh.length || at(row + 1, column) >= at(row, column + 1));
    if (isSame) lines.push({ mark: " ", text: old[row] ?? "" });
    else lines.push(isGone ? gone(old[row] ?? "") : come(fresh[column] ?? ""));
    if (isSame || isGone) row++;
    if (!isGone) column++;
  }
  return lines;
}

function toLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
