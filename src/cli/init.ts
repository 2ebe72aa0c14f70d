import { Command, Option } from "commander";
import { CLIENT_IDS, type ClientId } from "../config/server-definition.ts";
import { toKeyholeError } from "../errors.ts";
import type { Output } from "./output.ts";

export type InitOptions = {
  all?: boolean;
  server?: string[];
  from?: ClientId[];
  client?: ClientId[];
  format?: "json" | "yaml";
  link?: boolean;
  add?: boolean;
  force?: boolean;
  dryRun?: boolean;
  skill?: boolean;
  yes?: boolean;
  write?: boolean;
  undo?: boolean;
};

export type InitContext = {
  output: (options: { json?: boolean }) => Output;
  homeDir?: string;
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
};

type ParsedOptions = InitOptions & { project?: string; json?: boolean };

export function initCommand(context: InitContext): Command {
  const command = new Command("init")
    .description("find the MCP servers on this machine and put them behind Keyhole")
    .option("--all", "take every server that was found")
    .option("--server <name...>", "take this server (repeatable)")
    .addOption(
      new Option("--from <client...>", "take the servers of this client (repeatable)").choices(CLIENT_IDS),
    )
    .addOption(new Option("--client <client...>", "show what to paste for this client").choices(CLIENT_IDS))
    .addOption(
      new Option(
        "--format <format>",
        "of keyhole.config (default: that of the existing one, else json)",
      ).choices(["json", "yaml"]),
    )
    .option("--write", "put Keyhole into the clients' own files, in the place of the servers; asks first")
    .option("--undo", "put the clients' files back as they were before --write")
    .option("--link", "refer to the client's file instead of copying the definition")
    .option("--add", "add to an existing keyhole.config the servers that it lacks; a backup is kept")
    .option("--force", "the same, and replace its servers of the same name")
    .option("--skill", "also write a skill for clients with a shell; alone where Keyhole is set up already")
    .option("--dry-run", "write nothing, show what would be written")
    .option(
      "--yes",
      "ask nothing; without another choice, take the servers of your own clients, not of files in this folder",
    )
    .option("--json", "print data as JSON")
    .exitOverride();
  return command.action(async () => {
    const { project = ".", json, ...options } = command.optsWithGlobals<ParsedOptions>();
    const output = context.output({ json: json === true });
    try {
      // Loaded here: the other commands must not pay for it.
      const { runInit } = await import("./init/run.ts");
      const { homeDir, env, platform } = context;
      process.exitCode = await runInit(options, { projectDir: project, homeDir, env, platform }, output);
    } catch (error) {
      output.fail(error);
      process.exitCode = toKeyholeError(error).exitCode;
    }
  });
}
