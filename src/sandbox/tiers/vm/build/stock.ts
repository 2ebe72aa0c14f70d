import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../../../../errors.ts";
import { removeAllWhenGone } from "../../../../process/watchdog.ts";
import { userCacheDir } from "../../../../store/user-cache.ts";

type Kind = "kernels" | "roots" | "templates" | "stamps";

/** What was made here for virtual machines, each in a folder by its hash. It may be removed at any time; then it is made again. */
export type Stock = {
  readonly dir: string;
  place(kind: Kind, hash: string): string;
  has(kind: Kind, hash: string): Promise<boolean>;
  /** The newest of a kind. */
  current(kind: Kind): Promise<string | undefined>;
  /** Has a folder filled, unless it is there: all of it or nothing. */
  make(kind: Kind, hash: string, fill: (dir: string) => Promise<void>): Promise<void>;
  remove(kind: Kind, hash: string): Promise<void>;
  /** A folder for whoever removes it again. */
  scratch(): Promise<string>;
};

/** Opens the folder, which must be the user's own: what lies in it is run. */
export async function openStock(env: NodeJS.ProcessEnv = process.env): Promise<Stock> {
  const dir = join(userCacheDir(env), "vm");
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await assertOwn(dir);
  for (const kind of ["kernels", "roots", "templates", "stamps", "scratch"]) {
    await mkdir(join(dir, kind), { recursive: true, mode: 0o700 });
    await assertOwn(join(dir, kind));
  }
  const place = (kind: Kind, hash: string) => join(dir, kind, hash);
  const has = (kind: Kind, hash: string) =>
    stat(place(kind, hash)).then(
      () => true,
      () => false,
    );
  const scratch = async () => {
    const made = join(dir, "scratch", randomUUID());
    await mkdir(made, { mode: 0o700 });
    removeAllWhenGone(made);
    return made;
  };

  return {
    dir,
    place,
    has,
    scratch,
    async current(kind) {
      const hashes = await readdir(join(dir, kind));
      const times = await Promise.all(hashes.map(async (hash) => (await stat(place(kind, hash))).mtimeMs));
      return hashes[times.indexOf(Math.max(...times))];
    },
    async make(kind, hash, fill) {
      if (await has(kind, hash)) return;
      const made = await scratch();
      try {
        await fill(made);
        await rename(made, place(kind, hash)).catch(async (error) => {
          // Another process was first.
          if (!(await has(kind, hash))) throw error;
        });
        await utimes(place(kind, hash), new Date(), new Date());
      } finally {
        await rm(made, { recursive: true, force: true });
      }
    },
    remove: (kind, hash) => rm(place(kind, hash), { recursive: true, force: true }),
  };
}

async function assertOwn(dir: string): Promise<void> {
  const stats = await lstat(dir);
  const isOwn = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
  if (isOwn) return;
  throw new KeyholeError(
    "file_conflict",
    `Cannot use "${dir}": it is not a folder of your own that nobody else can write to`,
    {
      hint: "Remove it, or point XDG_CACHE_HOME to another folder",
    },
  );
}
