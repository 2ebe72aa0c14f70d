import { foldName } from "../../catalog/name-index.ts";
import { toLooks, toWords } from "./words.ts";

/** How a rule is matched. A rule that allows must fit; one that asks or denies already holds for what could be meant. */
export type Strictness = "exact" | "loose";

/** Whether one of the names that something goes by is meant. */
type NamePattern = (names: readonly string[]) => boolean;

/**
 * `*` is any part of a name. Names are compared by their words, however these are joined: `delete_*` is also `deleteUser`, but
 * not `deleted_items`. Without `*`, every spelling that means the name is it.
 */
export function toNamePattern(written: string, strictness: Strictness): NamePattern {
  if (/^\*+$/.test(written)) return () => true;
  const isGlob = written.includes("*");
  const read = (name: string) => (strictness === "loose" ? toLooks(name.toLowerCase()) : name);
  if (!isGlob) {
    const key = foldName(written);
    const looks = foldName(read(written));
    if (key === "") return (names) => names.includes(written);
    return (names) =>
      names.some(
        (name) => foldName(name) === key || (strictness === "loose" && foldName(read(name)) === looks),
      );
  }
  const asWritten = toPlainPattern(written, strictness);
  const pieces = written.split("*").map(toPiece);
  const loose = strictness === "loose" ? pieces.map(toLooks) : undefined;
  return (names) =>
    names.some((name) => {
      const words = toWords(name).join("_");
      return asWritten(name) || fits(words, pieces) || (loose !== undefined && fits(toLooks(words), loose));
    });
}

/** A name that nobody spells in other ways: a principal, a session, a client. */
export function toPlainPattern(written: string, strictness: Strictness): (name: string) => boolean {
  const read = strictness === "loose" ? toLooseName : (text: string) => text;
  const pieces = written.split("*").map(read);
  return (name) => fits(read(name), pieces);
}

const looks = new Map<string, string>();
const MAX_LOOKS = 16;

/** Of one call, many rules ask for the same few names. */
export function toLooseName(text: string): string {
  const known = looks.get(text);
  if (known !== undefined) return known;
  const read = toLooks(text.normalize("NFKC").toLowerCase());
  if (looks.size >= MAX_LOOKS) looks.clear();
  looks.set(text, read);
  return read;
}

/** The words of a piece; a separator at its end stands for the end of a word. */
function toPiece(piece: string): string {
  const words = toWords(piece).join("_");
  if (words === "") return piece === "" ? "" : "_";
  const isEdge = (character: string | undefined) =>
    character !== undefined && /[^\p{L}\p{M}\p{N}]/u.test(character);
  return `${isEdge(piece[0]) ? "_" : ""}${words}${isEdge(piece.at(-1)) ? "_" : ""}`;
}

/** Each piece in its turn, the first at the start and the last at the end. */
function fits(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? "";
  const end = pieces.length - 1;
  if (end <= 0) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (let place = 1; place < end; place++) {
    const piece = pieces[place] ?? "";
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  const last = pieces[end] ?? "";
  return text.length - last.length >= at && text.endsWith(last);
}
