import type { Position } from "./position.ts";

/**
 * Where the places of the code that runs were in the program as it was written: four numbers each (line and column there,
 * line and column here), in the order of the code. Plain numbers, since they go from one process to another.
 */
export type Places = Int32Array;

const NUMBERS = 4;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Uint8Array(128);
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value;
const CONTINUES = 32;
const SEMICOLON = 59;
const COMMA = 44;

/** Reads the `mappings` of a source map. `toSource` says where a place of the text that was transformed was before. */
export function toPlaces(mappings: string, toSource: (place: Position) => Position | undefined): Places {
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

/** The place in the program as it was written of a place in the code, all from 1; nothing for lines of our own. */
export function placeOf(places: Places, line: number, column: number): Position | undefined {
  let low = 0;
  let high = Math.floor(places.length / NUMBERS);
  while (low < high) {
    const middle = (low + high) >> 1;
    const there = places[middle * NUMBERS] ?? 0;
    const isBefore = there < line || (there === line && (places[middle * NUMBERS + 1] ?? 0) <= column);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  const at = (low - 1) * NUMBERS;
  const sourceLine = places[at + 2] ?? 0;
  return sourceLine < 1 ? undefined : { line: sourceLine, column: places[at + 3] ?? 1 };
}
