import { isRecord } from "../../text/is-record.ts";
import type { SkillExport } from "../skill-export.ts";

/** Of one skill. */
export const MAX_EXPORTS = 200;
export const MAX_EXPORT_NAME = 200;
export const MAX_EXPORT_SIGNATURE = 2_000;
export const MAX_EXPORT_DESCRIPTION = 400;

const KINDS = ["function", "value", "type"] as const;

/** What a process says that read a stranger's code, if it has the shape; else nothing. */
export function readExports(value: unknown): SkillExport[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_EXPORTS) return undefined;
  const exports: SkillExport[] = [];
  for (const one of value) {
    const read = readExport(one);
    if (read === undefined) return undefined;
    exports.push(read);
  }
  return exports;
}

function readExport(one: unknown): SkillExport | undefined {
  if (!isRecord(one)) return undefined;
  const { name, signature, description } = one;
  const kind = KINDS.find((known) => known === one["kind"]);
  if (kind === undefined || !isText(name, MAX_EXPORT_NAME) || !isText(signature, MAX_EXPORT_SIGNATURE))
    return undefined;
  if (description === undefined) return { name, kind, signature };
  return isText(description, MAX_EXPORT_DESCRIPTION) ? { name, kind, signature, description } : undefined;
}

function isText(value: unknown, most: number): value is string {
  return typeof value === "string" && value.length <= most;
}
