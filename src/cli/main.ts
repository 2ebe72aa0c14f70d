#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { KeyholeError, toKeyholeError } from "../errors.ts";
import { VERSION } from "../version.ts";
import type { CommandHandler } from "./command.ts";
import { initCommand } from "./init.ts";
import { endOnInterrupt } from "./interrupt.ts";
import { createOutput } from "./output.ts";

// Whoever reads our output may stop early, as `head` does. That is no failure.
process.stderr.on("error", () => {});
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

endOnInterrupt();
await run(createProgram(await languageWords(process.argv), process.argv), process.argv);

/** Commands load their code when they run: a fast one must not pay for what another needs. */
function createProgram(languages: readonly string[], argv: readonly string[]): Command {
  const program = new Command("keyhole")
    .description("MCP servers as typed functions for programs that agents write")
    .option("--project <dir>", "the folder with .mcp.json and keyhole.config", ".")
    .option("--trust", "use what this folder brings, for this command, as if you had trusted it")
    .showSuggestionAfterError()
    .exitOverride();

  // There it means that of a skill.
  if (!argv.includes("skills")) program.version(VERSION);
  program.addCommand(initCommand({ output: createOutput }));
  define(program, "doctor", async () => (await import("./doctor.ts")).doctor)
    .description("show what works here, and how to get what is missing")
    .option("--quick", "do not try each limit of each tier and language: that is most of its time");
  define(program, "servers", async () => (await import("./servers.ts")).servers).description(
    "connect to the servers and show how they answer",
  );
  define(program, "tools", async () => (await import("./tools.ts")).tools)
    .description("list the tools")
    .argument("[server]", "only those of this server")
    .option("--refresh", "ask the servers, whatever the cache holds")
    .option("--wait", "wait for slow servers as long as their settings allow")
    .option(
      "--probe",
      "call read-only tools of trusted servers that need no arguments, to learn what they return",
    );
  define(program, "generate", async () => (await import("./generate.ts")).generate)
    .description("write the typed file tree")
    .option("--out <dir>", "where to write", "servers")
    .option("--force", "write into a folder that has other things in it; they stay")
    .addOption(new Option("--lang <language>", "which wrappers to write").choices(languages).default("ts"))
    .option("--refresh", "ask the servers, whatever the cache holds")
    .option("--wait", "wait for slow servers as long as their settings allow");
  define(program, "search", async () => (await import("./search.ts")).search)
    .description("find tools by what they do")
    .argument("[query...]", "in your own words; without it, the servers")
    .addOption(
      new Option("--detail <level>", "how much of each tool").choices(["name", "description", "full"]),
    )
    .option("--limit <n>", "how many at most", parseCount)
    .addOption(new Option("--lang <language>", "which signatures to show").choices(languages).default("ts"));
  define(program, "run", async () => (await import("./run.ts")).run)
    .description("run a program against the tools, in a sandbox")
    .argument("[file]", "the program; - reads standard input")
    .option("-e, --eval <code>", "the program itself")
    .addOption(new Option("--lang <language>", "what it is written in").choices(languages))
    .addOption(
      new Option("--tier <tier>", "where it runs at least; the config can demand a stronger one").choices([
        "process",
        "docker",
        "vm",
      ]),
    )
    .option("--no-check", "run it without checking its types first")
    .option("--no-cache", "send every call, whatever an equal one returned before")
    .option("--plan", "plan what it would write first, and ask for all of it at once")
    .option("--resume <run>", "go on with a run that waits or was interrupted; its program is known");
  define(program, "check", async () => (await import("./check.ts")).check)
    .description("say what a program would do, and whether it may; runs nothing")
    .argument("[file]", "the program; - reads standard input")
    .addOption(new Option("--lang <language>", "what it is written in").choices(languages));
  define(program, "serve", async () => (await import("./serve.ts")).serve)
    .description("serve search_tools and execute_code to an MCP client")
    .option("--stdio", "over standard input and output (the default)")
    .option("--http <[host:]port>", "over Streamable HTTP");
  define(program, "skills", async () => (await import("./skills.ts")).skills)
    .description(
      "programs that are kept to be used again: list, show NAME, save NAME, run NAME, test NAME, search QUERY, remove NAME, rollback NAME, approve NAME, export NAME…, import PATH, publish NAME…, team, key",
    )
    .argument(
      "[action]",
      "list (unless something is said), show, save, run, test, search, remove, rollback, approve, export, import, publish, team or key",
    )
    .argument("[name...]", "the name of a skill; of a search, what it does; of an import, a pack or a folder")
    .option("--file <file>", "save: its code; - reads standard input")
    .option("--description <text>", "save: what it does, and when to use it")
    .option("--tags <words>", "save: words to find it by, with commas")
    .option("--tests <file>", "save: a program that fails when the skill is wrong")
    .addOption(new Option("--lang <language>", "save: what it is written in").choices(languages))
    .option("--args <json>", "run: what the function is called with: an object, or a list of arguments")
    .option("--function <name>", "run: which of its functions")
    .option("--version <n>", "show, rollback: which version", parseCount)
    .option("--diff <a..b>", "show: what changed from one version to another")
    .option("--plan", "run: plan what it would write first, and ask for all of it at once")
    .option("--limit <n>", "search: how many at most", parseCount)
    .option("--out <file>", "export: where the pack is written to, else to standard output")
    .option("--versions", "export: with the versions before")
    .option("--name <name>", "import: only this one", collect)
    .option("--as <name>", "import: under another name")
    .option("--yes", "approve, import: ask nothing");
  define(program, "runs", async () => (await import("./runs.ts")).runs)
    .description("what ran and what runs: list, show RUN, cancel RUN")
    .argument("[action]", "list (unless something is said), show or cancel")
    .argument("[run]", "the id of a run")
    .option("--limit <n>", "how many to list", parseCount)
    .option("--code", "show the program, too");
  define(program, "approvals", async () => (await import("./approvals.ts")).approvals)
    .description("what waits for a person's word: list, show ID, approve ID, deny ID")
    .argument("[action]", "list (unless something is said), show, approve or deny")
    .argument("[id]", "the id of an approval")
    .option("--all", "list those that were answered, too")
    .option("--reason <text>", "why not: the program is told")
    .addOption(
      new Option("--scope <scope>", "for how much it holds").choices(["once", "run", "session", "always"]),
    )
    .option("--args <json>", "approve the call with other arguments")
    .option("--edit <number=json>", "the same for one of several calls", collect)
    .option("--free <path>", "with --scope always: an argument that may be anything, such as $.body", collect)
    .option("--yes", "for scripts, with KEYHOLE_APPROVAL_TOKEN");
  define(program, "policy", async () => (await import("./policy.ts")).policy)
    .description("which rule decides about a call, and why: explain TOOL, test FILE, accept TOOL")
    .argument("<action>", "explain, test or accept")
    .argument("[subject]", "server.tool, or a file of expectations")
    .option("--args <json>", "the call's arguments")
    .option("--principal <name>", "for whom it would be made");
  define(program, "privacy", async () => (await import("./privacy.ts")).privacy)
    .description("what is personal, and forgetting it: scan FILE, stats, forget VALUE, reveal FILE")
    .argument("<action>", "scan, stats, forget or reveal")
    .argument("[subject]", "a file (- reads standard input); for forget a value or a token")
    .option("--all", "scan: also what is kept; forget: everything, of everybody")
    .option("--session <id>", "forget what only this session has seen")
    .option("--class <class>", "forget all values of this class")
    .option("--older-than <age>", "forget what was not met for so long: 12h, 30d, 8w")
    .option("--principal <name>", "whose values (default: local)")
    .option("--output <file>", "where reveal writes to")
    .option("--yes", "forget without a question");
  define(program, "workspace", async () => (await import("./workspace.ts")).workspace)
    .description(
      "the files that programs keep: list, show [NAME [FILE]], snapshot [NAME], restore NAME SNAPSHOT, remove NAME [SNAPSHOT]",
    )
    .argument("[action]", "list (unless something is said), show, snapshot, restore or remove")
    .argument("[name]", "local (unless something is said), a principal, or shared/NAME")
    .argument("[subject]", "a file of it to show; a snapshot to restore or remove")
    .option("--note <text>", "what a snapshot is for")
    .option("--limit <n>", "how many files to show", parseCount)
    .option("--yes", "ask nothing");
  define(program, "audit", async () => (await import("./audit.ts")).audit)
    .description(
      "what was done here, and proof of it: list, show ID, verify, prove ID, report, export, anomalies, prune, anchor, keys, rotate-key",
    )
    .argument(
      "[action]",
      "list (unless something is said), show, verify, prove, report, export, anomalies, prune, anchor, keys or rotate-key",
    )
    .argument("[id]", "of a run, a session or an event, or the number of an event")
    .option("--from <time>", "from then on: 2026-11-02, 2026-11-02T14:30, yesterday, 2h, 7d")
    .option("--to <time>", "up to then; a day is in it as a whole")
    .option("--session <id>", "only of this session")
    .option("--principal <name>", "only of this principal")
    .option("--client <name>", "only of this client")
    .option("--server <name>", "only of this server")
    .option("--tool <name>", "only of this tool")
    .option("--run <id>", "only of this run")
    .option("--risk <level>", "this level or above: low, medium, high, critical")
    .option(
      "--outcome <outcomes>",
      "only so: ok, failed, denied, asked, waiting, cancelled; several by commas",
    )
    .option("--action <actions>", "only these: call.ended, or all of a kind (call); several by commas")
    .option("--text <text>", "stands somewhere in the event")
    .option("--where <field=value>", "only where this field is so: details.host=a.example, !risk", collect)
    .option("--limit <n>", "how many to list", parseCount)
    .option("--after <number>", "go on after this one: the number that the last page told", parseCount)
    .option("--page <n>", "the first page is 1", parseCount)
    .option("--oldest-first", "list the oldest first")
    .option("--framework <framework>", "of a report: soc2, hipaa or gdpr")
    .option("--format <format>", "of an export: jsonl, csv, cef or ocsf; of a report: md, html, json or pdf")
    .option("--out <file>", "where an export, a report or a proof is written to")
    .option("--key <file>", "verify by these public keys, and not by those of this user")
    .option("--database <file>", "verify this copy of a log, by --key")
    .option("--anchor <file>", "verify against checkpoints that were told outside")
    .option("--proof <file>", "verify the proof of one event")
    .option("--archive <file>", "verify what retention took out of the log")
    .option("--dry-run", "prune: only tell what would be taken out")
    .option("--notes", "anomalies: also what is merely new")
    .option("--release <session>", "anomalies: let a session go on that was stopped")
    .option("--seal", "rotate-key: the key that seals details, and not the one that signs");
  define(program, "trust", async () => (await import("./trust.ts")).trust)
    .description("show what this folder brings (servers, settings), and trust it by content")
    .option("--revoke", "trust nothing of it any more")
    .option("--yes", "ask nothing");
  define(program, "sandbox", async () => (await import("./sandbox.ts")).sandbox)
    .description("make what a stronger tier needs, from what is installed here: build docker, build vm")
    .argument("[action]", "build")
    .argument("[tier]", "docker or vm")
    .option(
      "--out <dir>",
      "docker: write a Dockerfile and what belongs to it there, for a registry of your own",
    );
  define(program, "clean", async () => (await import("./clean.ts")).clean)
    .description("remove what has expired, and what there is too much of, of all that Keyhole keeps")
    .option("--dry-run", "say what would go, and remove nothing");
  define(program, "stats", async () => (await import("./stats.ts")).stats)
    .description("tokens, cost, calls and times of the runs so far")
    .option("--from <time>", "from this day or time on: 2026-11-02, today, 7d")
    .option("--to <time>", "up to this day or time")
    .option("--by <what>", "day, server, tool, principal, model or session");
  return program;
}

/** The table of languages brings along all that writes them, 25 ms: only the commands with `--lang` read it. */
async function languageWords(argv: readonly string[]): Promise<readonly string[]> {
  const isNeeded = argv.some((word) => ["check", "generate", "search", "run", "skills"].includes(word));
  return isNeeded ? (await import("../engine/language-names.ts")).LANGUAGE_WORDS : [];
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("It must be a whole number above 0.");
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function define(program: Command, name: string, load: () => Promise<CommandHandler>): Command {
  const command = program.command(name).option("--json", "print data as JSON").exitOverride();
  return command.action(async () => {
    const options = command.optsWithGlobals();
    const output = createOutput({ json: options["json"] === true });
    try {
      const handler = await load();
      process.exitCode = await handler({
        output,
        projectDir: String(options["project"]),
        options,
        args: command.args,
      });
    } catch (error) {
      output.fail(error);
      process.exitCode = toKeyholeError(error).exitCode;
    }
  });
}

async function run(program: Command, argv: string[]): Promise<void> {
  const isJson = argv.includes("--json");
  // Whoever reads JSON gets JSON, also about their own mistakes.
  if (isJson)
    for (const command of [program, ...program.commands]) command.configureOutput({ writeErr: () => {} });
  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed its message; it ends help and version with 0, and everything else is wrong use.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    if (!isJson || error.exitCode === 0) return;
    createOutput({ json: true }).fail(new KeyholeError("usage", error.message.replace(/^error: /, "")));
  }
}
