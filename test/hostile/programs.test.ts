import { afterAll, describe, expect, it } from "vitest";
import { createArena } from "./attack.ts";
import { PROGRAM_CASES } from "./cases/programs.ts";
import { fixture } from "./gateway.ts";
import { judge } from "./judge.ts";

const arena = createArena({
  servers: { big: fixture("test/fixtures/servers/good.js", "big", "3000") },
  config: { maxExecutionTime: 2_000, maxSleepTime: 4_000, resourceLimits: { disk: "64MB" } },
});

afterAll(() => arena.end());

describe("a hostile program leaves the gateway as it was", () => {
  it.each(PROGRAM_CASES)("$name", async ({ code, copies = 1, ...expected }) => {
    const text = code();
    const seen = await arena.attack((attacker) =>
      Promise.all(Array.from({ length: copies }, () => attacker.run(text))),
    );
    expect(judge(seen, expected)).toEqual([]);
  });
});
