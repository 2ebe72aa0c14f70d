import type { TeamSkill } from "../../engine/skills/sharing/team-skills.ts";
import { toExcerpt, toQuestionText } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import type { Output } from "../output.ts";
import { withEngine } from "./with-engine.ts";

const STATES = {
  used: ["green", "used here"],
  waiting: ["yellow", "waits for your word"],
  own: ["yellow", "not used: the project has its own"],
  removed: ["yellow", "not used: it was removed here"],
  refused: ["red", "refused"],
} as const;

/** What the team's library has; what trusted keys have signed is taken up by the way. */
export function listTeam(context: CommandContext): Promise<number> {
  const { output } = context;
  return withEngine(context, async ({ skills }) => {
    const found = await skills.sharing.team();
    if (output.json) output.printJson({ skills: found });
    else if (found.length === 0) output.print("There is nothing in it yet: keyhole skills publish NAME");
    else for (const skill of found) printTeamSkill(skill, output);
    return 0;
  });
}

function printTeamSkill(
  { name, version, state, signer, description, problem }: TeamSkill,
  output: Output,
): void {
  const [colour, words] = STATES[state];
  const by = signer.kind === "trusted" ? `by ${toExcerpt(signer.name, 64)}` : toKey(signer);
  output.print(
    `${output.style("bold", name)}  ${output.style(colour, words)}  ${output.style("dim", `v${version} · ${by}`)}`,
  );
  // Of what nobody has said yes to, no word is shown that its author wrote.
  if (state === "used") output.print(`  ${toQuestionText(toExcerpt(description))}`);
  if (problem !== undefined) output.print(`  ${toQuestionText(toExcerpt(problem))}`);
  if (state === "waiting" || state === "own")
    output.print(`  ${output.style("dim", `keyhole skills import team:${name} shows it, and asks`)}`);
}

function toKey(signer: Exclude<TeamSkill["signer"], { kind: "trusted" }>): string {
  return signer.kind === "unsigned" ? "unsigned" : `${signer.kind} key ${signer.fingerprint}`;
}
