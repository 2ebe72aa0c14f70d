import type { Position } from "../text/position.ts";

/**
 * Where the places of the code that runs were in the program as it was written: four numbers each (line and column there,
 * line and column here), in the order of the code. Plain numbers, since they go from one process to another.
 * Empty where what runs is the program as it was written: then the guest names its places itself.
 */
export type PlaceTable = Int32Array;

const NUMBERS = 4;

/** The place in the program as it was written of a place in the code, all from 1; nothing for lines of our own. */
export function placeOf(places: PlaceTable, line: number, column: number): Position | undefined {
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
