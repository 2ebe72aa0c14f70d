import type { Catalog } from "../../catalog/catalog.ts";

/** Whether a word is the name of a server, a tool or a function: these are no persons and companies. */
export function createPublicNames(catalog: Catalog): (text: string) => boolean {
  let names: ReadonlySet<string> | undefined;
  catalog.onUpdate(() => {
    names = undefined;
  });
  return (text) => {
    names ??= collect(catalog);
    return names.has(text.toLowerCase());
  };
}

function collect(catalog: Catalog): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name, folder, identifiers, record } of catalog.entries()) {
    for (const one of [name, folder, ...Object.values(identifiers)]) names.add(one.toLowerCase());
    for (const tool of record?.tools ?? []) {
      names.add(tool.name.toLowerCase());
      for (const one of Object.values(tool.identifiers)) names.add(one.toLowerCase());
    }
  }
  return names;
}
