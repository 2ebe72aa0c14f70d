import type { Tree } from "@lezer/common";

/** The place of the first thing that the grammar does not know; the parser goes on behind it. */
export function findSyntaxError(tree: Tree): number | undefined {
  const cursor = tree.cursor();
  do {
    if (cursor.type.isError) return cursor.from;
  } while (cursor.next());
  return undefined;
}
