import { resolve } from "node:path";
import type { CatalogEntry } from "../catalog/entry.ts";
import { createFingerprints } from "../engine/approvals/server-fingerprints.ts";
import { createEngine, startEarly } from "../engine/create-engine.ts";
import type { Engine, FinishedRun } from "../engine/engine.ts";
import type { EngineEvent } from "../engine/events/event.ts";
import { readRun } from "../engine/runs/runs-of-project.ts";
import { KeyholeError } from "../errors.ts";
import type { RunFailure } from "../run-failure.ts";
import { createSharedSession } from "../session.ts";
import { createKeyholeCommand, type KeyholeCommand } from "../text/keyhole-command.ts";
import { toExcerpt, toPlainText } from "../text/plain-text.ts";
import { VERSION } from "../version.ts";
import { createTerminalChannel, hasPerson } from "./approvals/terminal-channel.ts";
import type { CommandContext, CommandHandler } from "./command.ts";
import { count, describeTier } from "./format.ts";
import { interruptible } from "./interrupt.ts";
import { describeError, type Output } from "./output.ts";
import { readProgramFile, toLanguageOption, toProgramLanguage } from "./program-file.ts";
import { withCatalog } from "./read-catalog.ts";

/** Runs a program. What it prints and returns goes to stdout, everything about it to stderr. */
export const run: CommandHandler = async (context) => {
  const program = await readProgram(context);
  return runPrograms(context, async () => program);
};

/** @param toProgram which program, once there are skills to make it of */
export async function runPrograms(
  context: CommandContext,
  toProgram: (skills: Engine["skills"]) => Promise<Program>,
): Promise<number> {
  const { output, options } = context;
  startEarly();
  return withCatalog(context, async ({ project, entries }) => {
    const engine = createEngine(project, {
      checkTypes: options["check"] === false ? false : undefined,
      cache: options["cache"] !== false,
      poolSize: 0,
      onNotice: output.notice,
    });
    const session = createSharedSession("cli", { client: { name: "keyhole run", version: VERSION } });
    const command = createKeyholeCommand(context.projectDir);
    let latest = "Running";
    const showProgress = () => output.progress(() => latest);
    let progress = showProgress();
    let isOver = false;
    const askPerson = createTerminalChannel({
      output,
      projectDir: context.projectDir,
      fingerprintOf: createFingerprints(project.config, project.state),
      async quietly(work) {
        progress.done();
        try {
          return await work();
        } finally {
          if (!isOver) progress = showProgress();
        }
      },
      onInterrupt: () => process.emit("SIGINT"),
    });
    // There is one run only.
    engine.events.subscribe({}, (event) => {
      latest = describeEvent(event) ?? latest;
      if (event.kind === "asked" && !hasPerson()) noteAsked(event, output, engine.answerBy(event.approvalId));
    });
    try {
      const { code, language, resume } = await toProgram(engine.skills);
      return await interruptible(async (signal) => {
        const result = await engine.run({
          code,
          language,
          session,
          signal,
          resume,
          tier: typeof options["tier"] === "string" ? options["tier"] : undefined,
          plan: context.options["plan"] === true ? true : undefined,
          askPerson: hasPerson() ? askPerson : undefined,
        });
        isOver = true;
        progress.done();
        print(result, output);
        if (!result.ok && !output.json) printFailed(entries, code, output);
        for (const waited of result.for ?? [])
          if (waited.kind === "approval") noteWaiting(result, waited, output, command);
        if (result.status === "failed") return toExitCode(result.error);
        return result.ok ? 0 : 1;
      });
    } finally {
      isOver = true;
      progress.done();
      await engine.close();
    }
  });
}

type Program = {
  readonly code: string;
  readonly language?: string | undefined;
  readonly resume?: string | undefined;
};

/** What is to run; of a run that goes on, what it was unless something is said. */
async function readProgram(context: CommandContext): Promise<Program> {
  const { args, options, projectDir } = context;
  const { resume } = options;
  if (typeof resume !== "string")
    return { code: await readCode(context), language: toProgramLanguage(options["lang"], args[0]) };
  if (args.length > 0 || options["eval"] !== undefined)
    return { code: await readCode(context), language: toProgramLanguage(options["lang"], args[0]), resume };
  const { code, language } = await readRun(resolve(projectDir), resume);
  return { code, language, resume };
}

/** Nobody sits here: whoever reads along knows what it waits for, and how to answer. */
function noteAsked(
  { approvalId, calls }: { readonly approvalId: string; readonly calls: number },
  output: Output,
  answerBy: string,
): void {
  output.note(
    `${count(calls, "call")} ${calls === 1 ? "waits" : "wait"} for a person: approval ${approvalId}. ${answerBy}`,
  );
}

/** How it is answered has been told, with the question and with what the run came to. */
function noteWaiting(
  { runId }: FinishedRun,
  { approvalId }: { readonly approvalId: string },
  output: Output,
  command: KeyholeCommand,
): void {
  output.note(`${command(`approvals show ${approvalId}`)} tells what is asked`);
  output.note(`once it is answered, ${command(`run --resume ${runId}`)} goes on`);
}

async function readCode({ args, options }: CommandContext): Promise<string> {
  const [file] = args;
  const inline = options["eval"];
  if (typeof inline === "string" && file !== undefined) {
    throw new KeyholeError("usage", "Both a file and -e CODE were given", { hint: "Leave one of them out" });
  }
  if (typeof inline === "string") return inline;
  if (file === undefined) {
    throw new KeyholeError("usage", "Nothing to run", {
      hint: "Name a file, or give the program with -e CODE, or - for standard input",
    });
  }
  return readProgramFile(file);
}

/** 3: it was denied, or what it needed. */
function toExitCode(error: RunFailure): number {
  return error.kind === "denied" || ("code" in error && error.code === "denied") ? 3 : 1;
}

function print(result: FinishedRun, output: Output): void {
  const { text: shown, emitted, ...data } = result;
  if (output.json) {
    output.printJson({ ...data, emitted });
    return;
  }
  // A program that could not be read may be in another language.
  output.print(result.ok || result.calls.length > 0 ? shown : toLanguageOption(shown));
  for (const block of emitted) output.print(describeBlock(block));
  const { receipt, calls } = result;
  const facts = [
    `${count(calls.length, "call")}${describeCached(calls)}`,
    `the model saw ${receipt["seenTokens"]} tokens`,
    `directly ${receipt["directTokens"]}`,
    ...(receipt.tier === undefined ? [] : [describeTier(receipt.tier)]),
  ];
  output.note(facts.join(" · "));
}

function describeCached(calls: FinishedRun["calls"]): string {
  const cached = calls.filter((call) => call.cached).length;
  return cached === 0 ? "" : ` (${cached} cached)`;
}

/** Why a server that the program names is not there. */
function printFailed(entries: readonly CatalogEntry[], code: string, output: Output): void {
  for (const { name, identifiers, error } of entries) {
    if (
      !error ||
      !(code.includes(name) || code.includes(identifiers.typescript) || code.includes(identifiers.python))
    )
      continue;
    for (const line of describeError(error, (_style, text) => text)) output.note(line);
  }
}

function describeBlock(block: unknown): string {
  if (typeof block !== "object" || block === null || !("type" in block)) return "[something emitted]";
  if (block.type === "text" && "text" in block) return toPlainText(String(block.text));
  const size = "data" in block ? ` of ${String(block.data).length} base64 characters` : "";
  return `[${toExcerpt(String(block.type), 40)}${size}]`;
}

function describeEvent(event: EngineEvent): string | undefined {
  if (event.kind === "log") return toExcerpt(event.text.slice(event.text.lastIndexOf("\n") + 1));
  if (event.kind === "asked") return `Waiting for a person: approval ${event.approvalId}`;
  if (event.kind === "call") return toExcerpt(`Call ${event.number}: ${event.server} ${event.tool}`);
  return undefined;
}
