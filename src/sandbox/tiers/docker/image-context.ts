import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { atomicWrite } from "../../../store/atomic-write.ts";
import { makeFolders } from "../../../store/make-folders.ts";
import type { BuiltTier } from "../../machine/tier.ts";
import { collectRootFiles, type RootOptions } from "../../rootfs/root-files.ts";
import { tarOf } from "../../rootfs/tar.ts";
import { ROOT_LABEL } from "./image.ts";

/** What `docker build` makes an image of, for those who have a registry and keep theirs there. No daemon is asked. */
export async function writeContext(
  dir: string,
  { signal, ...options }: RootOptions & { readonly signal: AbortSignal },
): Promise<BuiltTier> {
  const files = await collectRootFiles(options);
  await makeFolders(dir);
  const [archive, part] = [join(dir, "root.tar"), join(dir, "root.tar.part")];
  try {
    await pipeline(tarOf(files), createWriteStream(part), { signal });
    await rename(part, archive);
  } finally {
    await rm(part, { force: true });
  }
  const lines = ["FROM scratch", "ADD root.tar /", `LABEL ${ROOT_LABEL}=${files.hash}`, ""];
  await atomicWrite(join(dir, "Dockerfile"), lines.join("\n"), { mode: 0o644 });
  return { made: dir, hash: files.hash, isKnown: false };
}
