import { KeyholeError } from "../../../errors.ts";
import type { BuildTier, Tier, TierLeftover } from "../../machine/tier.ts";
import { missingDocker, reachDaemon, toRootOptions } from "./daemon.ts";
import { showAddress } from "./daemon-address.ts";
import { createDockerMachine } from "./docker-machine.ts";
import { buildImage, findImage } from "./image.ts";
import { writeContext } from "./image-context.ts";
import { listOrphans } from "./orphans.ts";
import { removeContainer } from "./remove-container.ts";
import type { DockerSettings } from "./settings.ts";

export function dockerTier(settings: DockerSettings = {}): Tier {
  return {
    create: (spec) => createDockerMachine(spec, settings),
    missing: () => missingDocker(settings),
    build: (options) => build(settings, options),
    leftovers: () => leftovers(settings),
    writeOut: (dir, signal) => writeContext(dir, { ...toRootOptions(settings), signal }),
  };
}

/** Containers of hosts that were killed with their watchdog; this one's next start would remove them, too. */
async function leftovers(settings: DockerSettings): Promise<readonly TierLeftover[]> {
  const api = await reachDaemon(settings);
  if (!("ask" in api)) return [];
  try {
    return (await listOrphans(api)).map(({ id, createdAt }) => ({
      name: `container ${id.slice(0, 12)}`,
      bytes: 0,
      usedAt: createdAt,
      reason: "the process that started it is gone",
      remove: () => removeOne(settings, id),
    }));
  } finally {
    api.close();
  }
}

async function removeOne(settings: DockerSettings, id: string): Promise<boolean> {
  const api = await reachDaemon(settings);
  if (!("ask" in api)) return false;
  try {
    if (!(await listOrphans(api)).some((one) => one.id === id)) return false;
    await removeContainer(api, id);
    return true;
  } finally {
    api.close();
  }
}

const build = async (
  settings: DockerSettings,
  { onProgress, signal }: Parameters<BuildTier>[0],
): ReturnType<BuildTier> => {
  const api = await reachDaemon(settings);
  if (!("ask" in api)) throw new KeyholeError("command_not_found", api.why, { hint: api.fix });
  try {
    onProgress(`Collecting what an image is made of, for Docker at ${showAddress(api.address)}`);
    const options = toRootOptions(settings);
    const known = await findImage(api, options);
    if (known.id !== undefined) return { made: known.name, hash: known.hash, isKnown: true };
    onProgress("Making the image");
    const { name, hash, id } = await buildImage(api, { ...options, signal });
    if (id === undefined)
      throw new KeyholeError("server_misbehaved", "Docker made another image than it was handed");
    return { made: name, hash, isKnown: false };
  } finally {
    api.close();
  }
};
