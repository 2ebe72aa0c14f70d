import { finishInSlices, type Work } from "../../text/slices.ts";
import type { SearchableServer } from "../answer.ts";
import type { ToolIndex } from "../query/rank.ts";

/** A search waits this long for a newer index if there is an older one. The index of an ordinary catalogue takes less. */
const PATIENCE_SLICES = 30;
/** An index that took longer than this is made again only after `REST_FACTOR` times as long. */
const LONG_MS = 250;
const REST_FACTOR = 4;
const MAX_REST_MS = 10_000;

export type IndexKeeper = {
  /** The index of these servers; the last one while theirs takes long, or must not be made yet. */
  indexOf(servers: readonly SearchableServer[]): Promise<ToolIndex>;
};

type Kept = { readonly servers: readonly SearchableServer[]; readonly index: ToolIndex };
type Build = { readonly done: Promise<Kept>; readonly isLong: Promise<undefined> };

/**
 * One index at a time is made, in slices, and changes that come meanwhile are gathered in the next: a server that changes
 * its list all the time costs a share of the host's time, not all of it.
 */
export function createIndexKeeper(
  build: (servers: readonly SearchableServer[]) => Work<ToolIndex>,
  now: () => number = () => performance.now(),
): IndexKeeper {
  let last: Kept | undefined;
  let building: Build | undefined;
  let restsUntil = 0;

  function start(servers: readonly SearchableServer[]): Build {
    let tellLong = () => {};
    const isLong = new Promise<undefined>((resolve) => {
      tellLong = () => resolve(undefined);
    });
    return { done: make(servers, tellLong), isLong };
  }

  async function make(servers: readonly SearchableServer[], tellLong: () => void): Promise<Kept> {
    let slices = 0;
    let spentMs = 0;
    function onSlice(sliceMs: number): void {
      spentMs += sliceMs;
      if (++slices === PATIENCE_SLICES) tellLong();
    }
    try {
      last = { servers, index: await finishInSlices(build(servers), { now, onSlice }) };
      return last;
    } finally {
      building = undefined;
      // The first one takes its time for the lexicon: that is no reason to make do with an index of nothing.
      const isRest = spentMs > LONG_MS && servers.some(({ tools }) => tools.length > 0);
      restsUntil = isRest ? now() + Math.min(MAX_REST_MS, spentMs * REST_FACTOR) : 0;
    }
  }

  /** What is under way, of an older list maybe, or the last one if that takes long. */
  async function next(servers: readonly SearchableServer[]): Promise<Kept> {
    building ??= start(servers);
    const { done, isLong } = building;
    return last ? ((await Promise.race([done, isLong])) ?? last) : done;
  }

  return {
    async indexOf(servers) {
      const isEnough = () =>
        last && (isSame(servers, last.servers) || (building === undefined && now() < restsUntil));
      if (last && isEnough()) return last.index;
      const first = await next(servers);
      // It may have been of an older list.
      return isEnough() ? first.index : (await next(servers)).index;
    },
  };
}

function isSame(current: readonly SearchableServer[], seen: readonly SearchableServer[]): boolean {
  return current.length === seen.length && current.every((server, at) => isAlike(server, seen[at]));
}

// Records are made anew when only a status changed; the lists of tools in them are not.
function isAlike(one: SearchableServer, other: SearchableServer | undefined): boolean {
  return (
    other !== undefined &&
    (one.tools === other.tools || (one.tools.length === 0 && other.tools.length === 0)) &&
    one.name === other.name &&
    one.identifiers.typescript === other.identifiers.typescript &&
    one.instructions === other.instructions
  );
}
