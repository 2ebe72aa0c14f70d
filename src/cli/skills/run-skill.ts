import { toSkillProgram, toTestProgram } from "../../engine/skills/call-skill.ts";
import { KeyholeError } from "../../errors.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import type { CommandContext } from "../command.ts";
import { runPrograms } from "../run.ts";

/** Calls one of its functions; ends as `keyhole run` does. */
export function runSkill(context: CommandContext, name: string): Promise<number> {
  const { args, function: wanted } = context.options;
  const call = {
    ...(typeof args === "string" && { args: parseArguments(args) }),
    ...(typeof wanted === "string" && { function: wanted }),
  };
  return runPrograms(context, (skills) => toSkillProgram(skills, name, call, LOCAL_PRINCIPAL));
}

/** Runs its tests: they fail where they throw. */
export function testSkill(context: CommandContext, name: string): Promise<number> {
  return runPrograms(context, (skills) => toTestProgram(skills, name, LOCAL_PRINCIPAL));
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KeyholeError("usage", "--args is no JSON", {
      hint: `Write an object such as '{"id": 1}', or a list of arguments`,
      cause: error,
    });
  }
}
