/** A quantile of a stream in five numbers (P², Jain and Chlamtac 1985). */
export type Quantile = { add(value: number): void; value(): number };

export function createQuantile(share: number): Quantile {
  const heights: number[] = [];
  const places = [0, 1, 2, 3, 4];
  const wanted = [0, 2 * share, 4 * share, 2 + 2 * share, 4];
  const steps = [0, share / 2, share, (1 + share) / 2, 1];

  function add(value: number): void {
    if (heights.length < 5) {
      heights.push(value);
      heights.sort((a, b) => a - b);
      return;
    }
    const cell = toCell(heights, value);
    for (let at = cell + 1; at < 5; at++) places[at] = (places[at] ?? 0) + 1;
    for (let at = 0; at < 5; at++) wanted[at] = (wanted[at] ?? 0) + (steps[at] ?? 0);
    for (let at = 1; at < 4; at++) settle(at);
  }

  /** Moves a marker by one towards where it should stand. */
  function settle(at: number): void {
    const place = places[at] ?? 0;
    const off = (wanted[at] ?? 0) - place;
    const [before, after] = [places[at - 1] ?? 0, places[at + 1] ?? 0];
    if (!((off >= 1 && after - place > 1) || (off <= -1 && before - place < -1))) return;
    const step = off > 0 ? 1 : -1;
    const [low, height, high] = [heights[at - 1] ?? 0, heights[at] ?? 0, heights[at + 1] ?? 0];
    const curved =
      height +
      (step / (after - before)) *
        (((place - before + step) * (high - height)) / (after - place) +
          ((after - place - step) * (height - low)) / (place - before));
    const straight =
      step > 0 ? height + (high - height) / (after - place) : height - (low - height) / (before - place);
    heights[at] = low < curved && curved < high ? curved : straight;
    places[at] = place + step;
  }

  return {
    add,
    value: () =>
      heights.length < 5
        ? (heights[Math.min(heights.length - 1, Math.floor(share * heights.length))] ?? 0)
        : (heights[2] ?? 0),
  };
}

/** Between which markers a value falls; the outermost stretch to take it in. */
function toCell(heights: number[], value: number): number {
  if (value < (heights[0] ?? 0)) {
    heights[0] = value;
    return 0;
  }
  if (value >= (heights[4] ?? 0)) {
    heights[4] = value;
    return 3;
  }
  let cell = 0;
  while (cell < 3 && value >= (heights[cell + 1] ?? 0)) cell++;
  return cell;
}
