import { readProgramFacts } from "../../policy/program-facts.ts";
import { isRecord } from "../../text/is-record.ts";
import type { ReadFailure, ReadProgram, ReadResult } from "../language.ts";

const KINDS: ReadonlySet<unknown> = new Set(["syntax", "import", "too_large", "types"]);

/** A process that was made to run a stranger's code could answer anything; what is built on has the right shape, or is refused. */
export function toReadResult(header: unknown, parts: readonly Buffer[]): ReadResult | undefined {
  const result = isRecord(header) ? header["result"] : undefined;
  if (!isRecord(result) || typeof result["checkMs"] !== "number") return undefined;
  const facts = result["facts"] === undefined ? undefined : readProgramFacts(result["facts"]);
  if (facts === undefined && result["facts"] !== undefined) return undefined;
  const told = facts === undefined ? {} : { facts };
  if (result["ok"] === false) return isFailure(result) ? { ...result, ...told } : undefined;
  const [code, places] = parts;
  if (code === undefined || places === undefined || places.length % 4 !== 0 || !isProgram(result))
    return undefined;
  const numbers = new Int32Array(places.length / 4);
  places.copy(new Uint8Array(numbers.buffer));
  return { ...result, ...told, code: code.toString("utf8"), places: numbers };
}

function isFailure(result: object): result is ReadFailure & { checkMs: number } {
  const error = "error" in result ? result.error : undefined;
  if (!isRecord(error) || !KINDS.has(error["kind"]) || typeof error["message"] !== "string") return false;
  const { location, errors } = error;
  if (error["kind"] !== "types") return location === undefined || isLocation(location);
  return (
    Array.isArray(errors) &&
    errors.every((one) => isRecord(one) && isLocation(one) && typeof one["message"] === "string")
  );
}

function isLocation(value: unknown): boolean {
  return isRecord(value) && typeof value["line"] === "number" && typeof value["column"] === "number";
}

function isProgram(result: object): result is Omit<ReadProgram, "code" | "places"> & { checkMs: number } {
  const { uses, modules, hints, hint, skipped } = { ...EMPTY, ...result };
  return (
    isRecord(uses) &&
    isTexts(uses["servers"]) &&
    Array.isArray(uses["aliases"]) &&
    uses["aliases"].every((pair) => isTexts(pair) && pair.length === 2) &&
    typeof uses["isOpen"] === "boolean" &&
    isTexts(modules) &&
    (hints === undefined || isTexts(hints)) &&
    [hint, skipped].every((text) => text === undefined || typeof text === "string")
  );
}

const EMPTY: { readonly [key: string]: unknown } = {};

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
