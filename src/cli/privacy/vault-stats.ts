import { resolve } from "node:path";
import { readVaultStats } from "../../engine/privacy/vault-of-project.ts";
import type { CommandContext } from "../command.ts";
import { count } from "../format.ts";
import { principalOf } from "./principal.ts";

/** What the vault knows, by class. */
export async function vaultStats({ output, projectDir, options }: CommandContext): Promise<number> {
  const place = { projectDir: resolve(projectDir), onNotice: output.notice };
  const found = await readVaultStats(place, principalOf(options));
  if (output.json) {
    output.printJson(found);
    return 0;
  }
  const { entries, classes, damaged, keyFrom } = found;
  if (keyFrom === undefined) {
    output.print("Nothing personal was kept here yet");
    return 0;
  }
  output.print(`${count(entries, "value")} with a token`);
  for (const [kind, number] of Object.entries(classes).sort(([, a], [, b]) => b - a))
    output.print(`  ${kind.padEnd(16)}${number}`);
  if (damaged > 0) output.notice(`${count(damaged, "row")} can't be opened: their tokens mean nothing`);
  output.print(`sealed with a key from ${keyFrom}`);
  return 0;
}
