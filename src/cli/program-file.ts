import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { text } from "node:stream/consumers";
import { findLanguageName } from "../engine/language-names.ts";
import { KeyholeError } from "../errors.ts";

/** The text of a program; `-` is standard input. */
export async function readProgramFile(file: string): Promise<string> {
  if (file === "-") return text(process.stdin);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new KeyholeError("usage", `Cannot read "${file}"`, {
      hint: "Name a file that exists",
      cause: error,
    });
  }
}

/** What an agent is told to send along, as a person gives it on the command line. */
export function toLanguageOption(text: string): string {
  return text.replace(/(?:send it with )?language: "(typescript|python)"/g, (whole, name) =>
    whole.startsWith("send") ? `run it with --lang ${name}` : `--lang ${name}`,
  );
}

const ENDINGS: ReadonlyMap<string, string> = new Map([
  [".py", "python"],
  ...[".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"].map((ending) => [ending, "typescript"] as const),
]);

/** What a program is written in: what was said, else by its file; nothing where the text has to say it. */
export function toProgramLanguage(word: unknown, file: string | undefined): string | undefined {
  return findLanguageName(word) ?? ENDINGS.get(extname(file ?? "").toLowerCase());
}
