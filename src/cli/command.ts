import type { Output } from "./output.ts";

export type CommandContext = {
  output: Output;
  projectDir: string;
  /** As commander parsed them. */
  options: Record<string, unknown>;
  args: readonly string[];
};

/** Does the work of one command and returns its exit code. */
export type CommandHandler = (context: CommandContext) => Promise<number>;
