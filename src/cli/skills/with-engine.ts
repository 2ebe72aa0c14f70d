import { createEngine } from "../../engine/create-engine.ts";
import type { Engine } from "../../engine/engine.ts";
import type { CommandContext } from "../command.ts";
import { withCatalog } from "../read-catalog.ts";

/** For commands that check or search: the servers are read. */
export function withEngine(
  context: CommandContext,
  work: (engine: Engine) => Promise<number>,
): Promise<number> {
  return withCatalog(context, async ({ project }) => {
    const engine = createEngine(project, { poolSize: 0, onNotice: context.output.notice });
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  });
}
