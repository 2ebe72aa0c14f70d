/** Commands that cannot do what they are known for without others. */
const USUAL_NEEDS: ReadonlyMap<string, readonly string[]> = new Map([
  // It starts what unpacks by a shell.
  ["tar", ["sh", "gzip", "bzip2", "xz", "zstd"]],
  ["zcat", ["sh", "gzip"]],
  ["gunzip", ["sh", "gzip"]],
  ["zgrep", ["sh", "gzip", "grep", "sed"]],
]);

export function usualNeeds(command: string): readonly string[] {
  return USUAL_NEEDS.get(command) ?? [];
}
