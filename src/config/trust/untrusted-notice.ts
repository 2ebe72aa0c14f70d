import { createKeyholeCommand } from "../../text/keyhole-command.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { Brought } from "./brought.ts";

const MAX_NAMED = 5;

export function isPending({ state }: Brought): boolean {
  return state !== "trusted";
}

/** One line on all that waits for the user's yes. */
export function untrustedNotice(brought: readonly Brought[], projectDir: string): string[] {
  const pending = brought.filter(isPending);
  if (pending.length === 0) return [];
  const named = pending.slice(0, MAX_NAMED).map(toName);
  const more = pending.length > MAX_NAMED ? ` and ${pending.length - MAX_NAMED} more` : "";
  const what = `${named.join(", ")}${more}`;
  const command = createKeyholeCommand(projectDir)("trust");
  return [`Not trusted yet, and not used: ${what}. \`${command}\` shows what this folder brings, and asks`];
}

function toName({ kind, name, state, file }: Brought): string {
  const change = state === "new" ? "" : ` (${state})`;
  return kind === "settings"
    ? `settings of ${toExcerpt(file, 200)}${change}`
    : `${kind} ${toExcerpt(name, 60)}${change}`;
}
