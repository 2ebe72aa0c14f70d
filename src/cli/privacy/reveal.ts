import { resolve } from "node:path";
import { revealInText } from "../../engine/privacy/vault-of-project.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { count } from "../format.ts";
import { toOutFile, writeOutFile } from "../out-file.ts";
import { principalOf } from "./principal.ts";
import { readLargeText } from "./text-file.ts";

const MAX_FAULTS = 20;
const FAULTS = {
  unknown: "stands for nothing here",
  cut: "is only a part of a token",
  altered: "is not written as a token is",
} as const;

/** A file in which tokens have become values again. */
export async function reveal({ output, projectDir, options }: CommandContext, file: string): Promise<number> {
  const written = await readLargeText(file);
  const place = { projectDir: resolve(projectDir), onNotice: output.notice };
  const { text, tokens, faults } = await revealInText(place, principalOf(options), written);
  const target = toOutFile(options["output"]);
  if (target !== undefined) await writeOutFile(target, [text]);
  const told = faults.slice(0, MAX_FAULTS);
  for (const { kind, written: token } of told) output.notice(`${toExcerpt(token, 60)} ${FAULTS[kind]}`);
  if (faults.length > told.length) output.notice(`and ${count(faults.length - told.length, "more token")}`);
  if (output.json)
    output.printJson({ ...(target === undefined ? { text } : { output: target }), tokens, faults });
  else if (target === undefined) output.raw(text);
  else output.note(`${count(tokens.length, "token")} revealed in "${toExcerpt(target, 200)}"`);
  return faults.length === 0 ? 0 : 1;
}
