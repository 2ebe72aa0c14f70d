import { join } from "node:path";
import { atomicWrite } from "../../../store/atomic-write.ts";
import { makeFolders } from "../../../store/make-folders.ts";
import { userCacheDir } from "../../../store/user-cache.ts";
import { toHash } from "../../../text/hash.ts";
import { ownValue } from "../../../text/own-value.ts";
import type { DockerApi } from "./docker-api.ts";
import { seccompProfile } from "./seccomp-profile.ts";

/**
 * Our profile, as this daemon takes it. Docker takes its text. Podman takes the name of a file, which it reads itself: one that is
 * elsewhere can't, and keeps its own profile.
 */
export async function toSeccompOption(api: DockerApi): Promise<string | undefined> {
  const profile = JSON.stringify(seccompProfile());
  if (!(await isPodman(api))) return `seccomp=${profile}`;
  if (api.address.kind !== "socket") return undefined;
  const file = join(userCacheDir(), `seccomp-${toHash(profile).slice(0, 16)}.json`);
  await makeFolders(userCacheDir());
  // Written each time: what was there may be anything.
  await atomicWrite(file, profile, { mode: 0o600 });
  return `seccomp=${file}`;
}

async function isPodman(api: DockerApi): Promise<boolean> {
  const components = ownValue(await api.must("tell what it is", "GET", "/version"), "Components");
  return Array.isArray(components) && components.some((one) => ownValue(one, "Name") === "Podman Engine");
}
