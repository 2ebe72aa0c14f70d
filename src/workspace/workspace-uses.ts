import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FolderUse } from "../sandbox/sandbox.ts";
import type { StateDir } from "../store/state-dir.ts";
import { isRecord } from "../text/is-record.ts";
import { toFileName, type WorkspaceId } from "./workspace-id.ts";

/** What is known of each workspace without a look at its files: it may be lost, and is known again after the next run. */
export type WorkspaceUses = {
  read(id: WorkspaceId): Promise<WorkspaceUse | undefined>;
  note(id: WorkspaceId, use: FolderUse): Promise<void>;
  /** It is in use now; what is known to be in it stays known, unless it was changed. */
  touch(id: WorkspaceId, options?: { readonly isChanged?: boolean }): Promise<void>;
  list(): Promise<readonly WorkspaceUse[]>;
  forget(id: WorkspaceId): Promise<void>;
};

export type WorkspaceUse = {
  readonly id: WorkspaceId;
  /** What was in it; nothing where it was changed by others than programs since. */
  readonly measured?: FolderUse;
  /** When a program or a person was there last who could have written, in milliseconds since 1970; to the hour. */
  readonly usedAt: number;
};

const FOLDER = "uses";
const HOUR_MS = 60 * 60 * 1000;
const MAX_KNOWN = 1_000;

export function createWorkspaceUses(
  state: Pick<StateDir, "inFolder" | "readJson" | "writeJson">,
  now: () => number = Date.now,
): WorkspaceUses {
  const known = new Map<string, WorkspaceUse>();
  const toFile = (name: string) => `${FOLDER}/${name}.json`;

  /** Other processes write, too: what this one knows counts only where nothing can be written. */
  async function read(id: WorkspaceId): Promise<WorkspaceUse | undefined> {
    const name = toFileName(id);
    return parseUse(await state.readJson(toFile(name))) ?? known.get(name);
  }

  async function write(id: WorkspaceId, measured: FolderUse | undefined): Promise<void> {
    const name = toFileName(id);
    const use: WorkspaceUse = { id, ...(measured && { measured }), usedAt: now() };
    const last = parseUse(await state.readJson(toFile(name)));
    if (last !== undefined && isSame(last, use)) return;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(name, use);
    await state.writeJson(toFile(name), { id, ...measured, usedAt: use.usedAt });
  }

  return {
    read,
    note: (id, { bytes, entries, unmeasured, link }) =>
      write(id, {
        bytes,
        entries,
        ...(unmeasured === undefined ? {} : { unmeasured }),
        ...(link === undefined ? {} : { link }),
      }),
    touch: async (id, { isChanged = false } = {}) =>
      write(id, isChanged ? undefined : (await read(id))?.measured),
    async list() {
      const names = await state.inFolder([FOLDER], { make: false }, ({ path }) => readdir(path));
      const found = (names ?? []).filter((name) => name.endsWith(".json"));
      const uses = await Promise.all(
        found.map(async (name) => parseUse(await state.readJson(`${FOLDER}/${name}`))),
      );
      return uses.flatMap((use) => use ?? []);
    },
    async forget(id) {
      const name = toFileName(id);
      known.delete(name);
      await state.inFolder([FOLDER], { make: false }, ({ path }) =>
        rm(join(path, `${name}.json`), { force: true }),
      );
    },
  };
}

function isSame(a: WorkspaceUse, b: WorkspaceUse): boolean {
  return (
    a.measured?.bytes === b.measured?.bytes &&
    a.measured?.entries === b.measured?.entries &&
    a.measured?.link === b.measured?.link &&
    a.measured?.unmeasured === b.measured?.unmeasured &&
    // A clock that was set back, too, is a new time.
    Math.abs(b.usedAt - a.usedAt) < HOUR_MS
  );
}

/** Written by us, by its proof. */
function parseUse(value: unknown): WorkspaceUse | undefined {
  if (!isRecord(value) || !isRecord(value["id"])) return undefined;
  const { id, bytes, entries, usedAt, unmeasured, link } = value;
  const { kind, name } = value["id"];
  if ((kind !== "own" && kind !== "shared") || typeof name !== "string" || !isRecord(id)) return undefined;
  if (typeof usedAt !== "number") return undefined;
  if (typeof bytes !== "number" || typeof entries !== "number") return { id: { kind, name }, usedAt };
  const measured: FolderUse = {
    bytes,
    entries,
    ...(typeof unmeasured === "string" && { unmeasured }),
    ...(typeof link === "string" && { link }),
  };
  return { id: { kind, name }, usedAt, measured };
}
