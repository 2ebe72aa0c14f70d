import { randomInt } from "node:crypto";
import type { Approval, ApprovalAnswer, ApprovalScope } from "../../engine/approvals/approvals-of-project.ts";
import { KeyholeError } from "../../errors.ts";
import { isRecord } from "../../text/is-record.ts";
import { toExcerpt, toQuestionText } from "../../text/plain-text.ts";

/** Questions on the terminal. They are written to stderr: stdout is the program's. */
type Asking = { readonly output: NodeJS.WriteStream; readonly signal?: AbortSignal };

export type Choice = ApprovalScope | "edit" | "deny";

/** Saying no is what happens by a key that was meant for something else. */
export async function askChoice(
  asking: Asking,
  { scopes, canAlways }: { readonly scopes: readonly ApprovalScope[]; readonly canAlways: boolean },
): Promise<Choice> {
  const { select } = await import("@clack/prompts");
  const run = {
    value: "run" as const,
    label: "Yes, and whatever it calls of the same tools in this run",
  };
  const session = { value: "session" as const, label: "Yes, and the same tools until its client goes" };
  const always = { value: "always" as const, label: "Always", hint: "writes a rule into your own config" };
  return answered(
    await select<Choice>({
      message: "May this be done?",
      initialValue: "deny",
      options: [
        { value: "deny", label: "No", hint: "the program is told, with your reason" },
        { value: "once", label: "Yes, once" },
        ...[run, session].filter(({ value }) => scopes.includes(value)),
        ...(canAlways ? [always] : []),
        { value: "edit", label: "Yes, with other arguments" },
      ],
      ...asking,
    }),
  );
}

export async function askReason(asking: Asking): Promise<ApprovalAnswer> {
  const { text } = await import("@clack/prompts");
  const placeholder = "nothing: without a reason";
  const reason = answered(await text({ message: "Why not? The program is told", placeholder, ...asking }));
  const said = (reason ?? "").trim();
  return { decision: "deny", ...(said === "" ? {} : { reason: toExcerpt(said, 500) }) };
}

/** The arguments of each call, changed or as they were. */
export async function askEdits(asking: Asking, calls: Approval["calls"]): Promise<ApprovalAnswer> {
  const { text } = await import("@clack/prompts");
  const edits: Record<string, Record<string, unknown>> = {};
  for (const { number, server, tool, args } of calls) {
    const before = toQuestionText(JSON.stringify(args));
    const after = answered(
      await text({
        message: `Arguments of call ${number}, ${toExcerpt(`${server}.${tool}`, 100)}`,
        initialValue: before,
        validate: (value) => (parseArguments(value ?? "") ? undefined : "It must be a JSON object"),
        ...asking,
      }),
    );
    const parsed = parseArguments(after);
    if (parsed && after !== before) edits[String(number)] = parsed;
  }
  return {
    decision: "approve",
    scope: "once",
    ...(Object.keys(edits).length === 0 ? {} : { edits }),
  };
}

/** Which arguments the rule may leave open. */
export async function askFree(asking: Asking, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const { multiselect } = await import("@clack/prompts");
  const kept = answered(
    await multiselect({
      message: "Which arguments must stay as they are? The others may be anything",
      options: paths.map((path) => ({ value: path, label: toExcerpt(path, 100) })),
      initialValues: [...paths],
      required: false,
      ...asking,
    }),
  );
  return paths.filter((path) => !kept.includes(path));
}

export async function askToWriteRules(asking: Asking): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  return answered(await confirm({ message: "Write this rule?", initialValue: false, ...asking }));
}

/** A number that has to be read and typed: no key pressed by mistake and no text sent blindly approves anything. */
export async function askTyped(asking: Asking): Promise<boolean> {
  const { text } = await import("@clack/prompts");
  const code = String(randomInt(1_000, 10_000));
  const typed = answered(
    await text({ message: `Type ${code} to approve this, anything else to leave it`, ...asking }),
  );
  return (typed ?? "").trim() === code;
}

export function parseArguments(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Ctrl-C, or nobody needs the answer any more. */
function answered<T>(answer: T): Exclude<T, symbol> {
  if (typeof answer === "symbol") throw new KeyholeError("cancelled", "Nothing was answered");
  return answer as Exclude<T, symbol>;
}
