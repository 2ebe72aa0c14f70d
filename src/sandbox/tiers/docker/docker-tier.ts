import { KeyholeError } from "../../../errors.ts";
import type { BuildTier, Tier } from "../../machine/tier.ts";
import { missingDocker, reachDaemon, toRootOptions } from "./daemon.ts";
import { showAddress } from "./daemon-address.ts";
import { createDockerMachine } from "./docker-machine.ts";
import { buildImage, findImage } from "./image.ts";
import { writeContext } from "./image-context.ts";
import type { DockerSettings } from "./settings.ts";

export function dockerTier(settings: DockerSettings = {}): Tier {
  return {
    create: (spec) => createDockerMachine(spec, settings),
    missing: () => missingDocker(settings),
    build: (options) => build(settings, options),
    writeOut: (dir, signal) => writeContext(dir, { ...toRootOptions(settings), signal }),
  };
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
