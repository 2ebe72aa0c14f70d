import type { TypeNode } from "./type-tree.ts";

/** Where in a schema the parser stands, and which JSON types the surroundings still allow there. */
export type Place = { readonly mask: number; readonly path: string; readonly depth: number };

/** What the parts of the parser need of the whole. */
export type ParseContext = {
  parse(schema: unknown, place: Place): TypeNode;
  intersect(a: TypeNode, b: TypeNode): TypeNode;
  /** Counts one node; false when the schema's budget is spent. */
  spend(): boolean;
  warn(path: string, message: string): void;
};

export function toChild(place: Place, mask: number, step: string): Place {
  return { mask, path: place.path === "" ? step : `${place.path}.${step}`, depth: place.depth + 1 };
}
