import { resolve } from "node:path";
import { quoteWord } from "./quote-word.ts";

/** A command of ours as it can be pasted: where the project is another folder than this one, it is named. */
export type KeyholeCommand = (words: string) => string;

export const PLAIN_COMMAND: KeyholeCommand = (words) => `keyhole ${words}`;

export function createKeyholeCommand(projectDir: string, currentDir = process.cwd()): KeyholeCommand {
  const dir = resolve(currentDir, projectDir);
  const place = dir === currentDir ? "" : ` --project ${quoteWord(dir, process.platform)}`;
  return (words) => `keyhole ${words}${place}`;
}
