import { z } from "zod";
import { ArgumentPatternProblem, type ArgumentWord, parseArgumentPattern } from "./argument-pattern.ts";
import { DEFAULT_COMMAND_MS } from "./limits.ts";
import { NAMED_FIRST, runsOthers } from "./runs-others.ts";

const MAX_ENTRIES = 500;
const MAX_PATTERNS = 200;
const MAX_COMMAND_MS = 60 * 60_000;
const COMMAND_NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;
const NAME_EXPECTED =
  'must be the bare name of a command, such as "git": it is looked for in the system\'s own folders';

const pattern = z.union([z.string().max(2000), z.array(z.string().max(2000)).max(100)], {
  error: 'must be words such as "log *", or a list of words',
});

const entry = z
  .strictObject({
    command: z.string().regex(COMMAND_NAME, NAME_EXPECTED),
    args: z
      .array(pattern)
      .max(MAX_PATTERNS)
      .optional()
      .describe(
        'What its arguments may be: "*" at the end is any that are no options, "**" any at all; without, none are allowed',
      ),
    needs: z
      .array(z.string().regex(COMMAND_NAME, NAME_EXPECTED))
      .max(50)
      .optional()
      .describe("Other commands that it starts itself: without, they are not there for it"),
    readOnly: z
      .boolean()
      .optional()
      .describe(
        "Whether it can't write in ./workspace; at the level read_only these alone run (default false)",
      ),
  })
  .superRefine(({ command, args = [] }, context) => {
    for (const [at, written] of args.entries()) {
      const problem = problemOf(command, written);
      if (problem !== undefined) context.addIssue({ code: "custom", path: ["args", at], message: problem });
    }
  });

export const commandsSchema = z.strictObject({
  allow: z
    .array(entry)
    .max(MAX_ENTRIES)
    .nullish()
    .transform((entries) => entries ?? [])
    .describe("Which commands programs may run by runCommand; none without"),
  timeoutMs: z
    .int()
    .min(1)
    .max(MAX_COMMAND_MS)
    .optional()
    .describe(`Time for one command, in milliseconds (default ${DEFAULT_COMMAND_MS})`),
});

export type CommandSettings = z.output<typeof commandsSchema>;

function problemOf(command: string, written: string | readonly string[]): string | undefined {
  try {
    return openness(command, parseArgumentPattern(written));
  } catch (error) {
    if (error instanceof ArgumentPatternProblem) return error.message;
    throw error;
  }
}

/** What no pattern may leave open. */
function openness(command: string, words: readonly ArgumentWord[]): string | undefined {
  const runs = runsOthers(command);
  if (runs === "always" && words.some(({ kind }) => kind !== "exact"))
    return `must be exact, without "*": "${command}" runs what its arguments say`;
  if (runs !== "byOption") return undefined;
  if (words.some(({ kind }) => kind === "anything"))
    return `cannot end with "**": "${command}" has options that run other commands; name those that are meant, and end with "*"`;
  if (NAMED_FIRST.has(command) && words.length > 0 && words[0]?.kind !== "exact")
    return `must begin with what "${command}" is to do, without "*": some of it runs other commands`;
  return undefined;
}
