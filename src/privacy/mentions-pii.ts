/** Whether a program can ask for facts: it has no other way to them than this name. */
export function mentionsPii(code: string): boolean {
  return /\bpii\b/.test(code);
}
