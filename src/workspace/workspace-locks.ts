import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { KeyholeError } from "../errors.ts";
import { isLocked, withFileLock } from "../store/file-lock.ts";
import type { StateDir } from "../store/state-dir.ts";
import { toFileName, toWorkspaceText, type WorkspaceId } from "./workspace-id.ts";

/** Who works in a workspace: programs beside each other, or one who changes it as a whole. Of all processes. */
export type WorkspaceLocks = {
  /** While a program runs in it. Waits for who changes it as a whole. */
  shared<T>(id: WorkspaceId, work: () => Promise<T>): Promise<T>;
  /** Waits a while for the programs in it to end, and keeps new ones waiting; fails where one goes on. */
  alone<T>(id: WorkspaceId, work: () => Promise<T>): Promise<T>;
};

const FOLDER = "leases";
const LOOK_EVERY_MS = 20;
const WHOLE = "whole.lock";

export type WorkspaceLocksOptions = {
  /** So long programs may still go on before it is given up. */
  readonly patienceMs?: number;
  /** So long a program waits for who changes the workspace: large ones take a while. */
  readonly programPatienceMs?: number;
};

/**
 * A file for each who works there, in a folder of the workspace's. Whoever comes leaves its own first and looks for others' then,
 * so that of two who come at once at least one sees the other.
 */
export function createWorkspaceLocks(
  state: Pick<StateDir, "path" | "inFolder">,
  { patienceMs = 10_000, programPatienceMs = 60_000 }: WorkspaceLocksOptions = {},
): WorkspaceLocks {
  const inLeases = async <T>(id: WorkspaceId, work: (path: string) => Promise<T>): Promise<T> => {
    let result: { readonly value: T } | undefined;
    await state.inFolder([FOLDER, toFileName(id)], { make: true }, async ({ path }) => {
      result = { value: await work(path) };
    });
    if (result === undefined) throw noFolder(state.path);
    return result.value;
  };

  return {
    shared: (id, work) =>
      inLeases(id, async (path) => {
        const deadline = performance.now() + programPatienceMs;
        return locked(join(path, `${randomUUID()}.lock`), async () => {
          while (existsSync(join(path, WHOLE)) && (await isLocked(join(path, WHOLE)))) {
            if (performance.now() > deadline) throw inUse(id, "is being restored or removed");
            await delay(LOOK_EVERY_MS);
          }
          return work();
        });
      }),
    alone: (id, work) =>
      inLeases(id, async (path) => {
        const deadline = performance.now() + patienceMs;
        return locked(join(path, WHOLE), async () => {
          while (await hasOthers(path)) {
            if (performance.now() > deadline) throw inUse(id, "is in use: a program runs in it");
            await delay(LOOK_EVERY_MS);
          }
          return work();
        });
      }),
  };
}

async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  let result: { readonly value: T } | undefined;
  const isDone = await withFileLock(path, async () => {
    result = { value: await work() };
  });
  if (isDone && result !== undefined) return result.value;
  throw new KeyholeError("file_conflict", "The workspace is being changed by another process", {
    hint: "Try again when that has ended",
  });
}

/** What killed processes have left goes. */
async function hasOthers(path: string): Promise<boolean> {
  for (const name of await readdir(path)) {
    if (!/^[0-9a-f-]{36}\.lock$/.test(name)) continue;
    if (await isLocked(join(path, name))) return true;
    await rm(join(path, name), { force: true });
  }
  return false;
}

function inUse(id: WorkspaceId, how: string): KeyholeError {
  return new KeyholeError("file_conflict", `The workspace "${toWorkspaceText(id)}" ${how}`, {
    hint: "Try again when that has ended",
  });
}

function noFolder(path: string): KeyholeError {
  return new KeyholeError("file_conflict", `Cannot write to "${path}"`, {
    hint: "Make it writable for this user",
  });
}
