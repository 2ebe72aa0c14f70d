import type { Brought } from "../config/trust/brought.ts";
import { KeyholeError } from "../errors.ts";
import { toExcerpt, toVisibleText } from "../text/plain-text.ts";
import type { Output } from "./output.ts";

const STATES = {
  trusted: "trusted",
  new: "not trusted yet",
  changed: "changed since it was trusted",
  removed: "taken away; what you trusted holds until you say yes",
} as const;

/** What a folder brings, as a person is to judge it. */
export function printBrought(items: readonly Brought[], output: Output): void {
  const { print, style } = output;
  for (const item of items) {
    const { kind, name, file, state, lines, remarks, diff } = item;
    const title = kind === "server" ? `server ${toExcerpt(name)}` : `settings (${toExcerpt(name)})`;
    print(`${style("bold", title)}  ${style("dim", `${STATES[state]} · ${toExcerpt(file, 1_000)}`)}`);
    if (diff === undefined) for (const line of lines) print(`  ${toVisibleText(line)}`);
    else {
      const changed = new Set(diff.map(({ text }) => text));
      for (const line of lines) if (!changed.has(line)) print(`    ${toVisibleText(line)}`);
      for (const { mark, text } of diff)
        print(style(mark === "-" ? "red" : "green", `  ${mark} ${toVisibleText(text)}`));
    }
    for (const remark of remarks) print(`  ${style("yellow", "!")} ${toVisibleText(remark)}`);
  }
}

export async function askToTrust(number: number): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const message = `Trust ${number === 1 ? "this" : `these ${number}`}, as it is shown here?`;
  const answer = await confirm({ message, initialValue: false });
  if (isCancel(answer)) throw new KeyholeError("cancelled", "Nothing was trusted");
  return answer;
}
