import { afterAll, describe, it } from "vitest";
import { createArena } from "./attack.ts";
import { PROGRAM_CASES } from "./cases/programs.ts";
import { expectNone } from "./expect-none.ts";
import { fixture } from "./gateway.ts";
import { judge } from "./judge.ts";
import { canHold } from "./net.ts";

const arena = createArena({
  servers: { big: fixture("test/fixtures/servers/good.js", "big", "3000") },
  config: { maxExecutionTime: 1_500, maxSleepTime: 15_000, resourceLimits: { disk: "64MB" } },
});

afterAll(() => arena.end());

describe.skipIf(!canHold)("a hostile program leaves the gateway as it was", () => {
  for (const { name, code, copies = 1, ...expected } of PROGRAM_CASES) {
    it(name, async () => {
      const text = code();
      const seen = await arena.attack((attacker) =>
        Promise.all(Array.from({ length: copies }, () => attacker.run(text))),
      );
      expectNone(judge(seen, expected));
    });
  }
});
