import { isJsonObject } from "../files/json-value.ts";
import { formatKeyPath, type KeyPath, valueAt } from "../files/key-path.ts";
import type { Layer } from "../own-config.ts";
import type { AuditSection } from "./schema.ts";

const SECTION = ["audit", "anomalies"] as const;

/** A line on each key that has somebody told of anomalies where nobody is named who could be. */
export function untoldAnomalies(layers: readonly Layer[], audit: AuditSection | null | undefined): string[] {
  if (audit?.anomalies?.webhook) return [];
  return layers.flatMap(({ document, root, block }) =>
    notifyKeys(block).map((path) => {
      const place = document.at([...root, ...path], "value");
      return `${place}: "${formatKeyPath(path)}" is "notify", but nobody is told: "audit.anomalies.webhook" is missing in your own config (docs/anomalies.md)`;
    }),
  );
}

function notifyKeys(block: Layer["block"]): KeyPath[] {
  const rules = valueAt(block, [...SECTION, "rules"]);
  const keys: KeyPath[] = [
    [...SECTION, "action"],
    ...Object.keys(isJsonObject(rules) ? rules : {}).map((name) => [...SECTION, "rules", name]),
  ];
  return keys.filter((path) => valueAt(block, path) === "notify");
}
