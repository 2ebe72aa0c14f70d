import { KeyholeError } from "../../../errors.ts";
import { hasCode } from "../../../store/error-code.ts";
import { ownValue } from "../../../text/own-value.ts";
import type { MissingTier } from "../../machine/tier.ts";
import { type DaemonAddress, daemonAddresses, showAddress } from "./daemon-address.ts";
import { createDockerApi, type DockerApi } from "./docker-api.ts";
import { findImage, findNamedImage, hasOtherImage } from "./image.ts";
import { toSeccompOption } from "./seccomp-option.ts";
import type { DockerSettings } from "./settings.ts";

const BUILD = "Run `keyhole sandbox build docker`";
const INSTALL =
  "Install and start Docker or Podman (on Debian: apt install docker.io), or set DOCKER_HOST, or docker.socket in your config";

/** A daemon that answers, with our image. */
type FoundDaemon = { readonly api: DockerApi; readonly image: string };

export type Daemon = FoundDaemon & { readonly seccomp: string | undefined };

export async function findDaemon(settings: DockerSettings): Promise<Daemon> {
  const found = await look(settings);
  if ("api" in found) {
    const seccomp = await toSeccompOption(found.api).catch((error: unknown) => {
      found.api.close();
      throw error;
    });
    return { ...found, seccomp };
  }
  throw new KeyholeError("command_not_found", `The docker tier can't be used: ${found.why}`, {
    hint: found.fix,
  });
}

/** Why programs can't run in it, and what to do about it. */
export async function missingDocker(settings: DockerSettings): Promise<MissingTier | undefined> {
  const found = await look(settings).catch((error: unknown) => toMissing(error));
  if (!("api" in found)) return found;
  found.api.close();
  return undefined;
}

async function look(settings: DockerSettings): Promise<FoundDaemon | MissingTier> {
  const reached = await reachDaemon(settings);
  if (!("ask" in reached)) return reached;
  let found: string | MissingTier | undefined;
  try {
    found = (await missingRuntime(reached, settings.runtime)) ?? (await imageOf(reached, settings));
    return typeof found === "string" ? { api: reached, image: found } : found;
  } finally {
    if (typeof found !== "string") reached.close();
  }
}

/** The id of the one that containers are made of. */
async function imageOf(api: DockerApi, settings: DockerSettings): Promise<string | MissingTier> {
  if (settings.image !== undefined) return namedImageOf(api, settings.image, settings);
  const { id } = await findImage(api, toRootOptions(settings));
  if (id !== undefined) return id;
  return (await hasOtherImage(api))
    ? { why: "The image is of another version of Keyhole, or of what it is made from", fix: BUILD }
    : { why: "There is no image to make containers of", fix: BUILD };
}

async function namedImageOf(
  api: DockerApi,
  name: string,
  settings: DockerSettings,
): Promise<string | MissingTier> {
  const found = await findNamedImage(api, name, toRootOptions(settings));
  if (found === "absent")
    return { why: `Docker has no image "${name}" (docker.image)`, fix: `Run \`docker pull ${name}\`` };
  return (
    found.id ?? {
      why: `The image "${name}" (docker.image) is of another version of Keyhole, or of what it is made from`,
      fix: "Make it again: `keyhole sandbox build docker --out DIR`, then `docker build DIR`",
    }
  );
}

/** The first that answers. */
export async function reachDaemon({ socket }: DockerSettings): Promise<DockerApi | MissingTier> {
  if (process.platform !== "linux")
    return {
      why: `An image can be made on Linux alone, and this is ${process.platform}`,
      fix: "Run Keyhole in Linux, or use the process tier",
    };
  let first: MissingTier | undefined;
  for (const address of daemonAddresses(socket)) {
    const api = createDockerApi(address);
    try {
      const { status } = await api.ask("GET", "/_ping", { timeoutMs: 5_000 });
      if (status === 200) return api;
      first ??= { why: `What answers at "${showAddress(address)}" is no Docker`, fix: INSTALL };
    } catch (error) {
      first ??= toUnreached(address, error);
    }
    api.close();
  }
  return first ?? { why: "No Docker and no Podman listens on this machine", fix: INSTALL };
}

export function toRootOptions({ guests }: DockerSettings) {
  return guests ? { guests } : {};
}

function toUnreached(address: DaemonAddress, error: unknown): MissingTier {
  const place = showAddress(address);
  if (hasCode(error, "EACCES") || hasCode(error, "EPERM"))
    return {
      why: `This user may not use Docker at "${place}"`,
      fix: "Add yourself to the group docker (sudo usermod -aG docker $USER, then log in again), or run Docker or Podman rootless",
    };
  if (hasCode(error, "ENOENT")) return { why: `Nothing listens at "${place}"`, fix: INSTALL };
  return {
    why: `Docker does not answer at "${place}"`,
    fix: "Start it (systemctl start docker), or look at its log",
  };
}

async function missingRuntime(api: DockerApi, runtime: string | undefined): Promise<MissingTier | undefined> {
  if (runtime === undefined || runtime === "runc") return undefined;
  const { value } = await api.ask("GET", "/info");
  const runtimes = ownValue(value, "Runtimes");
  // Podman takes what it finds on the PATH, and tells of none.
  if (ownValue(runtimes, runtime) !== undefined || typeof runtimes !== "object" || runtimes === null)
    return undefined;
  return {
    why: `Docker knows no runtime "${runtime}"`,
    fix:
      "Install gVisor (on Debian: apt install runsc) and name it in /etc/docker/daemon.json: " +
      '{ "runtimes": { "runsc": { "path": "/usr/bin/runsc", "runtimeArgs": ["--platform=ptrace", "--network=none"] } } }',
  };
}

function toMissing(error: unknown): MissingTier {
  const hint = error instanceof KeyholeError ? error.hint : undefined;
  return { why: error instanceof Error ? error.message : String(error), fix: hint ?? "Run keyhole doctor" };
}
