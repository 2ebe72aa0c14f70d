import { afterAll, beforeAll } from "vitest";
import { createSandbox } from "../../../src/sandbox/create-sandbox.ts";
import { PYTHON_GUEST } from "../../../src/sandbox/guest-spec.ts";
import { createTiers } from "../../../src/sandbox/tiers/tiers.ts";
import { createDaemon, daemonMissing } from "../../fixtures/docker-daemon.ts";
import { testHostilePython } from "./hostile-python.ts";
import { FEW } from "./selections.ts";

const missing = daemonMissing("docker");
const daemon = createDaemon("docker");
const tiers = createTiers({ docker: { socket: daemon.socket, guests: [PYTHON_GUEST] } });

beforeAll(async () => {
  if (missing !== undefined) return;
  await daemon.start();
  await tiers["docker"]?.build?.({ onProgress() {}, signal: AbortSignal.timeout(60_000) });
});
afterAll(() => daemon.stop());

testHostilePython("docker", (config) => createSandbox({ ...config, tier: "docker", tiers }), {
  missing,
  only: FEW,
  hasMachine: true,
});
