import type { PendingCall } from "./approval.ts";

/** Of a command; those of tools are hashes of their definitions, which no server chooses. */
const PREFIX = "command ";

export function toCommandHash(command: string, readOnly: boolean): string {
  return `${PREFIX}${readOnly ? "reads" : "writes"} ${command}`;
}

/** The line as it could be typed; nothing of a call that is no command. There is no shell: it is for reading alone. */
export function toAskedCommand({
  toolHash,
  args,
}: Pick<PendingCall, "toolHash" | "args">): string | undefined {
  if (!toolHash.startsWith(PREFIX)) return undefined;
  const { command, args: words } = args;
  return [command, ...(Array.isArray(words) ? words : [])].map((word) => toWord(String(word))).join(" ");
}

function toWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
