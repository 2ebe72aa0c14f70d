import type { Position } from "../../../text/position.ts";
import type { PlaceTable } from "../../place-table.ts";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Uint8Array(128);
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value;
const CONTINUES = 32;
const SEMICOLON = 59;
const COMMA = 44;

/** Reads the `mappings` of a source map. `toSource` says where a place of the text that was transformed was before. */
export function toPlaceTable(
  mappings: string,
  toSource: (place: Position) => Position | undefined,
): PlaceTable {
  const places: number[] = [];
  const fields = [0, 0, 0, 0, 0];
  let line = 1;
  let field = 0;
  let value = 0;
  let shift = 0;
  const end = () => {
    if (field >= 4) {
      const source = toSource({ line: (fields[2] ?? 0) + 1, column: (fields[3] ?? 0) + 1 });
      // Lines of our own are nowhere in the program.
      places.push(line, (fields[0] ?? 0) + 1, source?.line ?? 0, source?.column ?? 0);
    }
    field = 0;
  };
  for (let index = 0; index < mappings.length; index++) {
    const char = mappings.charCodeAt(index);
    if (char === COMMA) end();
    else if (char === SEMICOLON) {
      end();
      line++;
      fields[0] = 0;
    } else {
      const digit = VALUES[char] ?? 0;
      value += (digit & (CONTINUES - 1)) << shift;
      if (digit & CONTINUES) shift += 5;
      else {
        fields[field] = (fields[field] ?? 0) + (value & 1 ? -(value >> 1) : value >> 1);
        field++;
        value = 0;
        shift = 0;
      }
    }
  }
  end();
  return Int32Array.from(places);
}
