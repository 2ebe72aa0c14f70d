import type { OfferedSkill } from "../../../engine/skills/offered-skills.ts";

/** What a client's user gives with a skill stands in the place of this, as other clients have it. */
const PLACE = "$ARGUMENTS";
const ARGUMENT = "arguments";
const MAX_GIVEN = 20_000;

export function toPromptOf({ name, description, body }: OfferedSkill) {
  const hint = { name: ARGUMENT, description: "What it is to be used on", required: false };
  return { name, description, ...(body.includes(PLACE) && { arguments: [hint] }) };
}

/** Its instructions, with what the user gave put in, and how a program imports it. */
export function toPromptMessage(
  { name, body, importLine }: OfferedSkill,
  given: Readonly<Record<string, unknown>>,
) {
  const asked = given[ARGUMENT];
  const argument = typeof asked === "string" ? asked.slice(0, MAX_GIVEN) : "";
  const text = [
    `Use the skill "${name}".`,
    ...(importLine === undefined ? [] : [`In a program for execute_code: ${importLine}`]),
    body.replaceAll(PLACE, () => argument),
    ...(argument !== "" && !body.includes(PLACE) ? [argument] : []),
  ].join("\n\n");
  return { role: "user" as const, content: { type: "text" as const, text } };
}
