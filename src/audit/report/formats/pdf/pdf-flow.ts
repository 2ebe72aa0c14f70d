import { type PdfBookmark, type PdfPage, toPdfFile } from "./pdf-file.ts";
import { type PdfFont, toPdfLines, toPdfString, toPdfText, toPdfWidth } from "./pdf-font.ts";

export type Ink = "ink" | "soft" | "line" | "panel" | "plain" | "good" | "warning" | "bad";
type TextStyle = {
  readonly font?: PdfFont;
  readonly size?: number;
  readonly ink?: Ink;
  readonly indent?: number;
  /** Space above it and below it. */
  readonly above?: number;
  readonly below?: number;
};

export type PdfTable = {
  readonly columns: readonly {
    readonly name: string;
    readonly isNumber: boolean;
    readonly font?: PdfFont;
    readonly maxWidth?: number;
  }[];
  readonly rows: readonly (readonly string[])[];
};

const WIDTH = 595;
const HEIGHT = 842;
const SIDE = 44;
const TOP = HEIGHT - 62;
const BOTTOM = 52;
const INNER = WIDTH - 2 * SIDE;
const LEADING = 1.32;
const CELL_SIZE = 8;
const CELL_PADDING = 4;
const MAX_CELL_LINES = 30;
const COLOURS: Readonly<Record<Ink, string>> = {
  ink: "0.1 0.12 0.14",
  soft: "0.34 0.38 0.42",
  line: "0.8 0.83 0.86",
  panel: "0.95 0.96 0.97",
  plain: "0.23 0.44 0.71",
  good: "0.17 0.48 0.29",
  warning: "0.7 0.42 0",
  bad: "0.7 0.15 0.12",
};

/** Puts text, tables and bars on pages, one below the other. */
export function createPdfFlow(header: string) {
  const pages: string[][] = [];
  const bookmarks: PdfBookmark[] = [];
  let page: string[] = [];
  let y = 0;

  const turn = () => {
    page = [];
    pages.push(page);
    y = TOP;
  };
  const need = (height: number) => {
    if (y - height < BOTTOM) turn();
  };
  const put = (text: string, x: number, at: number, font: PdfFont, size: number, ink: Ink) =>
    page.push(`BT ${COLOURS[ink]} rg /${font} ${size} Tf ${n(x)} ${n(at)} Td ${toPdfString(text)} Tj ET`);
  const box = (x: number, at: number, width: number, height: number, ink: Ink) =>
    page.push(`${COLOURS[ink]} rg ${n(x)} ${n(at)} ${n(width)} ${n(height)} re f`);

  turn();
  const flow = {
    text(
      text: string,
      { font = "plain", size = 9.5, ink = "ink", indent = 0, above = 0, below = 3 }: TextStyle = {},
    ): void {
      y -= above;
      for (const line of toPdfLines(text, font, size, INNER - indent)) {
        need(size * LEADING);
        y -= size * LEADING;
        put(line, SIDE + indent, y + size * 0.25, font, size, ink);
      }
      y -= below;
    },
    bullet(text: string): void {
      need(14);
      put("•", SIDE + 4, y - 10.2, "plain", 9.5, "soft");
      flow.text(text, { indent: 14, below: 2 });
    },
    heading(text: string, level: 1 | 2 | 3): void {
      const size = { 1: 20, 2: 14, 3: 10.5 }[level];
      // Never alone at the foot of a page.
      need(size * LEADING + (level === 2 ? 90 : 60));
      if (level === 2) {
        y -= 14;
        bookmarks.push({ title: text, page: pages.length - 1, y: y + 6 });
        box(SIDE, y, INNER, 0.6, "line");
      }
      flow.text(text, { font: "bold", size, above: level === 3 ? 8 : 4, below: 4 });
    },
    panel(title: string, lines: readonly string[], ink: Ink): void {
      const wrapped = lines.flatMap((line) => toPdfLines(line, "plain", 9.5, INNER - 24));
      const shown = wrapped.slice(0, 40);
      const height = 22 + shown.length * 12.6 + 8;
      need(height + 6);
      box(SIDE, y - height, INNER, height, "panel");
      box(SIDE, y - height, 4, height, ink);
      put(title, SIDE + 14, y - 17, "bold", 11, "ink");
      for (const [index, line] of shown.entries())
        put(line, SIDE + 14, y - 33 - index * 12.6, "plain", 9.5, "ink");
      y -= height + 8;
    },
    bars(
      bars: readonly { readonly label: string; readonly values: readonly number[]; readonly shown: string }[],
      inks: readonly Ink[],
    ): void {
      const most = Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
      const labels = bars.map(({ label }) => toPdfText(label).slice(0, 40));
      const left =
        Math.min(INNER * 0.35, Math.max(...labels.map((label) => toPdfWidth(label, "plain", 8)))) + 8;
      const right = Math.max(...bars.map(({ shown }) => toPdfWidth(shown, "plain", 8))) + 10;
      for (const [index, { values, shown }] of bars.entries()) {
        need(13);
        y -= 13;
        put(labels[index] ?? "", SIDE, y + 3, "plain", 8, "ink");
        let x = SIDE + left;
        for (const [part, value] of values.entries()) {
          if (value === 0) continue;
          const width = Math.max(1.5, (value / most) * (INNER - left - right));
          box(x, y + 1, width, 9, inks[part] ?? "plain");
          x += width;
        }
        put(shown, x + 5, y + 3, "plain", 8, "soft");
      }
      y -= 8;
    },
    legend(parts: readonly { readonly name: string; readonly ink: Ink }[]): void {
      need(16);
      y -= 13;
      let x = SIDE;
      for (const { name, ink } of parts) {
        box(x, y + 2, 7, 7, ink);
        put(name, x + 11, y + 2.5, "plain", 8, "soft");
        x += 11 + toPdfWidth(toPdfText(name), "plain", 8) + 16;
      }
      y -= 3;
    },
    table({ columns, rows }: PdfTable): void {
      const widths = toColumnWidths({ columns, rows });
      const wrap = (cells: readonly string[], isHead: boolean) =>
        columns.map(({ font = "plain" }, index) => {
          const used = isHead ? "bold" : font;
          const lines = toPdfLines(
            cells[index] ?? "",
            used,
            sizeOf(used),
            (widths[index] ?? 0) - 2 * CELL_PADDING,
          );
          return lines.length > MAX_CELL_LINES ? [...lines.slice(0, MAX_CELL_LINES - 1), "…"] : lines;
        });
      const draw = (cells: readonly (readonly string[])[], isHead: boolean) => {
        const height = Math.max(...cells.map(({ length }) => length)) * CELL_SIZE * LEADING + 5;
        if (y - height < BOTTOM && !isHead) {
          turn();
          draw(head, true);
        } else if (isHead) need(height + 24);
        let x = SIDE;
        for (const [index, lines] of cells.entries()) {
          const width = widths[index] ?? 0;
          const { isNumber = false, font = "plain" } = columns[index] ?? {};
          const used = isHead ? "bold" : font;
          for (const [row, line] of lines.entries()) {
            const length = toPdfWidth(line, used, sizeOf(used));
            const at = isNumber ? x + width - CELL_PADDING - length : x + CELL_PADDING;
            put(line, at, y - 9 - row * CELL_SIZE * LEADING, used, sizeOf(used), isHead ? "soft" : "ink");
          }
          x += width;
        }
        y -= height;
        box(SIDE, y, x - SIDE, isHead ? 0.9 : 0.4, "line");
      };
      const head = wrap(
        columns.map(({ name }) => name),
        true,
      );
      draw(head, true);
      for (const cells of rows) draw(wrap(cells, false), false);
      y -= 6;
    },
    finish(about: { readonly title: string; readonly author: string; readonly at: number }): Buffer {
      const made = pages.map((content, index): PdfPage => {
        page = content;
        put(header, SIDE, HEIGHT - 36, "plain", 8, "soft");
        box(SIDE, HEIGHT - 44, INNER, 0.5, "line");
        const number = `Page ${index + 1} of ${pages.length}`;
        put(number, WIDTH - SIDE - toPdfWidth(number, "plain", 8), 30, "plain", 8, "soft");
        return { width: WIDTH, height: HEIGHT, content: content.join("\n") };
      });
      return toPdfFile(made, { ...about, bookmarks });
    },
  };
  return flow;
}

export type PdfFlow = ReturnType<typeof createPdfFlow>;

const n = (value: number) => String(Math.round(value * 100) / 100);
const sizeOf = (font: PdfFont) => (font === "mono" ? CELL_SIZE - 0.8 : CELL_SIZE);

/** As wide as their texts are, where there is room; else the widest give way. */
function toColumnWidths({ columns, rows }: PdfTable): readonly number[] {
  const natural = columns.map(({ name, font = "plain", maxWidth = INNER }, index) => {
    const texts = rows.map((row) => toPdfWidth(toPdfText(row[index] ?? ""), font, sizeOf(font)));
    const widest = Math.max(toPdfWidth(toPdfText(name), "bold", CELL_SIZE), ...texts) + 2 * CELL_PADDING + 1;
    return Math.min(widest, maxWidth);
  });
  const total = natural.reduce((sum, width) => sum + width, 0);
  if (total <= INNER) {
    // The first column takes what is left, so that numbers stand at the right.
    const spare = INNER - total;
    return natural.map((width, index) => (index === 0 ? width + spare : width));
  }
  let limit = INNER;
  let fixed = 0;
  let wide = natural.length;
  // Those below the fair share keep their width; the others share what is left.
  for (const width of [...natural].sort((a, b) => a - b)) {
    limit = (INNER - fixed) / wide;
    if (width > limit) break;
    fixed += width;
    wide--;
  }
  return natural.map((width) => Math.min(width, limit));
}
