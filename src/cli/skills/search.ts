import { createSession } from "../../session.ts";
import { VERSION } from "../../version.ts";
import type { CommandContext } from "../command.ts";
import { withEngine } from "./with-engine.ts";

const DEFAULT_LIMIT = 10;

/** Skills alone, by what they do. */
export function searchSkills(context: CommandContext, query: string): Promise<number> {
  const { output, options } = context;
  const limit = typeof options["limit"] === "number" ? options["limit"] : DEFAULT_LIMIT;
  return withEngine(context, async (engine) => {
    const session = createSession({ client: { name: "keyhole skills", version: VERSION } });
    const { tools = [] } = await engine.search({ query, detail: "full", limit, only: "skills" }, session);
    const found = tools.flatMap((one) => (one.skill === undefined ? [] : [one]));
    if (output.json) {
      output.printJson({ total: found.length, skills: found });
      return 0;
    }
    if (found.length === 0) output.print("No skill does that; keyhole skills list shows them all");
    for (const { skill, description = "", definition, problem } of found) {
      output.print(`${output.style("bold", skill)}  ${description}`);
      if (problem !== undefined) output.print(`  ${output.style("red", problem)}`);
      if (definition !== undefined) output.print(definition.replace(/^/gm, "  "));
    }
    return 0;
  });
}
