import type { CacheScope } from "../../workspace/result-cache/cache-changes.ts";
import type { CallResult } from "./call.ts";

/** Calls under way that equal ones can share. */
export type Flights = {
  /** One that was begun at this version, and that nobody has made invalid since. */
  find(key: string, version: number): Flight | undefined;
  begin(key: string, about: FlightAbout, work: (signal: AbortSignal) => Promise<Landed>): Flight;
  /** Nobody joins those of these tools any more. */
  forget(scopes: readonly CacheScope[]): void;
};

export type FlightAbout = {
  readonly version: number;
  readonly scope: Required<CacheScope>;
  readonly timeoutMs: number | undefined;
};

/** What it came to, and what is done with that once nobody waits for it. */
export type Landed = { readonly result: CallResult; after?(): Promise<void> };

export type Landing =
  | { readonly ok: true; readonly result: CallResult }
  /** Without an error: whoever waited was cancelled. */
  | { readonly ok: false; readonly error: unknown };

export type Flight = {
  readonly timeoutMs: number | undefined;
  /** Waits for it. Whoever is cancelled leaves; when all have left, it is cancelled itself. */
  join(signal: AbortSignal): Promise<Landing>;
};

type Entry = Flight & FlightAbout;

export function createFlights(): Flights {
  const flights = new Map<string, Entry>();

  return {
    find(key, version) {
      const flight = flights.get(key);
      return flight?.version === version ? flight : undefined;
    },
    begin(key, about, work) {
      const stop = new AbortController();
      let passengers = 0;
      const landing = work(stop.signal);
      const landed = landing.then(
        ({ result }): Landing => ({ ok: true, result }),
        (error: unknown): Landing => ({ ok: false, error }),
      );
      const leave = () => {
        if (flights.get(key) === flight) flights.delete(key);
      };
      const flight: Entry = {
        ...about,
        async join(signal) {
          passengers++;
          const outcome = await untilAborted(landed, signal);
          passengers--;
          if (outcome !== undefined) return outcome;
          if (passengers > 0) return { ok: false, error: undefined };
          leave();
          stop.abort();
          return landed;
        },
      };
      flights.set(key, flight);
      // Until it is kept, whoever comes shares it; whoever waits has it before.
      landing.then(async ({ after }) => after && answered().then(after)).then(leave, leave);
      return flight;
    },
    forget(scopes) {
      for (const [key, { scope }] of flights)
        if (scopes.some(({ server, tool = scope.tool }) => server === scope.server && tool === scope.tool))
          flights.delete(key);
    },
  };
}

/** What was answered in this turn is on its way. */
const answered = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Nothing when the signal was faster. */
function untilAborted(landed: Promise<Landing>, signal: AbortSignal): Promise<Landing | undefined> {
  return new Promise((resolve) => {
    const leave = () => resolve(undefined);
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    void landed.then((outcome) => {
      signal.removeEventListener("abort", leave);
      resolve(outcome);
    });
  });
}
