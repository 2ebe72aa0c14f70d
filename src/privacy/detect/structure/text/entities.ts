import { type Decoded, decodePart, plainPart } from "./decoded.ts";

/** Entities that stand in names and addresses. */
const NAMED: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  commat: "@",
  period: ".",
  lowbar: "_",
  hyphen: "-",
  plus: "+",
  colon: ":",
  comma: ",",
  sol: "/",
  lpar: "(",
  rpar: ")",
  num: "#",
  rsquo: "’",
  lsquo: "‘",
  ldquo: "“",
  rdquo: "”",
  ndash: "–",
  mdash: "—",
  szlig: "ß",
  agrave: "à",
  aacute: "á",
  acirc: "â",
  atilde: "ã",
  auml: "ä",
  aring: "å",
  aelig: "æ",
  ccedil: "ç",
  egrave: "è",
  eacute: "é",
  ecirc: "ê",
  euml: "ë",
  igrave: "ì",
  iacute: "í",
  icirc: "î",
  iuml: "ï",
  ntilde: "ñ",
  ograve: "ò",
  oacute: "ó",
  ocirc: "ô",
  otilde: "õ",
  ouml: "ö",
  oslash: "ø",
  ugrave: "ù",
  uacute: "ú",
  ucirc: "û",
  uuml: "ü",
  yacute: "ý",
  yuml: "ÿ",
  scaron: "š",
  zcaron: "ž",
  ccaron: "č",
};
const MAX_ENTITY = 12;

/** A part of HTML or XML with its entities undone. */
export function decodeEntities(text: string, from: number, to: number): Decoded {
  if (!text.slice(from, to).includes("&")) return plainPart(text, from, to);
  return decodePart(text, from, to, (at) => (text.charAt(at) === "&" ? readEntity(text, at, to) : undefined));
}

function readEntity(text: string, at: number, to: number): { text: string; length: number } | undefined {
  const match = /^&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/i.exec(
    text.slice(at, Math.min(to, at + MAX_ENTITY)),
  );
  if (match === null) return undefined;
  const [whole, decimal, hex, name = ""] = match;
  const code =
    decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : undefined;
  if (code !== undefined)
    return code > 0x10ffff ? undefined : { text: String.fromCodePoint(code), length: whole.length };
  const lower = name.toLowerCase();
  const letter = Object.hasOwn(NAMED, lower) ? NAMED[lower] : undefined;
  if (letter === undefined) return undefined;
  return { text: name.charAt(0) === lower.charAt(0) ? letter : letter.toUpperCase(), length: whole.length };
}
