import type { Brought } from "../config/trust/brought.ts";
import { toShownBrought } from "../config/trust/shown-brought.ts";
import { KeyholeError } from "../errors.ts";
import type { Output } from "./output.ts";

const MARKS = { " ": undefined, "-": "red", "+": "green" } as const;

/** What a folder brings, as a person is to judge it. */
export function printBrought(items: readonly Brought[], output: Output): void {
  const { print, style } = output;
  for (const item of items) {
    const { title, state, lines, remarks } = toShownBrought(item);
    print(`${style("bold", title)}  ${style("dim", state)}`);
    for (const { mark, text } of lines) {
      const colour = MARKS[mark];
      const line = item.diff === undefined ? `  ${text}` : `  ${mark} ${text}`;
      print(colour === undefined ? line : style(colour, line));
    }
    for (const remark of remarks) print(`  ${style("yellow", "!")} ${remark}`);
  }
}

export async function askToTrust(number: number): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const message = `Trust ${number === 1 ? "this" : `these ${number}`}, as it is shown here?`;
  const answer = await confirm({ message, initialValue: false });
  if (isCancel(answer)) throw new KeyholeError("cancelled", "Nothing was trusted");
  return answer;
}
