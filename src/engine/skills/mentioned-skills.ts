const MENTION = /skills[/.]([A-Za-z0-9_-]{1,130})/g;
const FROM_ALL = /from\s+skills\s+import\s+\(?([^\n)]{1,2000})/g;
const MAX_MENTIONED = 500;

/**
 * Names that a program may import as skills, by a look at its text, which saves a wait while it is read. It misses some that a
 * parser finds: nothing may rest on it.
 */
export function mentionedSkills(code: string): string[] {
  if (!code.includes("skills")) return [];
  const named = [...code.matchAll(MENTION)].map(([, name = ""]) => name);
  const listed = [...code.matchAll(FROM_ALL)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().split(/\s/)[0] ?? ""),
  );
  return [...new Set([...named, ...listed])].filter((name) => name !== "").slice(0, MAX_MENTIONED);
}
