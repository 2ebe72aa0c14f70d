import type { Engine } from "../engine/engine.ts";
import type { ImportReview, SkillReview } from "../engine/skills/sharing/review.ts";
import type { Session } from "../session.ts";
import type { Keyhole } from "./keyhole.ts";
import { assertOptions } from "./options.ts";
import type { ReviewedSkill, SkillImportReview } from "./shared-skills.ts";

/** Skills to others and from them. */
export function createSkillImport(
  { skills: { sharing } }: Pick<Engine, "skills">,
  session: Session,
): Pick<Keyhole, "exportSkills" | "importSkills"> {
  const by = { principal: session.principal, session: session.id };
  return {
    async exportSkills(names, options = {}) {
      assertOptions("exportSkills", { ...options, names });
      const { text, skills, key, fingerprint } = await sharing.export(names, by, options);
      return { text, skills: skills.map(({ name }) => name), key, fingerprint };
    },
    async importSkills(path, options) {
      assertOptions("importSkills", { ...options, path });
      const { review: ask, ...chosen } = options;
      const review = await sharing.review(path, by, chosen);
      sharing.assertAllowed(review);
      if ((await ask(toShownReview(review))) !== true) return [];
      const taken = await sharing.take(review, by);
      return taken.map(({ state: _, ...imported }) => imported);
    },
  };
}

function toShownReview({ signer, skills, problems, remarks }: ImportReview): SkillImportReview {
  return { signer, skills: skills.map(toReviewed), problems: [...problems, ...remarks] };
}

function toReviewed({
  name,
  state,
  language,
  description,
  texts,
  check,
  ...review
}: SkillReview): ReviewedSkill {
  const { manual, code, tests } = texts;
  return {
    ...{ name, state, language, description, manual, code },
    ...(tests !== undefined && { tests }),
    tools: review.tools.map((tool) => ({ server: tool.server, tool: tool.tool, state: tool.state })),
    skills: review.skills,
    ...(check && { risk: { score: check.risk.score, level: check.risk.level } }),
    findings: [
      ...(check?.findings ?? []).map(
        ({ line, column, rule, message }) => `${line}:${column} ${rule}: ${message}`,
      ),
      ...review.remarks,
    ],
    forbidden: review.forbidden,
  };
}
