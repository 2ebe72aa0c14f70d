import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../../../text/is-record.ts";
import { collectRootFiles, type RootFiles } from "../../../rootfs/root-files.ts";
import { ROOT_PLACES } from "../../../rootfs/root-places.ts";
import { rootStamp } from "../../../rootfs/root-stamp.ts";
import { writeRoot } from "../../../rootfs/write-root.ts";
import { runTool } from "./run-tool.ts";
import type { Stock } from "./stock.ts";

const MIB = 1024 * 1024;

export type RootImage = { readonly hash: string; readonly path: string };

export type RootImageOptions = { onProgress(text: string): void; readonly signal: AbortSignal };

/** The file system that virtual machines have: the runtimes, and nothing of a guest's, which comes when one is booted. */
export async function makeRootImage(
  stock: Stock,
  { onProgress, signal }: RootImageOptions,
): Promise<RootImage> {
  const stamp = await rootStamp({ guests: [] });
  const known = await readStamp(stock, stamp);
  if (known !== undefined && (await stock.has("roots", known))) return toImage(stock, known);
  onProgress("Collecting the runtimes and their libraries");
  const files = await collectRootFiles({ guests: [] });
  await stock.make("roots", files.hash, async (dir) => {
    onProgress("Making the root file system");
    const tree = join(dir, "tree");
    await writeRoot({ entries: withMountPoint(files) }, tree);
    await makeExt4(tree, join(dir, "root.ext4"), files, signal);
    await rm(tree, { recursive: true });
  });
  await stock.make("stamps", stamp, (dir) =>
    writeFile(join(dir, "root.json"), JSON.stringify({ hash: files.hash })),
  );
  return toImage(stock, files.hash);
}

const toImage = (stock: Stock, hash: string) => ({
  hash,
  path: join(stock.place("roots", hash), "root.ext4"),
});

/** Where a guest is put when one is booted. */
function withMountPoint({ entries }: RootFiles): RootFiles["entries"] {
  const path = ROOT_PLACES.guests.slice(1);
  return [{ kind: "folder", path: "", mode: 0o755 }, ...entries, { kind: "folder", path, mode: 0o755 }];
}

async function makeExt4(tree: string, image: string, files: RootFiles, signal: AbortSignal): Promise<void> {
  const bytes = files.entries.reduce(
    (sum, entry) => sum + 4096 + (entry.kind === "file" ? entry.size : 0),
    0,
  );
  const mib = Math.ceil((bytes * 1.1) / MIB) + 16;
  const options = [
    "-q",
    "-F",
    "-O",
    "^has_journal,^resize_inode",
    "-m",
    "0",
    "-E",
    "root_owner=0:0,lazy_itable_init=1",
  ];
  await runTool("mkfs.ext4", [...options, "-d", tree, image, `${mib}M`], {
    signal,
    hint: "Install e2fsprogs (on Debian: apt install e2fsprogs)",
  });
}

async function readStamp(stock: Stock, stamp: string): Promise<string | undefined> {
  try {
    const said: unknown = JSON.parse(await readFile(join(stock.place("stamps", stamp), "root.json"), "utf8"));
    return isRecord(said) && typeof said["hash"] === "string" ? said["hash"] : undefined;
  } catch {
    return undefined;
  }
}
