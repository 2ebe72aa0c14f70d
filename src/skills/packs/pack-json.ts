import { z } from "zod";

/** A pack as it stands in its file, before anything in it is believed. */
export type PackJson = z.infer<typeof packSchema>;

export const PACK_FORMAT = "keyhole-skills/1";
/** A version in a team's library: what was only handed to somebody can't be put there by others, under the same signature. */
export const PUBLISHED_FORMAT = "keyhole-team-skill/1";

const MAX_SKILLS = 200;
const MAX_EARLIER = 100;
const MAX_FILES = 3;
const MAX_TOOLS = 1_000;
/** Of a skill's code; SKILL.md may have half of it. */
const MAX_TEXT = 256 * 1024;

const version = z.int().min(1).max(1_000_000_000);
const hash = z.string().regex(/^[0-9a-f]{64}$/, "is no SHA-256");
const files = z
  .array(z.strictObject({ name: z.string().max(40), sha256: hash, text: z.string().max(MAX_TEXT) }))
  .min(1)
  .max(MAX_FILES);

/** Names of servers and tools are those of whoever made the pack: text, and looked up, nothing else. */
const tool = z.strictObject({
  server: z.string().min(1).max(200),
  tool: z.string().min(1).max(200),
  hash: z.string().max(128),
});

export const packSchema = z.strictObject({
  format: z.enum([PACK_FORMAT, PUBLISHED_FORMAT], "is not a format that this Keyhole knows: a newer one may"),
  skills: z
    .array(
      z.strictObject({
        name: z.string().max(64),
        version,
        files,
        tools: z.array(tool).max(MAX_TOOLS),
        skills: z.array(z.string().max(64)).max(MAX_SKILLS),
        earlier: z.array(z.strictObject({ version, files })).max(MAX_EARLIER),
      }),
    )
    .min(1)
    .max(MAX_SKILLS),
  signature: z.strictObject({ key: z.string().max(100), value: z.string().max(200) }).optional(),
});
