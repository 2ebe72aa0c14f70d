import type { ServerRecord } from "../../../catalog/tool.ts";
import type { ReadProgram, UsedServers } from "../../language.ts";
import { toPythonServers } from "../prepare/used-servers.ts";
import { mayUseFiles } from "../prepare/uses-files.ts";
import type { PythonSkills } from "./load-python-skills.ts";

/** A program with its skills: what they use, it uses. */
export function withSkills(
  program: ReadProgram,
  { used, modules }: PythonSkills,
  servers: readonly ServerRecord[],
): ReadProgram {
  if (modules.length === 0) return program;
  const uses = [program.uses, ...modules.map(({ parsed }) => toPythonServers(parsed.text, servers))];
  const files = modules.some(({ parsed, bindings }) => mayUseFiles(parsed.text, bindings)) ? ["fs"] : [];
  return {
    ...program,
    skills: used,
    uses: joined(uses),
    modules: [...new Set([...program.modules, ...files])],
  };
}

function joined(all: readonly UsedServers[]): UsedServers {
  return {
    servers: [...new Set(all.flatMap(({ servers }) => servers))],
    aliases: [...new Map(all.flatMap(({ aliases }) => aliases))],
    isOpen: all.some(({ isOpen }) => isOpen),
  };
}
