import { ownValue } from "../../../text/own-value.ts";
import { knownRootHash } from "../../rootfs/known-root.ts";
import { collectRootFiles, type RootOptions } from "../../rootfs/root-files.ts";
import { tarOf } from "../../rootfs/tar.ts";
import type { DockerApi } from "./docker-api.ts";

/** Of an image that was made with our Dockerfile: the hash of what went into it. */
export const ROOT_LABEL = "keyhole.root";

const NAME = "keyhole-sandbox";
const TAG_CHARACTERS = 32;
const IMAGE_ID = /^(sha256:)?[0-9a-f]{64}$/;
const NOT_FOUND = 404;
const BUILD_WITHIN_MS = 10 * 60_000;

/** `id`: of the image that is to be started; whatever gets its name later is another. */
export type FoundImage = { readonly name: string; readonly hash: string; readonly id?: string };

/**
 * The image of what is installed here, by its content: the daemon's own hash of its one layer is that of the archive we would
 * send. One that only has the name is not taken.
 */
export async function findImage(api: DockerApi, options: RootOptions): Promise<FoundImage> {
  const hash = await knownRootHash(options);
  const name = toName(hash);
  const { status, value } = await api.ask("GET", `/images/${name}/json`);
  if (status === NOT_FOUND) return { name, hash };
  const id = ownValue(value, "Id");
  const layers = ownValue(ownValue(value, "RootFS"), "Layers");
  const isOurs = Array.isArray(layers) && layers.length === 1 && layers[0] === `sha256:${hash}`;
  return isOurs && typeof id === "string" && IMAGE_ID.test(id) ? { name, hash, id } : { name, hash };
}

/**
 * One that the user names by its content, made with our Dockerfile. Its layer is packed by whoever made it, so what went into it is
 * known by its word alone: enough to tell another version.
 */
export async function findNamedImage(
  api: DockerApi,
  name: string,
  options: RootOptions,
): Promise<FoundImage | "absent"> {
  const hash = await knownRootHash(options);
  const { status, value } = await api.ask("GET", `/images/${name}/json`);
  if (status === NOT_FOUND) return "absent";
  const id = ownValue(value, "Id");
  const isOurs = ownValue(ownValue(ownValue(value, "Config"), "Labels"), ROOT_LABEL) === hash;
  return isOurs && typeof id === "string" && IMAGE_ID.test(id) ? { name, hash, id } : { name, hash };
}

/** Whether there is one of another version. */
export async function hasOtherImage(api: DockerApi): Promise<boolean> {
  const filters = encodeURIComponent(JSON.stringify({ reference: [NAME] }));
  const { value } = await api.ask("GET", `/images/json?filters=${filters}`);
  return Array.isArray(value) && value.length > 0;
}

export async function buildImage(
  api: DockerApi,
  { signal, ...options }: RootOptions & { readonly signal: AbortSignal },
): Promise<FoundImage> {
  const files = await collectRootFiles(options);
  const made = await api.must("make an image", "POST", "/images/create?fromSrc=-", {
    archive: tarOf(files),
    signal,
    timeoutMs: BUILD_WITHIN_MS,
  });
  const id = ownValue(made, "status");
  if (typeof id === "string" && IMAGE_ID.test(id))
    // Podman does not do it with the first request.
    await api.must(
      "name an image",
      "POST",
      `/images/${id}/tag?repo=${NAME}&tag=${files.hash.slice(0, TAG_CHARACTERS)}`,
    );
  return findImage(api, options);
}

const toName = (hash: string) => `${NAME}:${hash.slice(0, TAG_CHARACTERS)}`;
