import { createHash } from "node:crypto";
import type { OfferedSkill } from "../../../engine/skills/offered-skills.ts";

export const URI_TEMPLATE = "skill://{name}/{+path}";

const MANUAL = "SKILL.md";
const MAX_FILES = 512;

export function toUri(skill: string, path: string): string {
  return `skill://${skill}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

export function toResource({ name, description, files }: OfferedSkill) {
  const manual = files.find(({ path }) => path === MANUAL);
  return {
    uri: toUri(name, MANUAL),
    name,
    description,
    mimeType: "text/markdown",
    ...(manual !== undefined && { size: manual.bytes }),
  };
}

/** As the extension has it: its head as it stands there, and all its files with their digests. */
export async function toSkillEntry({ name, description, head, files }: OfferedSkill) {
  const resources = await Promise.all(
    files.slice(0, MAX_FILES).map(async ({ path, bytes, digest, read }) => ({
      uri: toUri(name, path),
      size: bytes,
      digest: `sha256:${digest ?? toDigest(await read())}`,
    })),
  );
  // One that is called otherwise in its own file is served by its folder's name.
  return { uri: toUri(name, MANUAL), frontmatter: { ...head, name, description }, resources };
}

function toDigest(content: Uint8Array = new Uint8Array()): string {
  return createHash("sha256").update(content).digest("hex");
}
