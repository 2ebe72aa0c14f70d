const MAX_HEADER_CELL = 40;
const MAX_HEADER_WORDS = 5;

/** Marks of programs: brackets, quotes, calls, members. */
const CODE = /[{}[\]<>=`$\\;"]|\w\(|\)\S|\w\.\w|\/\//;

/** Over a column that counts the rows, or that has shares. */
const NUMBER_SIGN = /^(?:#|№|%|Σ|✓)$/;

/** Whether a cell could name a column. */
export function isHeaderCell(text: string): boolean {
  const cell = text.trim();
  if (cell.length === 0 || NUMBER_SIGN.test(cell)) return true;
  if (cell.length > MAX_HEADER_CELL || /[\n@:]|\d{3}/.test(cell) || CODE.test(cell) || !/\p{L}/u.test(cell))
    return false;
  return cell.split(/\s+/).length <= MAX_HEADER_WORDS;
}
