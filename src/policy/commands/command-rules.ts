import { type ArgumentWord, parseArgumentPattern } from "../../config/commands/argument-pattern.ts";
import type { CommandSettings } from "../../config/commands/schema.ts";
import type { PolicySource } from "../../config/permissions/policy-source.ts";
import { toProjectsFile, toShownFile } from "../../config/permissions/shown-file.ts";
import { isPlainOption } from "./plain-options.ts";
import { usualNeeds } from "./usual-needs.ts";

/** Which commands programs may run. */
export type CommandRules = {
  readonly timeoutMs: number | undefined;
  check(command: string, args: readonly string[]): CommandVerdict;
};

export type CommandVerdict =
  | {
      readonly ok: true;
      /** Whether it can't write. */
      readonly readOnly: boolean;
      /** Other commands that it starts. */
      readonly needs: readonly string[];
      /** The entry of `commands.allow` of each file that speaks of commands. */
      readonly by: readonly { readonly file: string; readonly number: number }[];
    }
  | { readonly ok: false; readonly reason: string; readonly hint: string };

/** Each file that speaks of commands must allow one: of two, the stricter holds. */
export function createCommandRules(sources: readonly PolicySource[]): CommandRules {
  const files = sources.flatMap(({ file, commands }) => (commands ? [toFile(file, commands)] : []));
  const [first] = files;
  const times = files.flatMap(({ timeoutMs }) => timeoutMs ?? []);
  return {
    timeoutMs: times.length === 0 ? undefined : Math.min(...times),
    check(command, args) {
      if (first === undefined)
        return refused("Commands are switched off", howTo(toProjectsFile(sources), command, args));
      const fitting: Entry[] = [];
      for (const file of files) {
        const found = findEntry(file, command, args);
        if ("reason" in found) return found;
        fitting.push(found);
      }
      const needs =
        fitting[0]?.needs.filter((name) => fitting.every((entry) => entry.needs.includes(name))) ?? [];
      return {
        ok: true,
        readOnly: fitting.some(({ readOnly }) => readOnly),
        needs: [...usualNeeds(command), ...needs],
        by: fitting.map(({ number }, at) => ({ file: files[at]?.name ?? "", number })),
      };
    },
  };
}

type Refusal = Extract<CommandVerdict, { ok: false }>;
type Entry = {
  /** Its place in the list, from 1. */
  readonly number: number;
  readonly patterns: readonly (readonly ArgumentWord[])[];
  readonly readOnly: boolean;
  readonly needs: readonly string[];
};
type File = {
  readonly name: string;
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
  readonly timeoutMs: number | undefined;
};

function toFile(name: string, { allow, timeoutMs }: CommandSettings): File {
  const entries = new Map<string, Entry[]>();
  for (const [at, { command, args = [], readOnly = false, needs = [] }] of allow.entries()) {
    // Without any, there is nothing but the command itself.
    const patterns = (args.length === 0 ? [""] : args).map(parseArgumentPattern);
    entries.set(command, [...(entries.get(command) ?? []), { number: at + 1, patterns, readOnly, needs }]);
  }
  return { name, entries, timeoutMs };
}

function findEntry({ name, entries }: File, command: string, args: readonly string[]): Entry | Refusal {
  const named = entries.get(command) ?? [];
  const file = toShownFile(name);
  if (named.length === 0)
    return refused(`"${command}" is not among the commands that ${file} allows`, howTo(file, command, args));
  const fitting = named.find(({ patterns }) => patterns.some((words) => fits(words, command, args)));
  if (fitting) return fitting;
  const options = args.filter((argument) => isOption(argument) && !isPlainOption(command, argument));
  const words = named.flatMap(({ patterns }) => patterns.flat());
  const unwritten = options.find((argument) => !words.some((word) => isWritten(word, argument)));
  const option = unwritten ?? options[0];
  const why =
    option === undefined
      ? `${file} allows "${command}" with other arguments than these`
      : `${file} allows "${command}" with other arguments than these; "${option}" is an option, which "*" does not stand for`;
  return refused(why, howTo(file, command, args));
}

/** Whether each argument is what the pattern has in its place. */
function fits(words: readonly ArgumentWord[], command: string, args: readonly string[]): boolean {
  for (const [at, word] of words.entries()) {
    if (word.kind === "anything") return true;
    const argument = args[at];
    if (word.kind === "rest")
      return args.slice(at).every((one) => !isOption(one) || isPlainOption(command, one));
    if (argument === undefined || !fitsWord(word, argument)) return false;
  }
  return args.length === words.length;
}

function fitsWord(word: ArgumentWord, argument: string): boolean {
  if (word.kind === "exact") return argument === word.text;
  if (word.kind === "parts") return fitsParts(word.parts, argument);
  return !isOption(argument);
}

/** Whether a pattern has the argument itself, or parts of it. */
function isWritten(word: ArgumentWord, argument: string): boolean {
  return (word.kind === "exact" || word.kind === "parts") && fitsWord(word, argument);
}

/** `-` alone is the standard input. */
function isOption(argument: string): boolean {
  return argument.startsWith("-") && argument !== "-";
}

/** Each part in its turn, the first at the start and the last at the end. An option is one by what the pattern says itself. */
function fitsParts(parts: readonly string[], text: string): boolean {
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  if (first === "" && isOption(text)) return false;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function refused(reason: string, hint: string): Refusal {
  return { ok: false, reason, hint };
}

const SHOWN_ARGS = 20;

function howTo(file: string, command: string, args: readonly string[]): string {
  const shown = args.slice(0, SHOWN_ARGS).map((one) => one.slice(0, 100));
  const entry = JSON.stringify({ command, args: [shown] });
  return `The user can allow it in "commands.allow" of ${file}: ${entry}`;
}
