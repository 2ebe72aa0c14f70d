import { userInfo } from "node:os";
import { resolve } from "node:path";
import { type AlwaysRules, type FingerprintOf, toAlwaysRules } from "../engine/approvals/always-rule.ts";
import {
  type Approval,
  type ApprovalAnswer,
  type ApprovalScope,
  type ProjectApprovals,
  SCOPES,
  withApprovals,
} from "../engine/approvals/approvals-of-project.ts";
import { toShownApproval } from "../engine/approvals/shown-approval.ts";
import { errorMessage, KeyholeError } from "../errors.ts";
import { createKeyholeCommand, type KeyholeCommand } from "../text/keyhole-command.ts";
import { toExcerpt, toQuestionText } from "../text/plain-text.ts";
import { approvalLine, describeApproval } from "./approvals/describe.ts";
import { askTyped, parseArguments } from "./approvals/prompts.ts";
import { assertScriptToken } from "./approvals/script-token.ts";
import { describeRules, hasPerson } from "./approvals/terminal-channel.ts";
import { planRules, type RulesChange, writeRules } from "./approvals/user-rules.ts";
import type { CommandContext, CommandHandler } from "./command.ts";

/** What people are asked, and their answers; from any process, and no server is started for it. */
export const approvals: CommandHandler = async (context) => {
  const [action = "list", id, ...more] = context.args;
  const handler = ACTIONS[action];
  if (handler !== undefined && action !== "list" && id === undefined)
    throw usage(
      `keyhole approvals ${action} needs the id of an approval`,
      `Write keyhole approvals ${action} ID; ${commandOf(context)("approvals list")} shows those that wait`,
    );
  const isUsable = handler !== undefined && (action === "list") === (id === undefined) && more.length === 0;
  if (!isUsable)
    throw usage(
      `keyhole approvals can't "${toExcerpt(context.args.join(" "), 60)}"`,
      "Write keyhole approvals list, show ID, approve ID, or deny ID",
    );
  const place = { projectDir: resolve(context.projectDir), trust: context.options["trust"] === true };
  return withApprovals(place, context.output.notice, (known) => handler(context, known, id ?? ""));
};

type Action = (context: CommandContext, known: ProjectApprovals, id: string) => Promise<number>;

const ACTIONS: Readonly<Record<string, Action | undefined>> = Object.assign(Object.create(null), {
  list,
  show,
  approve,
  deny,
});

async function list({ output, options }: CommandContext, known: ProjectApprovals): Promise<number> {
  const found = await known.list(options["all"] === true ? {} : { status: "pending" });
  if (output.json) {
    await known.shown(found, answerer());
    output.printJson({ approvals: found.map(toShownApproval) });
  } else if (found.length === 0) output.print("Nothing waits for an answer");
  else for (const approval of found) output.print(approvalLine(approval));
  return 0;
}

async function show(
  { output, projectDir }: CommandContext,
  known: ProjectApprovals,
  id: string,
): Promise<number> {
  const approval = await find(known, id, projectDir);
  await known.shown([approval], answerer());
  if (output.json) output.printJson(toShownApproval(approval));
  else for (const line of describeApproval(approval, output)) output.print(line);
  return 0;
}

/** Saying no needs no proof: it is what happens anyway when nobody answers. */
async function deny(
  { output, options, projectDir }: CommandContext,
  known: ProjectApprovals,
  id: string,
): Promise<number> {
  assertChannel(known);
  const reason = options["reason"];
  const answer: ApprovalAnswer = {
    decision: "deny",
    ...(typeof reason === "string" && reason.trim() !== "" ? { reason: toExcerpt(reason, 500) } : {}),
  };
  const answered = await known.answer((await find(known, id, projectDir)).id, answer, answerer());
  if (output.json) output.printJson(toShownApproval(answered));
  else output.print(`Denied ${answered.id}`);
  return 0;
}

async function approve(context: CommandContext, known: ProjectApprovals, id: string): Promise<number> {
  const { output, options, projectDir } = context;
  assertChannel(known);
  const approval = await find(known, id, projectDir);
  if (approval.status !== "pending")
    throw usage(
      `Approval "${approval.id}" is ${approval.status} already${approval.answer ? ` by ${approval.answer.by}` : ""}`,
      `${commandOf(context)(`approvals show ${approval.id}`)} tells more`,
    );
  const scope = SCOPES.find((one) => one === (options["scope"] ?? "once")) ?? "once";
  const edits = readEdits(approval, options);
  if (edits !== undefined && scope !== "once")
    throw usage("Other arguments hold for these calls alone", "Leave out --scope");
  const rules = toRules(approval, known.fingerprintOf, scope, options["free"]);
  const change = rules && (await planRules(rules, projectDir));
  const isScript = options["yes"] === true;
  if (isScript) await assertScriptToken(projectDir, process.env);
  else if (!output.interactive || !hasPerson()) throw noTerminal(approval.id, commandOf(context));
  await known.shown([approval], answerer());
  if (!output.json) {
    output.tell(describeApproval(approval, { style: output.styleError }));
    if (edits !== undefined)
      output.tell(["", "  With these arguments instead", ...editLines(edits).map((line) => `    ${line}`)]);
    if (rules && change) output.tell(["", ...describeRules(rules, change.file)]);
  }
  if (!isScript && !(await askTyped({ output: process.stderr }))) {
    output.print(`Left ${approval.id} as it was`);
    return 1;
  }
  const answer = { decision: "approve", scope, ...(edits && { edits }) } as const;
  const answered = await known.answer(
    approval.id,
    answer,
    isScript ? `${answerer()}, by a script` : answerer(),
  );
  // Only now is it known that this answer is the one that holds.
  const isWritten = change === undefined || (await writeKept(change, output));
  if (output.json) output.printJson(toShownApproval(answered));
  else {
    output.print(`Approved ${answered.id}`);
    output.note(
      `If the run has ended as waiting, ${commandOf(context)(`run --resume ${toExcerpt(answered.runId, 40)}`)} goes on with it`,
    );
  }
  return isWritten ? 0 : 1;
}

async function writeKept(change: RulesChange, output: CommandContext["output"]): Promise<boolean> {
  try {
    await writeRules(change);
    return true;
  } catch (error) {
    output.notice(`Approved once, but the rule was not written: ${errorMessage(error)}`);
    return false;
  }
}

const commandOf = ({ projectDir }: Pick<CommandContext, "projectDir">) => createKeyholeCommand(projectDir);

function toRules(approval: Approval, fingerprintOf: FingerprintOf, scope: ApprovalScope, free: unknown) {
  const paths = Array.isArray(free) ? free.map(String) : [];
  if (scope !== "always") {
    if (paths.length > 0) throw usage("--free is for --scope always", "Leave out one, or add the other");
    return undefined;
  }
  const made: AlwaysRules = toAlwaysRules(approval, fingerprintOf, paths);
  if ("rules" in made) return made.rules;
  throw usage(`No rule can be written: ${made.reason}`, "Approve it once, or write a rule by hand");
}

/** `--args` for the one call there is, `--edit NUMBER=JSON` for one of several. */
function readEdits({ id, calls }: Approval, { args, edit }: Readonly<Record<string, unknown>>) {
  const written = new Map<string, string>();
  if (typeof args === "string") {
    const [only, ...others] = calls;
    if (only === undefined || others.length > 0)
      throw usage(
        `Approval "${id}" has ${calls.length} calls`,
        "Write --edit NUMBER=JSON for each that is to change",
      );
    written.set(String(only.number), args);
  }
  for (const one of Array.isArray(edit) ? edit.map(String) : []) {
    const [, number, json] = /^(\d{1,9})=([\s\S]*)$/.exec(one) ?? [];
    if (number === undefined || json === undefined)
      throw usage(`--edit can't be "${toExcerpt(one, 60)}"`, "Write --edit NUMBER=JSON");
    written.set(number, json);
  }
  if (written.size === 0) return undefined;
  return Object.fromEntries(
    [...written].map(([number, json]) => {
      const parsed = parseArguments(json);
      if (parsed === undefined)
        throw usage(
          `The arguments of call ${number} must be a JSON object`,
          'Write for example {"to":"ada"}',
        );
      return [number, parsed];
    }),
  );
}

function editLines(edits: Readonly<Record<string, object>>): string[] {
  return Object.entries(edits).map(
    ([number, args]) => `call ${number}: ${toQuestionText(JSON.stringify(args))}`,
  );
}

async function find(known: ProjectApprovals, id: string, projectDir: string): Promise<Approval> {
  const found = await known.get(id);
  if (found) return found;
  throw usage(
    `There is no approval ${JSON.stringify(toExcerpt(id, 40))} here`,
    `${commandOf({ projectDir })("approvals list")} shows those there are`,
  );
}

function assertChannel({ channels }: ProjectApprovals): void {
  if (channels.includes("cli")) return;
  throw new KeyholeError(
    "denied",
    'Answers by this command are switched off: "approval.channels" has no "cli"',
    {
      hint: `Answer by ${channels.join(", ") || "none: no way is configured"}`,
    },
  );
}

function noTerminal(id: string, command: KeyholeCommand): KeyholeError {
  return new KeyholeError("denied", `"${id}" is approved by a person on a terminal, and this is none`, {
    hint: `Run ${command(`approvals approve ${id}`)} in a terminal of your own; docs/approvals.md tells how a script can`,
  });
}

function answerer(): string {
  try {
    return `cli ${toExcerpt(userInfo().username, 60)}`;
  } catch {
    return "cli";
  }
}

function usage(message: string, hint: string): KeyholeError {
  return new KeyholeError("usage", message, { hint });
}
