import type { NamedType } from "../../schema/type-tree.ts";
import { toPascalCase } from "./identifiers.ts";

export type TypeNames = {
  /** The name of a referenced type; the first request makes it due for declaration. */
  nameOf(target: NamedType): string;
  /** A free name close to the wish. */
  claim(wish: string): string;
  /** The next referenced type that is named but not yet declared. */
  nextDue(): { readonly name: string; readonly target: NamedType } | undefined;
};

/** Names for the types of one file: no two alike, none in `taken`. */
export function createTypeNames(taken: Iterable<string>, fallback: string): TypeNames {
  const used = new Set(taken);
  /** The last number given to a wish: thousands may be alike. */
  const counts = new Map<string, number>();
  const names = new Map<NamedType, string>();
  const due: { name: string; target: NamedType }[] = [];

  function claim(wish: string): string {
    let count = counts.get(wish) ?? 1;
    let name = wish;
    while (used.has(name)) name = `${wish}${++count}`;
    used.add(name);
    counts.set(wish, count);
    return name;
  }

  function nameOf(target: NamedType): string {
    const known = names.get(target);
    if (known !== undefined) return known;
    const name = claim(toPascalCase(target.hint) || fallback);
    names.set(target, name);
    due.push({ name, target });
    return name;
  }

  return { nameOf, claim, nextDue: () => due.shift() };
}
