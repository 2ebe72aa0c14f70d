import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite } from "../../store/atomic-write.ts";
import { makeFolders } from "../../store/make-folders.ts";
import { userCacheDir } from "../../store/user-cache.ts";
import { toHash } from "../../text/hash.ts";
import { collectRootFiles, type RootOptions } from "./root-files.ts";
import { rootStamp } from "./root-stamp.ts";

/** The hash of `collectRootFiles`, remembered for as long as what is installed looks the same. */
export async function knownRootHash(options: RootOptions = {}): Promise<string> {
  const stamp = await rootStamp(options);
  const guests = options.guests?.map(({ name, runner }) => [name, runner]) ?? [];
  const file = join(userCacheDir(), `root-${toHash(JSON.stringify([import.meta.url, guests])).slice(0, 16)}`);
  const [known, hash] = (await readFile(file, "utf8").catch(() => "")).split(" ");
  if (known === stamp && hash !== undefined && /^[0-9a-f]{64}$/.test(hash)) return hash;
  const files = await collectRootFiles(options);
  // Where it can't be kept it is found out again.
  await makeFolders(userCacheDir())
    .then(() => atomicWrite(file, `${stamp} ${files.hash}`, { mode: 0o600 }))
    .catch(() => {});
  return files.hash;
}
