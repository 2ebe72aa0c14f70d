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
/** For so long names of a domain whose name servers did not answer are not looked up again. */
const SILENT_MS = 60_000;
const MAX_SILENT = 1_000;

/** Looks names up, few at a time, and one at a time for each run: names can be made that never get an answer. */
export function createLookup(resolve: Resolve = resolveBySystem, withinMs = LOOKUP_MS) {
  const busy = new Set<string>();
  const waiting = new Set<() => void>();
  const silent = new Map<string, number>();

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

  /** Others wait meanwhile, so a domain has one chance a minute to be silent. */
  async function resolveInTime(name: string, run: string, signal: AbortSignal): Promise<readonly string[]> {
    const domain = toDomain(name);
    if ((silent.get(domain) ?? 0) > performance.now())
      throw new EgressError("unreachable", `the name servers of "${domain}" do not answer`);
    let hasBegun = false;
    const work = async (late: AbortSignal) => {
      await take(run, late);
      hasBegun = true;
      return resolve(name).finally(() => give(run));
    };
    try {
      return await withTimeLimit(withinMs, [signal], (late) => unlessLate(work(late), late));
    } catch (error) {
      if (signal.aborted || !(error instanceof DOMException)) return [];
      if (!hasBegun) throw new EgressError("unreachable", `"${name}" was not looked up: too many others are`);
      if (silent.size >= MAX_SILENT) silent.clear();
      silent.set(domain, performance.now() + SILENT_MS);
      throw new EgressError("unreachable", `the name servers of "${domain}" do not answer`);
    }
  }

  return async (host: HostName, run: string, signal: AbortSignal): Promise<readonly string[]> => {
    if (host.isAddress) return [host.name];
    if (host.name === LOCALHOST) return LOCAL_ADDRESSES;
    const found = await resolveInTime(host.name, run, signal);
    const addresses = found.slice(0, MAX_ADDRESSES).map(toAddress);
    if (addresses.length > 0 && addresses.every((address) => address !== undefined)) return addresses;
    throw new EgressError("unreachable", `the name "${host.name}" was not found`);
  };
}

/** What one owner has, as far as names tell: `shop.example`, `shop.co.uk`. */
function toDomain(name: string): string {
  const labels = name.split(".");
  const isShort = (labels.at(-2)?.length ?? 0) <= 3;
  return labels.slice(isShort ? -3 : -2).join(".");
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
