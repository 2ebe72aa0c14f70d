/** As a shell must see it so that the program gets exactly this. */
export function quoteWord(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word) && !(platform === "win32" && word.includes("%"))) return word;
  if (platform !== "win32") return `'${word.replaceAll("'", `'\\''`)}'`;
  // Backslashes count only before a quote.
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}
