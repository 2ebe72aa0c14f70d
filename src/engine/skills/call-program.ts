import { toPythonModuleName } from "../../codegen/python/skill-import.ts";
import { toTypeScriptImport } from "../../codegen/typescript/skill-import.ts";
import { KeyholeError } from "../../errors.ts";
import type { Skill } from "../../skills/skill.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { isRecord } from "../../text/is-record.ts";

/** A value of JSON, as it is handed to a skill's function: a list is its arguments, anything else its only one. */
export type SkillCall = { readonly args?: unknown; readonly function?: string | undefined };

/**
 * The program that calls a function of a skill: its type check is that of the arguments, and all else is as with any program. In Python
 * an object is keyword arguments.
 */
export function toCallProgram(
  { name, language, exports }: Pick<Skill, "name" | "language" | "exports">,
  { args, function: wanted }: SkillCall,
): string {
  const called = findFunction(name, exports, wanted);
  return language === "python" ? toPython(name, called, args) : toTypeScript(name, called, args);
}

/** The one that is named; else its only one, or the one that is named as the skill, `main` or `run`. */
function findFunction(name: string, exports: Skill["exports"], wanted: string | undefined): string {
  const functions = exports.filter(({ kind }) => kind !== "type").map((one) => one.name);
  if (wanted !== undefined) {
    if (functions.includes(wanted)) return wanted;
    // As its import is written.
    if (toTypeScriptImport(name, exports).names.get("default") === wanted) return "default";
    throw new KeyholeError("usage", `Skill "${name}" exports no function "${wanted}"`, {
      hint: didYouMean(wanted, functions) ?? `It exports ${functions.join(", ") || "nothing to call"}`,
    });
  }
  const fold = (text: string) => text.toLowerCase().replace(/[-_]/g, "");
  const usual = functions.filter((one) => ["default", "main", "run", fold(name)].includes(fold(one)));
  const [only, second] = functions.length === 1 ? functions : usual;
  if (only !== undefined && second === undefined) return only;
  const what = functions.length === 0 ? "nothing that could be called" : "several functions";
  throw new KeyholeError("usage", `Skill "${name}" exports ${what}`, {
    ...(functions.length > 0 && { hint: `Name one of them: ${functions.join(", ")}` }),
  });
}

function toTypeScript(name: string, called: string, args: unknown): string {
  const given = toArguments(args).map(toTypeScriptLiteral).join(", ");
  const imported = called === "default" ? "called" : `{ ${called} as called }`;
  return `import ${imported} from "./skills/${name}";\nreturn await called(${given});\n`;
}

function toPython(name: string, called: string, args: unknown): string {
  const keywords =
    isRecord(args) && !Array.isArray(args)
      ? [`**${toPythonLiteral(args)}`]
      : toArguments(args).map(toPythonLiteral);
  const given = keywords.join(", ");
  return [
    "import inspect",
    `from skills.${toPythonModuleName(name)} import ${called}`,
    `answer = ${called}(${given})`,
    "return (await answer) if inspect.isawaitable(answer) else answer",
    "",
  ].join("\n");
}

function toArguments(args: unknown): readonly unknown[] {
  if (args === undefined) return [];
  return Array.isArray(args) ? args : [args];
}

/** JSON, but for a key that would set the prototype. */
function toTypeScriptLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toTypeScriptLiteral).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).map(([key, one]) => {
    const written = key === "__proto__" ? `["__proto__"]` : JSON.stringify(key);
    return `${written}: ${toTypeScriptLiteral(one)}`;
  });
  return `{ ${entries.join(", ")} }`;
}

function toPythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toPythonLiteral).join(", ")}]`;
  if (isRecord(value)) {
    const entries = Object.entries(value).map(
      ([key, one]) => `${toPythonText(key)}: ${toPythonLiteral(one)}`,
    );
    return `{${entries.join(", ")}}`;
  }
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return toPythonText(value);
  return typeof value === "number" ? JSON.stringify(value) : "None";
}

/** Its escapes are those of JSON, but for characters beyond 16 bits, which JSON writes as they are. */
function toPythonText(text: string): string {
  return JSON.stringify(text);
}
