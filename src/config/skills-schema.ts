import { z } from "zod";
import { isPublicKey } from "../store/ed25519.ts";
import { DEFAULT_SKILLS } from "./defaults.ts";

/** Whose yes a skill needs before it is used: nobody's, that of somebody before others than its author use it, or in any case. */
export const SKILL_APPROVALS = ["never", "others", "always"] as const;

const POSTGRES_EXPECTED = 'must be an address such as "postgres://user@host/database"';
/** 32 bytes in base64. */
const PUBLIC_KEY = /^[A-Za-z0-9+/]{43}=$/;
const PUBLIC_KEY_EXPECTED = "must be a key as `keyhole skills key` prints it";

const publicKey = z
  .string()
  .regex(PUBLIC_KEY, PUBLIC_KEY_EXPECTED)
  .refine((text) => isPublicKey(Buffer.from(text, "base64")), PUBLIC_KEY_EXPECTED);

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
    library: z
      .union([
        z.strictObject({ folder: z.string().min(1).describe("A folder that the team shares") }),
        z.strictObject({
          postgres: z
            .string()
            .regex(/^(?:postgres(?:ql)?:\/\/|\$\{)/, POSTGRES_EXPECTED)
            .describe('A database that the team shares; write what is secret of its address as "${VAR}"'),
        }),
      ])
      .optional()
      .describe("Where the team publishes its skills; a database counts in the user's own config alone"),
    trustedKeys: z
      .record(z.string().min(1).max(64), publicKey)
      .optional()
      .describe(
        "Whose packs need no other yes, by a name of your choice: what `keyhole skills key` prints where they are signed; counts in the user's own config alone",
      ),
  })
  .prefault({})
  .describe("Programs that are kept to be used again");
