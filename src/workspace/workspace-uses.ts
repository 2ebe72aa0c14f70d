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
  list(): Promise<readonly WorkspaceUse[]>;
  forget(id: WorkspaceId): Promise<void>;
};

export type WorkspaceUse = FolderUse & {
  readonly id: WorkspaceId;
  /** When a program was there last that could have written, in milliseconds since 1970; to the hour. */
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

  return {
    async read(id) {
      const name = toFileName(id);
      return known.get(name) ?? parseUse(await state.readJson(toFile(name)));
    },
    async note(id, { bytes, entries, unmeasured, link }) {
      const name = toFileName(id);
      const last = known.get(name);
      const use: WorkspaceUse = {
        id,
        bytes,
        entries,
        ...(unmeasured === undefined ? {} : { unmeasured }),
        ...(link === undefined ? {} : { link }),
        usedAt: now(),
      };
      if (last !== undefined && isSame(last, use)) return;
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(name, use);
      await state.writeJson(toFile(name), use);
    },
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
    a.bytes === b.bytes &&
    a.entries === b.entries &&
    a.link === b.link &&
    a.unmeasured === b.unmeasured &&
    b.usedAt - a.usedAt < HOUR_MS
  );
}

/** Written by us, by its proof. */
function parseUse(value: unknown): WorkspaceUse | undefined {
  if (!isRecord(value) || !isRecord(value["id"])) return undefined;
  const { id, bytes, entries, usedAt, unmeasured, link } = value;
  const { kind, name } = value["id"];
  if ((kind !== "own" && kind !== "shared") || typeof name !== "string" || !isRecord(id)) return undefined;
  if (typeof bytes !== "number" || typeof entries !== "number" || typeof usedAt !== "number")
    return undefined;
  return {
    id: { kind, name },
    bytes,
    entries,
    usedAt,
    ...(typeof unmeasured === "string" && { unmeasured }),
    ...(typeof link === "string" && { link }),
  };
}
