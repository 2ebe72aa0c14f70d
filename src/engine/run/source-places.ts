import { type PlaceTable, placeOf } from "../../language/place-table.ts";

/** A line of a stack, as the sandbox writes it; a name may be anything that a program calls its functions. */
const FRAME = /^([ \t]*at [^\n]{0,200}?\(program:)(\d{1,7}):(\d{1,7})(?=\))/gm;

/** Stacks are short; looking through a longer text would take long. */
const MAX_CHARS = 64_000;

/** What a program logged of a stack, with the places in the program as it was written rather than as it ran. */
export function toSourcePlaces(text: string, places: PlaceTable): string {
  if (text.length > MAX_CHARS || !text.includes("(program:")) return text;
  return text.replace(FRAME, (frame, start: string, line: string, column: string) => {
    const place = placeOf(places, Number(line), Number(column));
    return place === undefined ? frame : `${start}${place.line}:${place.column}`;
  });
}
