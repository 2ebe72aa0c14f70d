import { type Limits, limitError } from "../limits.ts";
import type { RunError } from "../sandbox.ts";
import type { DiskUse } from "./machine.ts";

type Bounds = Pick<Limits, "diskBytes" | "diskEntries">;

/** What of it is over the limit. What can't be measured is. */
export function toDiskError(
  { bytes, entries, unmeasured }: DiskUse,
  { diskBytes, diskEntries }: Bounds,
  where = "the workspace",
): RunError | undefined {
  const error = limitError("disk", diskBytes, bytes);
  if (entries > diskEntries)
    return over(error, `there are more than ${diskEntries} files and folders in ${where}`, where);
  if (bytes > diskBytes)
    return where === "the workspace" ? error : over(error, toAmounts(bytes, diskBytes, where), where);
  if (unmeasured === undefined) return undefined;
  const why = `there are folders in ${where} that are too deep to be measured, or closed to the host`;
  return over(limitError("disk", diskBytes, diskBytes + 1), why, where);
}

function toAmounts(bytes: number, allowed: number, where: string): string {
  const toText = (size: number) => `${Math.round(size / 1024)} KB`;
  return `${toText(bytes)} in ${where}, and ${toText(allowed)} are allowed`;
}

function over(error: RunError, why: string, where: string): RunError {
  const place = where === "the workspace" ? "./workspace" : where;
  return {
    ...error,
    message: `The program went over its limit of disk space: ${why}`,
    hint: `Delete files in ${place}`,
  };
}
