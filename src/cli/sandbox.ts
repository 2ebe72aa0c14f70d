import { resolve } from "node:path";
import { buildTier } from "../engine/build-tier.ts";
import { KeyholeError } from "../errors.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandHandler } from "./command.ts";
import { interruptible } from "./interrupt.ts";

/** Makes what the stronger tiers need, from what is installed here. */
export const sandbox: CommandHandler = async ({ output, projectDir, options, args }) => {
  const [action, tier] = args;
  if (action !== "build" || tier === undefined) {
    const said = args.length === 0 ? "says nothing to do" : `can't "${toExcerpt(args.join(" "), 60)}"`;
    throw new KeyholeError("usage", `keyhole sandbox ${said}`, {
      hint: "Write `keyhole sandbox build docker` or `keyhole sandbox build vm`",
    });
  }
  let doing = "Looking what is there";
  const progress = output.progress(() => doing);
  return interruptible(async (signal) => {
    try {
      const { made, hash, isKnown } = await buildTier(tier, {
        projectDir: resolve(projectDir),
        trust: options["trust"] === true,
        out: typeof options["out"] === "string" ? resolve(options["out"]) : undefined,
        onProgress(text) {
          doing = text;
        },
        signal,
      });
      progress.done();
      if (output.json) output.printJson({ tier, made, hash, known: isKnown });
      else output.print(isKnown ? `There already: ${made}` : `Made: ${made}`);
      return 0;
    } finally {
      progress.done();
    }
  });
};
