import type { ToolRecord } from "../../catalog/tool.ts";
import type { WhenCondition } from "../../config/permissions/schema.ts";
import type { Strictness } from "./name-pattern.ts";
import { effectOfName, isGrave } from "./verbs.ts";

type Key = Exclude<keyof WhenCondition, "trusted">;

/** The conditions that a tool does not meet, by name. */
export function findUnmet(when: WhenCondition, tool: ToolRecord, strictness: Strictness): string[] {
  const unmet: string[] = [];
  if (when.trusted !== undefined && when.trusted !== tool.trusted) unmet.push(`trusted: ${when.trusted}`);
  for (const key of KEYS) {
    const wanted = when[key];
    if (wanted === undefined) continue;
    const isMet =
      isBelieved(key, tool) === wanted || (strictness === "loose" && tool.declared?.[key] === wanted);
    if (!isMet) unmet.push(`${key}: ${wanted}`);
  }
  return unmet;
}

const KEYS: readonly Key[] = ["readOnly", "destructive", "idempotent", "openWorld"];

/**
 * What is taken for true. That a tool is harmless is the word of its server: a trusted one is believed, of any other the tool's
 * name must say so too.
 */
function isBelieved(key: Key, tool: ToolRecord): boolean | undefined {
  const { trusted, declared = {} } = tool;
  const named = effectOfName(tool.name);
  const isReadOnly = declared.readOnly === true && (trusted || named === "reads");
  switch (key) {
    case "readOnly":
      return isReadOnly;
    case "destructive":
      if (declared.destructive === true) return true;
      if (isReadOnly) return false;
      // The protocol's default is that it destroys. Of what is named as something else nobody assumes that, nor the contrary.
      if (declared.destructive === undefined && named === "writes") return undefined;
      if (declared.destructive === undefined) return named !== "reads";
      return !trusted && isGrave(named);
    case "idempotent":
      return trusted && declared.idempotent === true;
    case "openWorld":
      return !(trusted && declared.openWorld === false);
  }
}
