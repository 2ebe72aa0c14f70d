import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../errors.ts";
import type { StateDir } from "../store/state-dir.ts";
import { isRecord } from "../text/is-record.ts";
import { toFileName, type WorkspaceId } from "./workspace-id.ts";

/** What is done to a workspace as a whole, and must be finished by whoever comes after one who was killed in the midst of it. */
export type WholeChange =
  | { readonly kind: "restore"; readonly snapshot: string }
  | { readonly kind: "remove" };

export type Unfinished = {
  read(id: WorkspaceId): Promise<WholeChange | undefined>;
  /** On the disk before the first file is touched. */
  begin(id: WorkspaceId, change: WholeChange): Promise<void>;
  end(id: WorkspaceId): Promise<void>;
  /** Of all workspaces. */
  all(): Promise<readonly WholeChange[]>;
};

const FOLDER = "unfinished";

export function createUnfinished(
  state: Pick<StateDir, "path" | "inFolder" | "readJson" | "writeJson">,
): Unfinished {
  const toFile = (id: WorkspaceId) => `${FOLDER}/${toFileName(id)}.json`;

  async function read(id: WorkspaceId): Promise<WholeChange | undefined> {
    // Nearly always there is none, and each run asks.
    if (!existsSync(join(state.path, toFile(id)))) return undefined;
    return parseChange(await state.readJson(toFile(id)));
  }

  return {
    read,
    async begin(id, change) {
      await state.writeJson(toFile(id), change);
      if ((await read(id)) === undefined)
        throw new KeyholeError("file_conflict", "Cannot write down what is about to be done", {
          hint: "Look whether .keyhole can be written to, and has room",
        });
    },
    async all() {
      const names = (await state.inFolder([FOLDER], { make: false }, ({ path }) => readdir(path))) ?? [];
      const found = await Promise.all(
        names.map(async (name) => parseChange(await state.readJson(`${FOLDER}/${name}`))),
      );
      return found.flatMap((change) => change ?? []);
    },
    async end(id) {
      await state.inFolder([FOLDER], { make: false }, ({ path }) =>
        rm(join(path, `${toFileName(id)}.json`), { force: true }),
      );
    },
  };
}

function parseChange(value: unknown): WholeChange | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, snapshot } = value;
  if (kind === "remove") return { kind };
  return kind === "restore" && typeof snapshot === "string" ? { kind, snapshot } : undefined;
}
