import { isReservedInPrograms, toIdentifiers } from "../../catalog/names.ts";
import { isIdentifier } from "../print/identifiers.ts";
import type { TakenExport, WrittenImport } from "../skill-import.ts";

/** A default export is called as it calls itself, else as its skill; what no program can call by its name is called otherwise. */
export function toTypeScriptImport(skill: string, exports: readonly TakenExport[]): WrittenImport {
  const named = exports.filter(({ name }) => name !== "default" && isIdentifier(name));
  const names = new Map(named.map(({ name }) => [name, isReservedInPrograms(name) ? `${name}_` : name]));
  const main = exports.find(({ name }) => name === "default");
  const entries = [...names].map(([name, local]) => (name === local ? name : `${name} as ${local}`));
  const braces = entries.length === 0 ? [] : [`{ ${entries.join(", ")} }`];
  if (main !== undefined) names.set("default", toDefaultName(skill, main, new Set(names.values())));
  const taken = [...(main === undefined ? [] : [names.get("default")]), ...braces].join(", ");
  return { line: `import ${taken === "" ? "" : `${taken} from `}"./skills/${skill}"`, names };
}

/** What a signature begins with before the name. */
const BEFORE_NAME = /^(?:(?:abstract|async|class|const|enum|function\*?)\s+)*/;
const NAME = /^[\p{ID_Start}_$][\p{ID_Continue}$]*/u;

function toDefaultName(skill: string, { signature }: TakenExport, taken: ReadonlySet<string>): string {
  const own = NAME.exec(signature.replace(BEFORE_NAME, ""))?.[0] ?? "";
  const isOwn = isIdentifier(own) && !isReservedInPrograms(own);
  const name = isOwn ? own : (toIdentifiers([skill], "typescriptServer").get(skill) ?? "skill");
  return taken.has(name) ? `${name}Default` : name;
}
