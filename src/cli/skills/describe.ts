import type { Skill, SkillVersion, UsableBy } from "../../skills/skill.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { count } from "../format.ts";
import type { Output } from "../output.ts";

const COLOURS = { ready: "green", quarantined: "yellow", untrusted: "yellow", broken: "red" } as const;

export function describeStatus(
  {
    status,
    name,
    usableBy,
  }: Pick<Skill, "status"> & { readonly name?: string; readonly usableBy?: UsableBy },
  { style }: Pick<Output, "style">,
): string {
  if (usableBy !== "author") return style(COLOURS[status], status);
  return style("yellow", `ready for its author; others wait for approval (keyhole skills approve ${name})`);
}

/** `sum-up  ready  v3, typescript, used 12 times (11 well)`. */
export function describeSkill(
  skill: Skill & { readonly usableBy?: UsableBy },
  width: number,
  output: Pick<Output, "style">,
): string {
  const { name, version, language, uses, successes, code } = skill;
  const used = uses === 0 ? "not used yet" : `used ${count(uses, "time")}, ${successes} of them ended well`;
  const kind = code === "" && skill.manual !== "" ? "instructions" : language;
  const facts = output.style("dim", `v${version} · ${kind} · ${used}`);
  return `${output.style("bold", name.padEnd(width))}  ${describeStatus(skill, output)}  ${facts}`;
}

/** What is told of it as data. */
export function toSkillData(skill: Skill & { readonly usableBy?: UsableBy }) {
  const { name, version, status, problem, language, description, tags, exports, tools, skills, origin } =
    skill;
  const { author, approvedBy, savedAt, hash, uses, successes } = skill;
  return {
    ...{
      name,
      version,
      status,
      ...(skill.usableBy && { usableBy: skill.usableBy }),
      problem,
      language,
      description,
      tags,
      exports,
      tools,
      skills,
      origin,
    },
    ...{ author, approvedBy, savedAt: new Date(savedAt).toISOString(), hash, uses, successes },
    hasTests: skill.tests !== undefined,
  };
}

export function toVersionData({ version, hash, description, author, approvedBy, savedAt }: SkillVersion) {
  return { version, hash, description, author, approvedBy, savedAt: new Date(savedAt).toISOString() };
}

/** Who has written it, in words. */
export function describeAuthor({ author, savedAt }: Pick<SkillVersion, "author" | "savedAt">): string {
  const when = new Date(savedAt).toISOString().slice(0, 16).replace("T", " ");
  return author === undefined ? `found in the folder, ${when}` : `saved by ${toExcerpt(author, 80)}, ${when}`;
}
