import { lstat, opendir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../../../../store/remove-tree.ts";
import type { TierLeftover } from "../../../machine/tier.ts";
import { openStock, type Stock } from "./stock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Making a template takes minutes. */
const SCRATCH_AGE_MS = DAY_MS;
const STALE_MS = 30 * DAY_MS;
const MAX_FILES = 10_000;

type Place = { readonly kind: string; readonly name: string; readonly madeAt: number };

/**
 * What was half made by a process that is gone, and what was made for another version or other limits long ago. What is newest of its
 * kind stays. Whoever has a machine of what goes keeps it: its files are open.
 */
export async function stockLeftovers(): Promise<readonly TierLeftover[]> {
  const stock = await openStock();
  const scratch = (await placesIn(stock, "scratch")).filter(({ madeAt }) => isOld(madeAt, SCRATCH_AGE_MS));
  const stale = await Promise.all(["kernels", "roots", "templates"].map((kind) => findStale(stock, kind)));
  return Promise.all([
    ...scratch.map((place) => toLeftover(stock, place, "left by a process that was ended")),
    ...stale
      .flat()
      .map((place) => toLeftover(stock, place, "made more than 30 days ago, and newer ones since")),
  ]);
}

async function findStale(stock: Stock, kind: string): Promise<Place[]> {
  const places = await placesIn(stock, kind);
  const newest = Math.max(...places.map(({ madeAt }) => madeAt));
  // Templates that are made together are of one time, about: those of each guest.
  return places.filter(({ madeAt }) => madeAt < newest - DAY_MS && isOld(madeAt, STALE_MS));
}

async function placesIn({ dir }: Stock, kind: string): Promise<Place[]> {
  const names = await readdir(join(dir, kind)).catch(() => []);
  const places = await Promise.all(
    names.map(async (name) => ({
      kind,
      name,
      stats: await lstat(join(dir, kind, name)).catch(() => undefined),
    })),
  );
  return places.flatMap(({ kind, name, stats }) =>
    stats?.isDirectory() ? [{ kind, name, madeAt: stats.mtimeMs }] : [],
  );
}

async function toLeftover(
  { dir }: Stock,
  { kind, name, madeAt }: Place,
  reason: string,
): Promise<TierLeftover> {
  const place = join(dir, kind, name);
  return {
    name: `${kind}/${name.slice(0, 16)}`,
    bytes: await measure(place),
    usedAt: madeAt,
    reason,
    async remove() {
      if ((await lstat(place).catch(() => undefined))?.mtimeMs !== madeAt) return false;
      // Half of a template is none.
      const gone = join(dir, "scratch", `${name}.gone`);
      if (kind === "scratch") await removeTree(place);
      else {
        await rename(place, gone);
        await removeTree(gone);
      }
      return true;
    },
  };
}

async function measure(dir: string): Promise<number> {
  let bytes = 0;
  let files = 0;
  for await (const entry of await opendir(dir, { recursive: true })) {
    if (++files > MAX_FILES) break;
    bytes += ((await lstat(join(entry.parentPath, entry.name)).catch(() => undefined))?.blocks ?? 0) * 512;
  }
  return bytes;
}

function isOld(atMs: number, ms: number): boolean {
  return Math.abs(Date.now() - atMs) > ms;
}
