import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KeyholeError } from "../../../../errors.ts";
import { toTemporaryName } from "../../../../store/atomic-write.ts";
import { makeFolders } from "../../../../store/make-folders.ts";
import { userCacheDir } from "../../../../store/user-cache.ts";
import { PYTHON_ENVIRONMENT } from "../../../python/python-arguments.ts";
import { makeSnapshot } from "./make-snapshot.ts";
import { isWholePack, toPack } from "./pack.ts";
import { type PyodideFiles, readGuestSources } from "./pyodide-files.ts";

const END = ".pack";
const KEPT_OTHERS = 2;

/**
 * The file that Python starts from, made when there is none. It lies in the user's own cache, never in a project, under a hash of
 * all that went into it, and ends with a hash of itself: one that was cut off or changed is made anew.
 */
export async function findPack(
  deno: string,
  files: PyodideFiles,
  dir = join(userCacheDir(), "pyodide"),
): Promise<string> {
  const sources = readGuestSources(files);
  const inputs = await hashInputs(files, sources);
  const path = join(dir, `${inputs.slice(0, 32)}${END}`);
  if (await isWhole(path)) return path;
  await assertOwn(dir);
  const snapshot = await makeSnapshot(deno, files, {
    files: sources,
    hashSeed: PYTHON_ENVIRONMENT.PYTHONHASHSEED,
  });
  await write(path, toPack(await readFile(files.wasm), await readFile(files.library), snapshot));
  await removeOld(dir, path);
  return path;
}

/** Those of other versions, but for the last two: who still uses an older one makes it again. */
async function removeOld(dir: string, path: string): Promise<void> {
  const names = await readdir(dir).catch(() => []);
  const packs = names.filter((name) => name.endsWith(END)).map((name) => join(dir, name));
  const times = await Promise.all(packs.map((pack) => lstat(pack).catch(() => undefined)));
  const ages = packs.map((pack, at) => ({ pack, time: times[at]?.mtimeMs ?? 0 }));
  const others = ages.filter(({ pack }) => pack !== path).sort((a, b) => b.time - a.time);
  await Promise.all(others.slice(KEPT_OTHERS).map(({ pack }) => rm(pack, { force: true }).catch(() => {})));
}

async function hashInputs(
  files: PyodideFiles,
  sources: { readonly [name: string]: string },
): Promise<string> {
  const hash = createHash("sha256");
  const own = ["load-python.js", "make-snapshot.js"].map((name) => join(files.guestDir, "pyodide", name));
  for (const file of [files.module, files.wasm, files.library, ...own])
    hash.update(
      createHash("sha256")
        .update(await readFile(file))
        .digest(),
    );
  return hash.update(JSON.stringify(sources)).digest("hex");
}

async function isWhole(path: string): Promise<boolean> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(path, flags).catch(() => undefined);
  if (!file) return false;
  try {
    const { uid, mode } = await file.stat();
    const isOwn = process.platform === "win32" || (uid === process.getuid?.() && (mode & 0o022) === 0);
    return isOwn && isWholePack(await file.readFile());
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

/** Whoever else could write there would decide what Python is. */
async function assertOwn(dir: string): Promise<void> {
  try {
    await makeFolders(dir);
    const { uid, mode } = await lstat(dir);
    if (process.platform === "win32" || (uid === process.getuid?.() && (mode & 0o022) === 0)) return;
  } catch (error) {
    throw unusable(dir, error);
  }
  throw unusable(dir, undefined);
}

async function write(path: string, bytes: Buffer): Promise<void> {
  const temporary = join(dirname(path), toTemporaryName());
  try {
    const file = await open(temporary, "wx", 0o600);
    await file.writeFile(bytes).finally(() => file.close());
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unusable(path, error);
  }
}

function unusable(path: string, cause: unknown): KeyholeError {
  return new KeyholeError("store_unusable", `Python can't be kept ready in "${path}"`, {
    hint: "Set XDG_CACHE_HOME to a folder that is yours alone, or install python3 and bubblewrap",
    cause,
  });
}
