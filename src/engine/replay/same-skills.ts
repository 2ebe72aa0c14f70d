import { KeyholeError } from "../../errors.ts";
import type { KeyholeCommand } from "../../text/keyhole-command.ts";
import type { ReplayedSkill, ReplayRun } from "./replay-run.ts";

/** A run that goes on does what it did: with the skills that it did it with. Refused before anything is done; the run stays as it was. */
export function assertSameSkills(
  { id, skills = [] }: Pick<ReplayRun, "id" | "skills">,
  now: readonly ReplayedSkill[],
  command: KeyholeCommand,
): void {
  const hashes = new Map(skills.map(({ name, hash }) => [name, hash]));
  const changed = now.find(({ name, hash }) => hashes.get(name) !== hash)?.name;
  const missing = skills.find(({ name }) => now.every((one) => one.name !== name))?.name;
  const name = changed ?? missing;
  if (name === undefined) return;
  throw new KeyholeError(
    "usage",
    `The run "${id}" can't go on: skill "${name}" is not the one with which it began`,
    {
      hint: `\`${command(`skills rollback ${name}`)}\` brings back the earlier one; to begin anew, end the run first: \`${command(`runs cancel ${id}`)}\``,
    },
  );
}
