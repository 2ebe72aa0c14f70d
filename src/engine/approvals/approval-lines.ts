import {
  type Approval,
  MAX_NAMED_TOOLS,
  type PendingCall,
  toolsOf,
} from "../../policy/approvals/approval.ts";
import { toAskedCommand } from "../../policy/approvals/command-call.ts";
import { isRecord } from "../../text/is-record.ts";
import { type KeyholeCommand, PLAIN_COMMAND } from "../../text/keyhole-command.ts";
import { showLookAlikes, showLookAlikesInName } from "../../text/look-alikes.ts";
import { toExcerpt, toQuestionText } from "../../text/plain-text.ts";

/** What of it is ours, and what a program or a server has written. */
export type ApprovalLine = {
  readonly kind: "title" | "fact" | "heading" | "warning" | "foreign" | "gap";
  readonly text: string;
};

export type ShownLimits = {
  readonly calls: number;
  /** Of each call's arguments. */
  readonly argumentChars: number;
  readonly excerptChars: number;
  /** Of each list. */
  readonly entries: number;
  /** How the command is written that shows all of it. */
  readonly command?: KeyholeCommand;
};

const ALL = Number.POSITIVE_INFINITY;
export const WHOLE: ShownLimits = { calls: ALL, argumentChars: ALL, excerptChars: ALL, entries: ALL };

/**
 * Everything a person should know to answer, the same on a terminal and in a client's form. Our lines stand within two spaces
 * of the edge; what is foreign stands four in, after an empty line: it can't pass for a line of ours, and where a
 * client shows Markdown, such lines are shown as they are. What is left out is said first.
 */
export function toApprovalLines(approval: Approval, limits: ShownLimits = WHOLE): ApprovalLine[] {
  const { id, calls, about } = approval;
  const shown = toShownCalls(calls, limits.calls).map((call) => ({ call, ...toArguments(call, limits) }));
  const isCut = shown.length < calls.length || shown.some(({ cutChars }) => cutChars > 0);
  const all = (limits.command ?? PLAIN_COMMAND)(`approvals show ${id}`);
  return [
    own("title", toTitle(approval)),
    ...(isCut ? [own("warning", `  Not all of it is shown here. All of it: ${all}`)] : []),
    ...(shown.length < calls.length ? section("Its calls are of", toToolLines(calls), MAX_NAMED_TOOLS) : []),
    ...toFacts(approval).map(([name, value]) => own("fact", `  ${name.padEnd(10)}${toExcerpt(value, 300)}`)),
    ...shown.flatMap(({ call, lines, cutChars }) => [
      GAP,
      own("heading", `  Call ${call.number}`),
      ...(call.repeat === undefined ? [] : [own("warning", `  ${mayHaveHappened(call.repeat)}`)]),
      ...foreign([
        `${toName(call.server)}.${toName(call.tool)}`,
        `(${toExcerpt(call.reason, 2_000)})`,
        ...toCommand(call),
        ...lines,
      ]),
      ...(cutChars > 0 ? [own("warning", `  ${cutChars} more characters of its arguments`)] : []),
    ]),
    ...more(calls.length - shown.length, "call"),
    ...section("The program there", toProgram(about.excerpt ?? "", limits.excerptChars), ALL),
    ...section("It names these hosts and commands", toReach(about.impact), limits.entries),
    ...(about.written.length === 0 ? [GAP, own("fact", "  Nothing was written in this run so far")] : []),
    ...section(
      "Written already in this run",
      about.written.map(({ server, tool, effect, arguments: args = "" }) =>
        `${toName(server)}.${toName(tool)}: ${toEffectWords(effect)} ${toQuestionText(showLookAlikes(args))}`.trimEnd(),
      ),
      limits.entries,
    ),
    ...section(
      "Approved before in this run",
      about.approvedBefore.map((line) => toExcerpt(line)),
      limits.entries,
    ),
  ];
}

/** One of each tool before a second of any: a program chooses the order of its calls, and not what is seen of them. */
function toShownCalls(calls: readonly PendingCall[], most: number): readonly PendingCall[] {
  if (calls.length <= most) return calls;
  const firsts = toolsOf(calls).map(({ first }) => first);
  const kept = new Set([...new Set([...firsts, ...calls])].slice(0, most));
  return calls.filter((call) => kept.has(call));
}

function toToolLines(calls: readonly PendingCall[]): string[] {
  return toolsOf(calls).map(({ first, count }) => {
    const isCommand = toAskedCommand(first) !== undefined;
    const command = isCommand ? ` ${toName(String(first.args["command"]))}` : "";
    return `${toName(first.server)}.${toName(first.tool)}${command}: ${count === 1 ? "1 call" : `${count} calls`}`;
  });
}

function toTitle({ id, calls: { length }, about }: Approval): string {
  const count = length === 1 ? "1 call" : `${length} calls`;
  return about.plan === undefined
    ? `${id}: a program wants to make ${count} that ${length === 1 ? "needs" : "need"} a person's word`
    : `${id}: a program would make ${count} that ${length === 1 ? "writes" : "write"}; none is made before the answer`;
}

function toFacts({ runId, session, status, about, expiresAt, answer }: Approval): [string, string][] {
  const { risk, plan, impact } = about;
  return [
    ["status", status],
    ["run", `${runId}, session ${session}`],
    ["answer by", new Date(expiresAt).toISOString()],
    ...(risk === undefined ? [] : [fact("risk", `${risk.level} (${risk.score} of 100)`)]),
    ...(plan?.guessFrom === undefined
      ? []
      : [fact("plan", `from call ${plan.guessFrom} on it is a guess: it depends on what a write returns`)]),
    ...(isRecord(impact) ? [fact("impact", toImpact(impact))] : []),
    ...(answer === undefined ? [] : [fact("answer", toAnswer(answer))]),
  ];
}

const fact = (name: string, value: string): [string, string] => [name, value];

function mayHaveHappened(times: number): string {
  const often = times === 1 ? "once" : `${times} times`;
  return `This may already have happened: it was sent ${often} before, and nobody knows whether it was done. Approved, it is made again`;
}

function toEffectWords(effect: string): string {
  if (effect === "landed") return "done";
  return effect === "failed" ? "failed" : "may have been done, nobody knows";
}

function toImpact(impact: Record<string, unknown>): string {
  const change = impact["modifies"] === true ? "changes something" : "changes nothing that its text shows";
  const back = impact["reversible"] === true ? "can be changed back" : "can't be taken back";
  const dynamic = impact["dynamic"] === true ? ", calls tools that its text does not name" : "";
  return `${change}${impact["modifies"] === true ? `, ${back}` : ""}${dynamic}`;
}

/** What the program's text says of itself beside its calls. */
function toReach(impact: unknown): string[] {
  if (!isRecord(impact)) return [];
  const named = (list: unknown, key: string) =>
    (Array.isArray(list) ? list : []).map((one: unknown) => {
      const name = isRecord(one) ? one[key] : undefined;
      return typeof name === "string" ? toName(name) : "one that is not written out";
    });
  return [
    ...new Set([
      ...named(impact["hosts"], "host").map((name) => `host ${name}`),
      ...named(impact["commands"], "command").map((name) => `command ${name}`),
    ]),
  ];
}

function toAnswer(answer: NonNullable<Approval["answer"]>): string {
  const how =
    answer.decision === "approve"
      ? `approved, ${answer.scope}${answer.edits === undefined ? "" : ", with other arguments"}`
      : `denied${answer.reason === undefined ? "" : `: ${answer.reason}`}`;
  return `${how}, by ${answer.by}, ${new Date(answer.at).toISOString()}`;
}

function toCommand(call: PendingCall): string[] {
  const line = toAskedCommand(call);
  if (line === undefined) return [];
  const shown = toQuestionText(showLookAlikes(line));
  return [shown.length > MAX_COMMAND ? `$ ${shown.slice(0, MAX_COMMAND)}…` : `$ ${shown}`];
}

/** All of it is in the arguments. */
const MAX_COMMAND = 1_000;

type Arguments = { readonly lines: readonly string[]; readonly cutChars: number };

function toArguments({ args }: PendingCall, { argumentChars }: ShownLimits): Arguments {
  const text = JSON.stringify(args, null, 2);
  const lines = text.slice(0, argumentChars).split("\n").map(toArgumentLine);
  return { lines, cutChars: Math.max(0, text.length - argumentChars) };
}

/** Of printed JSON: a key and what follows it, or a value alone. */
function toArgumentLine(line: string): string {
  const [key = ""] = /^\s*"(?:[^"\\]|\\.)*":/.exec(line) ?? [];
  return toQuestionText(showLookAlikesInName(key) + showLookAlikes(line.slice(key.length)));
}

function toName(name: string): string {
  const line = toQuestionText(showLookAlikesInName(name)).replace(/\s+/g, " ");
  return line.length > 150 ? `${line.slice(0, 149)}…` : line;
}

function toProgram(excerpt: string, maxChars: number): string[] {
  if (excerpt === "") return [];
  const lines = excerpt.slice(0, maxChars).split(/\r\n|[\n\r\u2028\u2029]/);
  return [
    ...lines.map((line) => `| ${toQuestionText(showLookAlikes(line))}`),
    ...(excerpt.length > maxChars ? [`… ${excerpt.length - maxChars} more characters`] : []),
  ];
}

function section(title: string, lines: readonly string[], most: number): ApprovalLine[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, most);
  return [GAP, own("heading", `  ${title}`), ...foreign(shown), ...more(lines.length - shown.length, "more")];
}

function more(left: number, what: "call" | "more"): ApprovalLine[] {
  if (left === 0) return [];
  return [own("warning", what === "call" ? `  and ${left} more that are not shown` : `  and ${left} more`)];
}

function foreign(lines: readonly string[]): ApprovalLine[] {
  return [GAP, ...lines.map((text) => ({ kind: "foreign", text: `    ${text}` }) as const)];
}

const own = (kind: ApprovalLine["kind"], text: string): ApprovalLine => ({ kind, text });
const GAP = own("gap", "");
