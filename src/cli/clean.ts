import { type CleanedProject, cleanOfProject } from "../engine/clean/clean-of-project.ts";
import { KeyholeError } from "../errors.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandHandler } from "./command.ts";
import { count, describeBytes } from "./format.ts";
import { interruptible } from "./interrupt.ts";
import type { Output } from "./output.ts";

const MAX_SHOWN = 50;

/** Removes what has expired, and what there is too much of. No server is started. */
export const clean: CommandHandler = async ({ output, projectDir, options, args }) => {
  if (args.length > 0)
    throw new KeyholeError("usage", `keyhole clean takes nothing, got "${toExcerpt(args.join(" "), 60)}"`, {
      hint: "Write keyhole clean, or keyhole clean --dry-run",
    });
  const isDry = options["dryRun"] === true;
  return interruptible(async (signal) => {
    const cleaned = await cleanOfProject({
      projectDir,
      isDry,
      signal,
      onNotice: output.notice,
      ...(options["trust"] === true && { trust: true }),
    });
    if (output.json) output.printJson({ dryRun: isDry, ...toData(cleaned) });
    else print(output, cleaned, isDry);
    return cleaned.failed.length === 0 ? 0 : 1;
  });
};

function toData({ stateBytes: _of, ...cleaned }: CleanedProject) {
  return cleaned;
}

function print(output: Output, cleaned: CleanedProject, isDry: boolean): void {
  const { removed, failed, more, bytes, usedBytes, maxBytes, overBytes } = cleaned;
  // Names of files may be anybody's.
  for (const { kind, name, bytes: size, reason } of removed.slice(0, MAX_SHOWN))
    output.print(`${kind}: ${toExcerpt(name, 120)}  ${describeBytes(size)}  ${reason}`);
  const left = removed.length - Math.min(removed.length, MAX_SHOWN) + more;
  if (left > 0) output.print(`and ${left} more`);
  for (const { kind, name } of failed.slice(0, MAX_SHOWN))
    output.note(`${kind}: ${toExcerpt(name, 120)} can't be removed`);
  const total = removed.length + more;
  const things = count(total, "thing");
  const done = isDry
    ? `${things} would go, ${describeBytes(bytes)}`
    : `${things} went, ${describeBytes(bytes)}`;
  output.print(total === 0 ? "Nothing to clean up" : done);
  const takes = isDry ? "would then take" : "takes";
  output.print(`.keyhole ${takes} ${describeBytes(usedBytes)} of at most ${describeBytes(maxBytes)}`);
  if (overBytes > 0)
    output.note(
      `${describeBytes(overBytes)} over clean.maxSize: the rest is in use, or never goes (docs/clean.md)`,
    );
}
