import type { JsonValue } from "./files/json-value.ts";
import { valueAt } from "./files/key-path.ts";
import type { Layer } from "./own-config.ts";

/**
 * Settings that a user wrote down and that this version does not carry out. They are accepted, since a config is written
 * for more than one version; but a protection that is asked for and is not there must not look as if it were.
 */
export function unenforcedSettings(layers: readonly Layer[]): string[] {
  return SETTINGS.flatMap(({ path, isMissing, instead }) => {
    // The first layer that speaks of it wins.
    const layer = layers.find(({ block }) => valueAt(block, path) !== undefined);
    if (layer === undefined || !isMissing(valueAt(layer.block, path))) return [];
    const place = layer.document.at([...layer.root, ...path], "key");
    return [`${place}: "${path.join(".")}" is not carried out by this version: ${instead}`];
  });
}

type Setting = { path: readonly string[]; isMissing(value: JsonValue | undefined): boolean; instead: string };

const SETTINGS: readonly Setting[] = [
  {
    path: ["auditLogging"],
    isMissing: (value) => value === true,
    instead: "there is no audit log; the journal has calls, but anybody who can write the file can change it",
  },
];
