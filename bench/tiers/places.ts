import { spawnSync } from "node:child_process";
import { createTiers, TIERS, type Tiers } from "../../src/sandbox/tiers/tiers.ts";
import { createDaemon, type DaemonKind, daemonMissing } from "../../test/fixtures/docker-daemon.ts";
import { processTier } from "../../test/fixtures/process-tier.ts";
import { bareDeno, barePython, bareQemu, emptyContainer, type Floor } from "./floors.ts";

/** A tier as it is set up here. */
export type Place = {
  readonly name: string;
  readonly tier: string;
  readonly tiers: Tiers;
  /** What is promised, by language. */
  readonly targets: {
    readonly [language: string]: { readonly coldMs?: number; readonly pooledMs?: number };
  };
  readonly floors: { readonly [language: string]: Floor };
  /** The user's, where what it needs is there. */
  readonly cache?: string | undefined;
};

export type Places = {
  readonly places: readonly Place[];
  /** Why others are not among them. */
  readonly missing: readonly string[];
  close(): Promise<void>;
};

const CONTAINERS: readonly {
  readonly name: string;
  readonly kind: DaemonKind;
  readonly runtime?: "runsc";
  readonly targets: Place["targets"];
}[] = [
  { name: "docker, runc", kind: "docker", targets: { TypeScript: { coldMs: 150, pooledMs: 3 } } },
  { name: "docker, gVisor", kind: "docker", runtime: "runsc", targets: {} },
  { name: "Podman, runc", kind: "podman", targets: {} },
];

/** All that there is on this machine; daemons are started for it, and what a virtual machine needs is made. */
export async function openPlaces(progress: (message: string) => void): Promise<Places> {
  const deno = await bareDeno();
  const python = barePython();
  const vm = await openVm(progress);
  const places: Place[] = [
    {
      name: "process",
      tier: "process",
      tiers: processTier({ bubblewrap: "never" }),
      // Pyodide, in Deno.
      targets: { Python: { coldMs: 600, pooledMs: 20 } },
      floors: { TypeScript: deno, Python: deno },
    },
  ];
  const missing: string[] = [];
  const daemons = new Map<DaemonKind, ReturnType<typeof createDaemon>>();
  if (spawnSync("bwrap", ["--version"]).status === 0)
    places.push({
      name: "process, bubblewrap",
      tier: "process",
      tiers: processTier({ bubblewrap: "always" }),
      targets: { Python: { coldMs: 100, pooledMs: 8 } },
      floors: { TypeScript: deno, Python: python },
    });
  else missing.push("process, bubblewrap: apt install bubblewrap");

  for (const { name, kind, runtime, targets } of CONTAINERS) {
    const why = daemonMissing(kind, runtime);
    if (why !== undefined) {
      missing.push(`${name}: ${why}`);
      continue;
    }
    const daemon = daemons.get(kind) ?? createDaemon(kind);
    const tiers = createTiers({ docker: { socket: daemon.socket, runtime } });
    if (!daemons.has(kind)) {
      progress(`starting ${kind}`);
      daemons.set(kind, daemon);
      await daemon.start();
    }
    await tiers["docker"]?.build?.({ onProgress: progress, signal: AbortSignal.timeout(120_000) });
    const empty = emptyContainer(daemon.socket, runtime);
    places.push({ name, tier: "docker", tiers, targets, floors: { TypeScript: empty, Python: empty } });
  }
  if (typeof vm === "string") missing.push(vm);
  else places.push(vm);
  return {
    places,
    missing,
    async close() {
      const floors = new Set(places.flatMap(({ floors }) => Object.values(floors)));
      await Promise.all([...floors].map((floor) => floor.close?.()));
      await Promise.all([...daemons.values()].map((daemon) => daemon.stop()));
    },
  };
}

/** Before the daemons, which have a cache of their own. */
async function openVm(progress: (message: string) => void): Promise<Place | string> {
  const { vm } = TIERS;
  const cache = process.env["XDG_CACHE_HOME"];
  const lacking = await vm?.missing();
  try {
    if (lacking) await vm?.build?.({ onProgress: progress, signal: AbortSignal.timeout(300_000) });
  } catch (error) {
    return `VM: ${lacking?.why}: ${error instanceof Error ? error.message : error}. ${lacking?.fix}`;
  }
  const floor = bareQemu();
  return {
    name: "VM",
    tier: "vm",
    tiers: TIERS,
    cache,
    targets: { TypeScript: { coldMs: 150, pooledMs: 15 } },
    floors: { TypeScript: floor, Python: floor },
  };
}
