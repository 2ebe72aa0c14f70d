import type { Catalog } from "../catalog/catalog.ts";
import { createSearch, type Search } from "../search/search.ts";

/** Search over what a catalogue holds at the time. */
export function createSearchOf(catalog: Catalog): Search {
  return createSearch(() =>
    catalog.entries().map(({ name, identifier, record, status, error }) => ({
      name,
      identifier,
      instructions: record?.instructions,
      tools: record?.tools ?? [],
      status: error === undefined ? status : `${status}: ${error.message}`,
    })),
  );
}
