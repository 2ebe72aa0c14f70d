import { afterAll, describe, it } from "vitest";
import { createArena, observe } from "./attack.ts";
import { SERVER_CASES, START_CASES } from "./cases/servers.ts";
import { expectNone } from "./expect-none.ts";
import { fixture, startGateway } from "./gateway.ts";
import { judge } from "./judge.ts";
import { canHold } from "./net.ts";

const SERVER = "test/hostile/servers/hostile.js";
const config = { maxExecutionTime: 1_500, maxSleepTime: 15_000 };

describe.skipIf(!canHold)("a server that is hostile in a call leaves the gateway as it was", () => {
  const hostile = {
    ...fixture(SERVER),
    env: { SECRET: "${SECRET_OF_HOSTILE:-secret-of-server-0123456789}" },
  };
  const arena = createArena({
    servers: { hostile, mute: fixture(SERVER) },
    config: { ...config, servers: { hostile: { timeoutMs: 10_000 }, mute: { timeoutMs: 1_500 } } },
  });
  afterAll(() => arena.end());

  for (const { name, kind, code, ...expected } of SERVER_CASES) {
    it(name, async () => {
      const program = code ?? "const got = await hostile.attack({ kind: KIND }); return typeof got;";
      const text = program.replaceAll("KIND", JSON.stringify(kind));
      const seen = await arena.attack(async (attacker) => [await attacker.run(text)]);
      expectNone(judge(seen, expected));
    });
  }
});

describe.skipIf(!canHold)("a server that is hostile from its start leaves the gateway as it was", () => {
  for (const [name, starts] of Object.entries(START_CASES)) {
    it(name, async () => {
      const servers = Object.fromEntries(starts.map((start, n) => [`hostile${n}`, fixture(SERVER, start)]));
      const settings = Object.fromEntries(
        Object.keys(servers).map((key) => [key, { connectTimeoutMs: 5_000 }]),
      );
      const gateway = await startGateway({ servers, config: { ...config, servers: settings } });
      try {
        const seen = await observe(gateway, async (attacker) => [
          await attacker.search("tool 7 of the hostile server"),
          await attacker.run("return typeof hostile0;"),
          await attacker.run("return (await searchTools('tool 3')).total > -1;"),
        ]);
        expectNone(judge(seen, { ends: ["ok", "exception", "types"] }));
      } finally {
        await gateway.end();
      }
    });
  }
});
