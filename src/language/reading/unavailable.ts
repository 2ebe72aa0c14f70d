/** What is wrong with servers that are configured and not there ("failed: …"), by their identifiers. */
export type Unavailable = ReadonlyMap<string, string>;

/** What is wrong with the server that a spelling means: `google-drive`, `google_drive` and `googleDrive` are one. */
export function troubleOf(spelling: string, unavailable: Unavailable | undefined): string | undefined {
  if (unavailable === undefined || unavailable.size === 0) return undefined;
  const meant = toLetters(spelling);
  for (const [name, trouble] of unavailable)
    if (toLetters(name) === meant) return `server ${name} ${trouble}`;
  return undefined;
}

function toLetters(name: string): string {
  return name
    .slice(0, 200)
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
