/**
 * The servers that a program can mean, by their identifiers. Each becomes a global in the sandbox, and with hundreds of
 * servers making them all would take longer than most programs run.
 */
export function mentionedServers(code: string, identifiers: readonly string[]): readonly string[] {
  // A name may be written with escapes, or put together and looked up: then any of them may be meant.
  if (/\\[ux]|globalThis|\bself\b/.test(code)) return identifiers;
  const words = new Set(code.match(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu));
  return identifiers.filter((identifier) => words.has(identifier) || code.includes(`${identifier}__`));
}
