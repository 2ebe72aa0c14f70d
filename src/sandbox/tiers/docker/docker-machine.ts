import type { Machine, MachineSpec } from "../../machine/machine.ts";
import { placeInRoot } from "../../rootfs/root-places.ts";
import { startContainer } from "./container.ts";
import { toContainer, toFolderBytes } from "./container-spec.ts";
import { type Daemon, findDaemon } from "./daemon.ts";
import { ownerLabels, removeOrphans } from "./orphans.ts";
import type { DockerSettings } from "./settings.ts";

/** Containers of a daemon, one for each program: without network, rights or files of this host. */
export function createDockerMachine({ limits, guest }: MachineSpec, settings: DockerSettings): Machine {
  const { runtime } = settings;
  const isSentry = runtime === "runsc";
  const removals = new Set<Promise<void>>();
  let ready: Promise<Daemon> | undefined;

  function onRemoving(removed: Promise<void>): void {
    removals.add(removed);
    void removed.then(() => removals.delete(removed));
  }

  /** Found with the first program, and again after it was not. */
  function daemon(): Promise<Daemon> {
    ready ??= findDaemon(settings).then((found) => {
      onRemoving(removeOrphans(found.api).catch(() => {}));
      return found;
    });
    ready.catch(() => {
      ready = undefined;
    });
    return ready;
  }

  return {
    tier: "docker",
    layers: [
      guest.runtime === "python" ? "CPython" : guest.runtime,
      `container (${runtime ?? "runc"})`,
      "seccomp",
      "cgroup memory",
      "cgroup pids",
    ],
    isWalled: true,
    files: "copied",
    cores: "any",
    async start({ folders, limits: own, waits }) {
      const { api, image, seccomp } = await daemon();
      const inside = folders.map((folder) => placeInRoot(folder, guest.runtime));
      // What lies in a folder may be as much as was allowed when it was written.
      const held = { ...own, diskBytes: Math.max(own.diskBytes, limits.diskBytes) };
      return startContainer({
        api,
        folders: inside,
        folderBytes: toFolderBytes(held),
        waits,
        isSentry,
        isLocal: api.address.kind === "socket",
        body: toContainer({
          image,
          guest,
          folders: inside,
          limits: held,
          waits,
          labels: ownerLabels(),
          runtime,
          seccomp,
        }),
        onRemoving,
      });
    },
    async close() {
      while (removals.size > 0) await Promise.all(removals);
      const found = await ready?.catch(() => undefined);
      found?.api.close();
    },
  };
}
