import { readProgramFacts } from "../../policy/program-facts.ts";
import { isRecord } from "../../text/is-record.ts";
import type { ReadFailure, ReadProgram, ReadResult, SkillSource, UsedSkill } from "../language.ts";
import { readExports } from "../skills/skill-exports.ts";
import { MAX_SKILLS } from "./limits.ts";

const KINDS: ReadonlySet<unknown> = new Set(["syntax", "import", "too_large", "types"]);

/** A process that was made to run a stranger's code could answer anything; what is built on has the right shape, or is refused. */
export function toReadResult(
  header: unknown,
  parts: readonly Buffer[],
  given: (skill: string) => SkillSource | undefined,
): ReadResult | undefined {
  const result = isRecord(header) ? header["result"] : undefined;
  if (!isRecord(result) || typeof result["checkMs"] !== "number") return undefined;
  const facts = result["facts"] === undefined ? undefined : readProgramFacts(result["facts"]);
  if (facts === undefined && result["facts"] !== undefined) return undefined;
  const exports = result["exports"] === undefined ? undefined : readExports(result["exports"]);
  if (exports === undefined && result["exports"] !== undefined) return undefined;
  const told = { ...(facts && { facts }), ...(exports && { exports }) };
  if (result["ok"] === false) return isFailure(result) ? { ...result, ...told } : undefined;
  if (!isProgram(result)) return undefined;
  const [program, ...modules] = toModules(parts);
  const skills = readSkills(result["skills"], modules, given);
  return program === undefined || skills === undefined
    ? undefined
    : { ...result, ...told, ...program, skills };
}

type Module = Pick<UsedSkill, "code" | "places">;

/** The code and the places of each come one after another. */
function toModules(parts: readonly Buffer[]): Module[] {
  const modules: Module[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [code, places] = [parts[at], parts[at + 1]];
    if (code === undefined || places === undefined || places.length % 4 !== 0) return [];
    const numbers = new Int32Array(places.length / 4);
    places.copy(new Uint8Array(numbers.buffer));
    modules.push({ code: code.toString("utf8"), places: numbers });
  }
  return modules;
}

function readSkills(
  value: unknown,
  modules: readonly Module[],
  given: (skill: string) => SkillSource | undefined,
): UsedSkill[] | undefined {
  if (!Array.isArray(value) || value.length !== modules.length || value.length > MAX_SKILLS) return undefined;
  const skills: UsedSkill[] = [];
  for (const [at, module] of modules.entries()) {
    const name: unknown = value[at];
    const source = typeof name === "string" ? given(name) : undefined;
    if (source === undefined) return undefined;
    skills.push({ name: source.name, hash: source.hash, source: source.code, ...module });
  }
  return skills;
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

function isProgram(
  result: object,
): result is Omit<ReadProgram, "code" | "places" | "skills"> & { checkMs: number; skills?: unknown } {
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
