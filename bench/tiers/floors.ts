import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDeno } from "../../src/sandbox/deno/find-deno.ts";
import { findPython } from "../../src/sandbox/python/find-python.ts";
import { ROOT_PLACES } from "../../src/sandbox/rootfs/root-places.ts";
import { createDockerApi } from "../../src/sandbox/tiers/docker/docker-api.ts";
import { findQemu } from "../../src/sandbox/tiers/vm/qemu.ts";
import { isRecord } from "../../src/text/is-record.ts";

/** What nobody can be faster than: the bare thing that a tier is made of, started at the same moments. */
export type Floor = { readonly name: string; once(): Promise<void>; close?(): Promise<void> };

export async function bareDeno(): Promise<Floor> {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-floor-"));
  const file = join(dir, "one.js");
  await writeFile(file, "console.log(1)");
  return {
    name: "bare Deno",
    once: () => untilEnd(findDeno(), ["run", "--no-config", "--no-remote", file]),
    close: () => rm(dir, { recursive: true }),
  };
}

export function barePython(): Floor {
  return { name: "bare CPython", once: () => untilEnd(findPython().binary, ["-I", "-c", "print(1)"]) };
}

/** A container of the same image that does nothing: made, started, waited for. */
export function emptyContainer(socket: string, runtime: string | undefined): Floor {
  const api = createDockerApi({ kind: "socket", path: socket });
  return {
    name: "an empty container",
    async once() {
      const images = await api.must("list images", "GET", "/images/json");
      const image: unknown = Array.isArray(images) ? images[0] : undefined;
      const made = await api.must("make a container", "POST", "/containers/create", {
        body: {
          Image: isRecord(image) ? image["Id"] : "",
          Entrypoint: [ROOT_PLACES.busybox],
          Cmd: ["true"],
          HostConfig: {
            NetworkMode: "none",
            ReadonlyRootfs: true,
            // Podman asks for more than it may have where none are named.
            Ulimits: [
              { Name: "nofile", Soft: 1_024, Hard: 1_024 },
              { Name: "nproc", Soft: 64, Hard: 64 },
            ],
            ...(runtime && { Runtime: runtime }),
          },
        },
      });
      const id = isRecord(made) ? String(made["Id"]) : "";
      await api.must("start it", "POST", `/containers/${id}/start`);
      await api.must("wait for it", "POST", `/containers/${id}/wait`);
      await api.must("remove it", "DELETE", `/containers/${id}?force=true`);
    },
    close: async () => api.close(),
  };
}

/** QEMU, until it answers. No machine runs in it. */
export function bareQemu(): Floor {
  const machine = ["-M", "microvm", "-m", "64M", "-nodefaults", "-display", "none", "-S", "-qmp", "stdio"];
  return {
    name: "QEMU answers",
    async once() {
      const child = spawn(findQemu() ?? "", machine, { env: {}, stdio: ["pipe", "pipe", "ignore"] });
      await once(child.stdout, "data");
      child.kill("SIGKILL");
    },
  };
}

async function untilEnd(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { env: {}, stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.resume();
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`"${command}" ended with ${code}`);
}
