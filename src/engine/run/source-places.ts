import type { UsedSkill } from "../../language/language.ts";
import { type PlaceTable, placeOf } from "../../language/place-table.ts";

/** A line of a stack, as the sandbox writes it; a name may be anything that a program calls its functions. */
const FRAME = /^([ \t]*at [^\n]{0,200}?\((?:program|skills\/([a-z0-9-]{1,64})):)(\d{1,7}):(\d{1,7})(?=\))/gm;

/** Stacks are short; looking through a longer text would take long. */
const MAX_CHARS = 64_000;

/** What a program logged of a stack, with the places in the program, and its skills, as written rather than as they ran. */
export function toSourcePlaces(
  text: string,
  places: PlaceTable,
  skills: readonly Pick<UsedSkill, "name" | "places">[] = [],
): string {
  if (text.length > MAX_CHARS || !/\((?:program|skills\/[a-z0-9-]+):/.test(text)) return text;
  return text.replace(
    FRAME,
    (frame, start: string, skill: string | undefined, line: string, column: string) => {
      const own = skill === undefined ? places : skills.find(({ name }) => name === skill)?.places;
      const place = own && placeOf(own, Number(line), Number(column));
      return place === undefined ? frame : `${start}${place.line}:${place.column}`;
    },
  );
}
