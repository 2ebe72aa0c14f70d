import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from "./files/json-value.ts";
import { type KeyPath, valueAt } from "./files/key-path.ts";
import type { Layer } from "./own-config.ts";

/**
 * What counts in the user's own config alone, whatever a project was trusted with: it would let whoever wrote the folder answer the
 * questions that are asked about it, or be the local user.
 */
const USERS_OWN: readonly { readonly path: readonly string[]; isMeant?(value: JsonValue): boolean }[] = [
  { path: ["approval", "webhook"] },
  { path: ["approval", "scriptToken"] },
  { path: ["approval", "onExpiry"], isMeant: (value) => value === "approve" },
  { path: ["http", "approvers"] },
  { path: ["http", "tokens", "local"] },
];

/** A project's layer without it, and a line on each. */
export function withoutUsersOwn(layer: Layer): { layer: Layer; notices: string[] } {
  const found = usersOwnIn(layer.block);
  const notices = found.map((path) => {
    const place = layer.document.at([...layer.root, ...path], "key");
    return `${place}: "${path.join(".")}" is not obeyed: it counts in your own config alone (~/.config/keyhole)`;
  });
  return found.length === 0
    ? { layer, notices }
    : { layer: { ...layer, block: dropUsersOwn(layer.block) }, notices };
}

/** Where a project's block speaks of it. */
export function usersOwnIn(block: JsonObject): KeyPath[] {
  return USERS_OWN.flatMap(({ path, isMeant }) => {
    const value = valueAt(block, path);
    if (value === undefined || value === null) return [];
    return (isMeant?.(value) ?? true) ? [path] : [];
  });
}

export function dropUsersOwn(block: JsonObject): JsonObject {
  return usersOwnIn(block).reduce(without, block);
}

function without(block: JsonObject, [key, ...rest]: KeyPath): JsonObject {
  const result = createJsonObject();
  for (const [name, value] of Object.entries(block)) {
    if (name !== key) result[name] = value;
    else if (rest.length > 0) result[name] = isJsonObject(value) ? without(value, rest) : value;
  }
  return result;
}
