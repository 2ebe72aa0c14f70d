import { z } from "zod";
import { DEFAULT_SKILLS } from "./defaults.ts";

/** Whose yes a skill needs before it is used: nobody's, that of somebody before others than its author use it, or in any case. */
export const SKILL_APPROVALS = ["never", "others", "always"] as const;

export const skillsSchema = z
  .strictObject({
    approval: z
      .enum(SKILL_APPROVALS)
      .default(DEFAULT_SKILLS.approval)
      .describe(
        "Whether somebody has to approve a skill that an agent saved: never, before others than its author use it, or always",
      ),
    maxVersions: z
      .int()
      .min(2)
      .max(1_000)
      .default(DEFAULT_SKILLS.maxVersions)
      .describe("How many versions are kept of each skill"),
  })
  .prefault({})
  .describe("Programs that are kept to be used again");
