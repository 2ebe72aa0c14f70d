import type { CleanKind, Removable } from "./kind.ts";

export type CleanOptions = {
  /** Says what would go, and removes nothing. */
  readonly isDry?: boolean;
  /** What all of `.keyhole` may take. */
  readonly maxBytes?: number;
  /** What it takes now; asked only where there is a limit. */
  usedBytes?(): Promise<number>;
  readonly signal?: AbortSignal;
};

/** What went, or would go. */
export type Cleaned = {
  readonly removed: readonly CleanedItem[];
  /** What should have gone, and could not. */
  readonly failed: readonly CleanedItem[];
  /** Of both, those that are not told one by one. */
  readonly more: number;
  readonly bytes: number;
  /** Of that, what lay in `.keyhole`. */
  readonly stateBytes: number;
  /** What is over the limit still, since the rest is in use or never goes. */
  readonly overBytes: number;
};

export type CleanedItem = {
  readonly kind: string;
  readonly name: string;
  readonly bytes: number;
  readonly reason: string;
};

/** Told one by one. */
const MAX_TOLD = 10_000;

/**
 * Removes what has expired, of every kind; then, while there is more than there may be, the oldest of each kind in the kinds' order.
 * What is in use stays. Several processes can do it at once: each thing looks at itself again before it goes.
 */
export async function cleanUp(
  kinds: readonly CleanKind[],
  { isDry = false, maxBytes, usedBytes, signal }: CleanOptions = {},
): Promise<Cleaned> {
  const removed: CleanedItem[] = [];
  const failed: CleanedItem[] = [];
  let [more, bytes, stateBytes] = [0, 0, 0];

  function tell(list: CleanedItem[], item: CleanedItem): void {
    if (removed.length + failed.length < MAX_TOLD) list.push(item);
    else more++;
  }

  async function remove(kind: CleanKind, one: Removable, reason: string): Promise<number> {
    const item = { kind: kind.name, name: one.name, bytes: one.bytes, reason };
    try {
      if (!isDry && !(await one.remove())) return 0;
      bytes += one.bytes;
      if (!kind.isElsewhere) stateBytes += one.bytes;
      tell(removed, item);
      return one.bytes;
    } catch {
      tell(failed, item);
      return 0;
    }
  }

  const rest: { readonly kind: CleanKind; readonly left: Removable[] }[] = [];
  for (const kind of kinds) {
    if (signal?.aborted) break;
    const left: Removable[] = [];
    // One kind that can't be looked at is no reason to leave the others.
    for (const one of await kind.list().catch(() => [])) {
      if (one.isInUse || signal?.aborted) continue;
      if (one.reason === undefined) left.push(one);
      else await remove(kind, one, one.reason);
    }
    rest.push({ kind, left });
  }
  let over = maxBytes === undefined ? 0 : ((await usedBytes?.()) ?? 0) - maxBytes - (isDry ? stateBytes : 0);
  for (const { kind, left } of rest) {
    for (const one of left.sort((a, b) => a.usedAt - b.usedAt)) {
      if (over <= 0 || signal?.aborted) break;
      over -= await remove(kind, one, MAKES_ROOM);
    }
  }
  return { removed, failed, more, bytes, stateBytes, overBytes: Math.max(0, over) };
}

const MAKES_ROOM = "to make room";
