export type JsonMeasure = { readonly characters: number; readonly depth: number };

/**
 * Roughly how long and how deep a value is as JSON. It stops measuring soon after the limit, and has a list of its own
 * instead of recursion: the size and depth of what it measures are the attack.
 */
export function measureJson(root: unknown, maxCharacters: number): JsonMeasure {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  let characters = 0;
  let deepest = 0;
  for (let next = open.pop(); next !== undefined && characters <= maxCharacters; next = open.pop()) {
    const { value, depth } = next;
    deepest = Math.max(deepest, depth);
    characters += typeof value === "string" ? value.length + 2 : 4;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      characters += key.length + 4;
      open.push({ value: child, depth: depth + 1 });
    }
  }
  return { characters, depth: deepest };
}
