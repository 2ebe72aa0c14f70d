import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { eraseProjectVault, type Forgetting, forgetInVault } from "../../engine/privacy/vault-of-project.ts";
import { KeyholeError } from "../../errors.ts";
import { toPiiClass } from "../../pii-classes.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { count } from "../format.ts";
import { principalOf } from "./principal.ts";

const MAX_SHOWN = 50;

/** Takes values out of the vault; their tokens mean nothing any more. */
export async function forget(
  { output, projectDir, options }: CommandContext,
  subject: string | undefined,
): Promise<number> {
  const what = await toForgetting(options, subject);
  if (!(await isMeant(what, { output, options }))) {
    output.print("Nothing was forgotten");
    return 1;
  }
  const place = { projectDir: resolve(projectDir), onNotice: output.notice };
  const principal = principalOf(options);
  const isEverybody = "all" in what && options["principal"] === undefined;
  const forgotten = isEverybody
    ? await eraseProjectVault(place, principal)
    : await forgetInVault(place, principal, what);
  if (output.json) {
    output.printJson({ forgotten });
    return 0;
  }
  if (forgotten.length === 0)
    output.print(isEverybody ? "Forgotten: all that was kept here" : "Nothing of it was known");
  else {
    const rest = forgotten.length > MAX_SHOWN ? ` and ${forgotten.length - MAX_SHOWN} more` : "";
    output.print(
      `Forgotten: ${count(forgotten.length, "value")}. These tokens mean nothing any more: ${forgotten.slice(0, MAX_SHOWN).join(" ")}${rest}`,
    );
  }
  return 0;
}

async function toForgetting(
  options: Readonly<Record<string, unknown>>,
  subject: string | undefined,
): Promise<Forgetting> {
  const ways: Forgetting[] = [];
  const { session, class: kind, olderThan, all } = options;
  if (subject !== undefined) ways.push({ subject: await readSubject(subject) });
  if (typeof session === "string") ways.push({ session });
  if (typeof kind === "string") ways.push({ class: readClass(kind) });
  if (typeof olderThan === "string") ways.push({ notSeenSince: Date.now() - readAge(olderThan) });
  if (all === true) ways.push({ all: true });
  const [what, ...others] = ways;
  if (what !== undefined && others.length === 0) return what;
  throw new KeyholeError(
    "usage",
    what === undefined
      ? "keyhole privacy forget needs to know what"
      : "Only one thing can be forgotten at a time",
    { hint: "Give a value or a token, or one of --session ID, --class CLASS, --older-than 30d and --all" },
  );
}

/** A value on a command line stays in the shell's history: it can come by standard input. */
async function readSubject(subject: string): Promise<string> {
  const value = subject === "-" ? (await text(process.stdin)).replace(/\r?\n$/, "") : subject;
  if (value.trim() !== "") return value;
  throw new KeyholeError("usage", "An empty value can't be forgotten", { hint: "Give a value or a token" });
}

function readClass(written: string) {
  const kind = toPiiClass(written.toUpperCase().replaceAll("-", "_"));
  if (kind !== undefined) return kind;
  throw new KeyholeError("usage", `There is no class "${toExcerpt(written, 40)}"`, {
    hint: "keyhole privacy stats shows those there are values of; docs/privacy.md has all",
  });
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

function readAge(written: string): number {
  const [, number, unit = ""] = /^(\d{1,6})([hdw])$/.exec(written.trim()) ?? [];
  const unitMs = UNITS[unit];
  if (number !== undefined && unitMs !== undefined) return Number(number) * unitMs;
  throw new KeyholeError("usage", `--older-than can't be "${toExcerpt(written, 40)}"`, {
    hint: "Write hours, days or weeks: 12h, 30d, 8w",
  });
}

async function isMeant(
  what: Forgetting,
  { output, options }: Pick<CommandContext, "output" | "options">,
): Promise<boolean> {
  if (options["yes"] === true) return true;
  if (!output.interactive)
    throw new KeyholeError("usage", "There is no terminal to ask on, so nothing was forgotten", {
      hint: "Add --yes",
    });
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({
    message: `Forget ${describe(what)}? It can't be taken back: files and conversations keep tokens that mean nothing then`,
    initialValue: false,
  });
  if (isCancel(answer)) throw new KeyholeError("cancelled", "Nothing was forgotten");
  return answer;
}

function describe(what: Forgetting): string {
  if ("subject" in what) return `"${toExcerpt(what.subject, 60)}" and what stood with it in one record`;
  if ("session" in what) return `what only session ${toExcerpt(what.session, 60)} has seen`;
  if ("class" in what) return `all values of class ${what.class}`;
  return "all" in what ? "all values" : "what nobody has met since then";
}
