import { argumentPaths, type FingerprintOf, toAlwaysRules } from "../../engine/approvals/always-rule.ts";
import {
  type Approval,
  type AskPerson,
  type PersonsAnswer,
  scopesOf,
} from "../../engine/approvals/approvals-of-project.ts";
import { errorMessage } from "../../errors.ts";
import { createKeyholeCommand } from "../../text/keyhole-command.ts";
import { toQuestionText } from "../../text/plain-text.ts";
import type { Output } from "../output.ts";
import { describeApproval } from "./describe.ts";
import { askChoice, askEdits, askFree, askReason, askToWriteRules } from "./prompts.ts";
import { planRules, type RulesChange, writeRules } from "./user-rules.ts";

export type TerminalChannelOptions = {
  readonly output: Output;
  readonly projectDir: string;
  readonly fingerprintOf: FingerprintOf;
  /** Has the line of progress out of the way meanwhile. */
  quietly<T>(work: () => Promise<T>): Promise<T>;
  /** The person pressed Ctrl-C. */
  onInterrupt(): void;
};

/** More than this does not fit on a terminal; what is left out is said. */
const LIMITS = { calls: 20, argumentChars: 4_000, excerptChars: 4_000, entries: 20 };

/** Whether a person sits at this process: what they are asked is on stderr, what they type on stdin. */
export function hasPerson(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks the person who started the program, one question after the other; once more where the answer is none that is taken. */
export function createTerminalChannel(options: TerminalChannelOptions): AskPerson {
  let last: Promise<unknown> = Promise.resolve();
  function ask(approval: Approval, signal: AbortSignal): Promise<PersonsAnswer | undefined> {
    const asked = last.then(async () => {
      if (signal.aborted) return undefined;
      return options.quietly(() => askOne(approval, signal, options));
    });
    last = asked.catch(() => {});
    const onRefused = (problem: string) => {
      options.output.notice(problem);
      return ask(approval, signal);
    };
    return asked.then((given) => given && { ...given, onRefused });
  }
  return { channel: "terminal", ask };
}

async function askOne(
  approval: Approval,
  signal: AbortSignal,
  { output, projectDir, fingerprintOf, onInterrupt }: TerminalChannelOptions,
): Promise<PersonsAnswer | undefined> {
  const limits = { ...LIMITS, command: createKeyholeCommand(projectDir) };
  output.tell(["", ...describeApproval(approval, { style: output.styleError }, limits), ""]);
  try {
    const given = await askAnswer(approval, { output, projectDir, fingerprintOf, signal });
    return { ...given, by: "terminal" };
  } catch {
    if (signal.aborted) output.note(`${approval.id} is not asked for here any more`);
    else onInterrupt();
    return undefined;
  }
}

type Asked = Pick<TerminalChannelOptions, "output" | "projectDir" | "fingerprintOf"> & {
  readonly signal: AbortSignal;
};

async function askAnswer(approval: Approval, asked: Asked): Promise<Omit<PersonsAnswer, "by">> {
  const { signal } = asked;
  const asking = { output: process.stderr, signal };
  for (;;) {
    const canAlways = "rules" in toAlwaysRules(approval, asked.fingerprintOf);
    const choice = await askChoice(asking, { scopes: scopesOf(approval), canAlways });
    if (choice === "deny") return { answer: await askReason(asking) };
    if (choice === "edit") return { answer: await askEdits(asking, approval.calls) };
    if (choice !== "always") return { answer: { decision: "approve", scope: choice } };
    const free = await askFree(asking, [...new Set(approval.calls.flatMap(argumentPaths))]);
    const change = await planAlways(approval, free, asked);
    if (change === undefined || !(await askToWriteRules(asking))) continue;
    return {
      answer: { decision: "approve", scope: "always" },
      onHeld: () => writeAlways(change, asked.output),
    };
  }
}

/** The calls are approved by then; without the rule they are asked for another time. */
async function writeAlways(change: RulesChange, output: Output): Promise<void> {
  try {
    await writeRules(change);
    output.note(`Written to ${change.file}`);
  } catch (error) {
    output.notice(`Approved, but the rule was not written: ${errorMessage(error)}`);
  }
}

/** Shows what would be written; nothing where there can be no rule. */
async function planAlways(
  approval: Approval,
  free: readonly string[],
  { projectDir, fingerprintOf, output }: Asked,
): Promise<RulesChange | undefined> {
  const made = toAlwaysRules(approval, fingerprintOf, free);
  if ("reason" in made) {
    output.notice(`No rule can be written: ${made.reason}`);
    return undefined;
  }
  try {
    const change = await planRules(made.rules, projectDir);
    output.tell(describeRules(made.rules, change.file));
    return change;
  } catch (error) {
    output.notice(errorMessage(error));
    return undefined;
  }
}

/** The rules as they will be read, and where. */
export function describeRules(rules: readonly object[], file: string): string[] {
  return [
    `First in permissions.rules of ${file}:`,
    ...rules.map((rule) => `  ${toQuestionText(JSON.stringify(rule))}`),
    "It holds in this project, for the server as it is defined now, and not for others of its name",
    "A project's own config can still be stricter",
  ];
}
