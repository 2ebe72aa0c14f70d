import { lookup as systemLookup } from "node:dns/promises";
import { withTimeLimit } from "../process/time-limit.ts";
import { toAddress } from "./address-kinds.ts";
import { EgressError } from "./egress-error.ts";
import { LOCAL_ADDRESSES, LOCALHOST } from "./gate.ts";
import type { HostName } from "./host-name.ts";

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

const LOOKUP_MS = 10_000;
/** The system's look-up takes a thread of the few that files are read by too, for as long as a name server lets it wait. */
const AT_ONCE = 2;
const MAX_ADDRESSES = 16;

/** Looks names up, few at a time, and one at a time for each run: names can be made that never get an answer. */
export function createLookup(resolve: Resolve = resolveBySystem) {
  const busy = new Set<string>();
  const waiting = new Set<() => void>();

  async function take(run: string, signal: AbortSignal): Promise<void> {
    while (busy.size >= AT_ONCE || busy.has(run)) {
      await new Promise<void>((wake, fail) => {
        const stop = () => {
          waiting.delete(wakeUp);
          fail(signal.reason);
        };
        const wakeUp = () => {
          signal.removeEventListener("abort", stop);
          wake();
        };
        if (signal.aborted) return fail(signal.reason);
        signal.addEventListener("abort", stop, { once: true });
        waiting.add(wakeUp);
      });
    }
    busy.add(run);
  }

  function give(run: string): void {
    busy.delete(run);
    const all = [...waiting];
    waiting.clear();
    for (const wake of all) wake();
  }

  return async (host: HostName, run: string, signal: AbortSignal): Promise<readonly string[]> => {
    if (host.isAddress) return [host.name];
    if (host.name === LOCALHOST) return LOCAL_ADDRESSES;
    const found = await withTimeLimit(LOOKUP_MS, [signal], (late) =>
      unlessLate(
        take(run, late).then(() => resolve(host.name).finally(() => give(run))),
        late,
      ),
    ).catch(() => []);
    const addresses = found.slice(0, MAX_ADDRESSES).map(toAddress);
    if (addresses.length > 0 && addresses.every((address) => address !== undefined)) return addresses;
    throw new EgressError("unreachable", `the name "${host.name}" was not found`);
  };
}

async function resolveBySystem(name: string): Promise<string[]> {
  const found = await systemLookup(name, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** The work goes on and keeps its place: it can't be stopped. */
function unlessLate<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
