import type { TypeNode } from "./type-tree.ts";

/** Where in a schema the parser stands, and which JSON types the surroundings still allow there. */
export type SchemaPlace = { readonly mask: number; readonly path: string; readonly depth: number };

/** What the parts of the parser need of the whole. */
export type ParseContext = {
  parse(schema: unknown, place: SchemaPlace): TypeNode;
  intersect(a: TypeNode, b: TypeNode): TypeNode;
  /** Counts one node; false when the schema's budget is spent. */
  spend(): boolean;
  warn(path: string, message: string): void;
};

/** A step is a name of the schema's, and stands in the path of all that is under it. */
const MAX_STEP = 400;

export function toChild(place: SchemaPlace, mask: number, step: string): SchemaPlace {
  const short = step.slice(0, MAX_STEP);
  return { mask, path: place.path === "" ? short : `${place.path}.${short}`, depth: place.depth + 1 };
}
