import { KeyholeError } from "../errors.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandHandler } from "./command.ts";
import { forget } from "./privacy/forget.ts";
import { reveal } from "./privacy/reveal.ts";
import { scan } from "./privacy/scan.ts";
import { vaultStats } from "./privacy/vault-stats.ts";

/** What is personal, what the vault knows of it, and forgetting it. No server is started. */
export const privacy: CommandHandler = async (context) => {
  const [action, subject, ...more] = context.args;
  if (more.length === 0) {
    if (action === "scan") return scan(context, needed(action, subject));
    if (action === "reveal") return reveal(context, needed(action, subject));
    if (action === "forget") return forget(context, subject);
    if (action === "stats" && subject === undefined) return vaultStats(context);
  }
  throw new KeyholeError("usage", `keyhole privacy can't "${toExcerpt(context.args.join(" "), 60)}"`, {
    hint: "Write keyhole privacy scan FILE, keyhole privacy stats, keyhole privacy forget VALUE, or keyhole privacy reveal FILE",
  });
};

function needed(action: string, file: string | undefined): string {
  if (file !== undefined) return file;
  throw new KeyholeError("usage", `keyhole privacy ${action} needs a file`, {
    hint: `Write keyhole privacy ${action} FILE, or - for standard input`,
  });
}
