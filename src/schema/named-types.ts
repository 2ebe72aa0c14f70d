import type { SchemaObject } from "./json-types.ts";
import type { SchemaPlace } from "./parse-context.ts";
import { descriptionOf } from "./parse-doc.ts";
import { type NamedType, type TypeNode, UNKNOWN } from "./type-tree.ts";

export type NamedTypes = {
  /** The type of a referenced schema, under what its place allows. It is read later, or when it is resolved. */
  nameType(schema: SchemaObject, label: string, place: SchemaPlace): NamedType;
  /** What the type is, read now if need be; nothing while it is being read or when that would nest too deep. */
  resolve(target: NamedType): TypeNode | undefined;
  /** Reads all that are waiting, and those that these name in turn. */
  readAll(): readonly NamedType[];
};

type Entry = {
  readonly named: NamedType;
  readonly schema: SchemaObject;
  place: SchemaPlace;
  state: "waiting" | "open" | "read";
};

export type NamedTypesOptions = {
  read(schema: SchemaObject, place: SchemaPlace): TypeNode;
  readonly maxDepth: number;
  /** How many schemas are being read, one within the other: a place only knows where its type was first named. */
  depth(): number;
};

/** Each schema becomes one type, read once: a web of references costs no more than its schemas. */
export function createNamedTypes({ read, maxDepth, depth }: NamedTypesOptions): NamedTypes {
  const bySchema = new Map<SchemaObject, Map<number, Entry>>();
  const entries = new Map<NamedType, Entry>();

  function nameType(schema: SchemaObject, label: string, place: SchemaPlace): NamedType {
    const byMask = bySchema.get(schema) ?? new Map<number, Entry>();
    bySchema.set(schema, byMask);
    const known = byMask.get(place.mask);
    if (known !== undefined) return known.named;
    const named = { hint: label, type: UNKNOWN, doc: descriptionOf(schema) };
    const entry: Entry = { named, schema, place, state: "waiting" };
    byMask.set(place.mask, entry);
    entries.set(named, entry);
    return named;
  }

  function fill(entry: Entry): void {
    if (entry.state !== "waiting" || entry.place.depth >= maxDepth) return;
    entry.state = "open";
    entry.named.type = read(entry.schema, { ...entry.place, depth: entry.place.depth + 1 });
    entry.state = "read";
  }

  function resolve(target: NamedType): TypeNode | undefined {
    const entry = entries.get(target);
    if (entry === undefined) return undefined;
    if (depth() < maxDepth) fill(entry);
    return entry.state === "read" ? target.type : undefined;
  }

  function readAll(): readonly NamedType[] {
    // A Map also visits what is added while it is being walked.
    for (const entry of entries.values()) {
      // Read from here, a type hangs on no chain of other types, so its depth counts anew.
      entry.place = { ...entry.place, depth: 0 };
      fill(entry);
    }
    return [...entries.keys()];
  }

  return { nameType, resolve, readAll };
}
