import { SECRET_CLASSES } from "../pii-classes.ts";
import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from "./files/json-value.ts";
import { type KeyPath, valueAt } from "./files/key-path.ts";
import type { Layer } from "./own-config.ts";

/** Any key. */
const ANY: unique symbol = Symbol("any key");
type KeyPattern = readonly (string | typeof ANY)[];

/**
 * What counts in the user's own config alone, whatever a project was trusted with: it would let whoever wrote the folder answer the
 * questions that are asked about it, or be the local user.
 */
const USERS_OWN: readonly {
  readonly path: KeyPattern;
  isMeant?(value: JsonValue): boolean;
}[] = [
  // Whoever answers there runs the programs, and sees what they see. The daemon's own choice may be the stronger one.
  { path: ["docker", "socket"] },
  { path: ["docker", "image"] },
  { path: ["docker", "runtime"], isMeant: (value) => value === "runc" },
  { path: ["approval", "webhook"] },
  { path: ["approval", "scriptToken"] },
  { path: ["approval", "onExpiry"], isMeant: (value) => value === "approve" },
  { path: ["http", "approvers"] },
  { path: ["http", "tokens", "local"] },
  // Its address has variables of the user's in it; and by a key somebody else's code is believed.
  { path: ["skills", "library"], isMeant: (value) => isJsonObject(value) && value["postgres"] !== undefined },
  { path: ["skills", "trustedKeys"] },
  // It is sent all texts.
  { path: ["privacy", "presidio"] },
  // Where the record of what a project's agents did goes, and whether they may act without one.
  { path: ["audit", "store"] },
  { path: ["audit", "anchors"] },
  { path: ["audit", "telemetry"] },
  { path: ["audit", "anomalies", "webhook"] },
  { path: ["audit", "onFailure"], isMeant: (value) => value === "continue" },
  { path: ["audit", "anomalies", "enabled"], isMeant: (value) => value === false },
  { path: ["audit", "anomalies", "rules", ANY], isMeant: (value) => value === "off" },
  { path: ["audit", "retention", "archive"], isMeant: (value) => value === false },
  ...SECRET_CLASSES.flatMap((kind) => {
    const paths: KeyPattern[] = [
      ["privacy", "classes", kind],
      ["privacy", "servers", ANY, "classes", kind],
    ];
    return paths.map((path) => ({ path, isMeant: (value: JsonValue) => value === "keep" }));
  }),
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
  return USERS_OWN.flatMap(({ path, isMeant }) =>
    pathsIn(block, path).filter((found) => {
      const value = valueAt(block, found);
      return value !== undefined && value !== null && (isMeant?.(value) ?? true);
    }),
  );
}

function pathsIn(block: JsonObject, path: KeyPattern): string[][] {
  let found: string[][] = [[]];
  for (const step of path)
    found = found.flatMap((above) => {
      if (step !== ANY) return [[...above, step]];
      const value = valueAt(block, above);
      return isJsonObject(value) ? Object.keys(value).map((key) => [...above, key]) : [];
    });
  return found;
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
