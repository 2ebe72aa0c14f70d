import { afterAll, beforeAll } from "vitest";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { createTiers } from "../../src/sandbox/tiers/tiers.ts";
import { createDaemon, daemonMissing } from "../fixtures/docker-daemon.ts";
import { testContainerAttacks } from "./container-attacks.ts";
import { testContainerWalls } from "./container-walls.ts";

const missing = daemonMissing("podman");
const daemon = createDaemon("podman");
const tiers = createTiers({ docker: { socket: daemon.socket } });

beforeAll(async () => {
  if (missing !== undefined) return;
  await daemon.start();
  await tiers["docker"]?.build?.({ onProgress() {}, signal: AbortSignal.timeout(60_000) });
});
afterAll(() => daemon.stop());

testContainerWalls(
  "Podman",
  (config) => createSandbox({ ...config, tier: "docker", tiers, poolSize: 0 }),
  missing,
);

testContainerAttacks("Podman", (config) => createSandbox({ ...config, tier: "docker", tiers, poolSize: 0 }), {
  missing,
});
