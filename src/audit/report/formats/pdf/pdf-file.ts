import { deflateSync } from "node:zlib";
import { PDF_FONTS, toPdfString } from "./pdf-font.ts";

export type PdfPage = { readonly width: number; readonly height: number; readonly content: string };
export type PdfBookmark = { readonly title: string; readonly page: number; readonly y: number };
export type PdfAbout = {
  readonly title: string;
  readonly author: string;
  readonly at: number;
  readonly bookmarks: readonly PdfBookmark[];
};

/** Pages as a file: objects, their places in it, and where those are written down. */
export function toPdfFile(pages: readonly PdfPage[], { title, author, at, bookmarks }: PdfAbout): Buffer {
  const objects: Buffer[] = [];
  const add = (body: string | Buffer) =>
    objects.push(Buffer.isBuffer(body) ? body : Buffer.from(body, "latin1"));
  const fonts = Object.keys(PDF_FONTS);
  const [catalog, tree, info, outlines, firstFont] = [1, 2, 3, 4, 5];
  const firstPage = firstFont + fonts.length;
  const firstBookmark = firstPage + pages.length * 2;
  const pageId = (index: number) => firstPage + index * 2;

  add(
    `<< /Type /Catalog /Pages ${tree} 0 R /Outlines ${outlines} 0 R /PageMode /UseOutlines /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>`,
  );
  const kids = pages.map((_, index) => `${pageId(index)} 0 R`).join(" ");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add(
    `<< /Title ${toPdfString(title)} /Author ${toPdfString(author)} /Producer (Keyhole) /CreationDate (${toPdfDate(at)}) >>`,
  );
  const ends =
    bookmarks.length === 0
      ? ""
      : ` /First ${firstBookmark} 0 R /Last ${firstBookmark + bookmarks.length - 1} 0 R`;
  add(`<< /Type /Outlines /Count ${bookmarks.length}${ends} >>`);
  for (const name of Object.values(PDF_FONTS))
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);
  const resources = fonts.map((name, index) => `/${name} ${firstFont + index} 0 R`).join(" ");
  for (const [index, { width, height, content }] of pages.entries()) {
    add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /Font << ${resources} >> >> /Contents ${pageId(index) + 1} 0 R >>`,
    );
    const stream = deflateSync(Buffer.from(content, "latin1"));
    const head = `<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`;
    add(Buffer.concat([Buffer.from(head, "latin1"), stream, Buffer.from("\nendstream", "latin1")]));
  }
  for (const [index, bookmark] of bookmarks.entries()) {
    const before = index === 0 ? "" : ` /Prev ${firstBookmark + index - 1} 0 R`;
    const after = index === bookmarks.length - 1 ? "" : ` /Next ${firstBookmark + index + 1} 0 R`;
    add(
      `<< /Title ${toPdfString(bookmark.title)} /Parent ${outlines} 0 R${before}${after} /Dest [${pageId(bookmark.page)} 0 R /XYZ null ${bookmark.y.toFixed(1)} null] >>`,
    );
  }
  return toBytes(objects, `/Root ${catalog} 0 R /Info ${info} 0 R`);
}

function toBytes(objects: readonly Buffer[], trailer: string): Buffer {
  // Bytes above 127 in the second line tell programs that copy the file that it is no text.
  const parts = [Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  let length = parts[0]?.length ?? 0;
  const places = objects.map((body, index) => {
    const place = length;
    const piece = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from("\nendobj\n")]);
    parts.push(piece);
    length += piece.length;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

function toPdfDate(at: number): string {
  return `D:${new Date(at).toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
}
