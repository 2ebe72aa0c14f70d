import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { KeyholeError } from "../errors.ts";
import type { FolderAnswer } from "../sandbox/sandbox.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import { atomicWrite, LEFTOVER } from "../store/atomic-write.ts";
import { readPiece } from "../store/held-file.ts";
import { type HeldFolder, isPlainName } from "../store/held-folder.ts";
import type { StateDir } from "../store/state-dir.ts";
import { toFolderHash, toFolderName } from "./principal-folder.ts";
import { empty, type Kept, listKept, namesIn, newest, removeEmpty, shrink } from "./result-space.ts";

/** Who sees them: the runs of one session, or all runs of a principal that have no session of their own. */
export type ResultScope = { readonly principal?: string | undefined; readonly session?: string | undefined };

/** What did not fit into an answer. It is the host's: programs read it, and can change nothing about it. */
export type SavedResults = {
  /** Returns the path under which a program reads it. Fails when there is no room for it, or no folder. */
  save(scope: ResultScope, name: string, content: string): Promise<string>;
  /** A reader for one run: a look is answered with a `FolderAnswer`, a piece (`from`) with its bytes. */
  open(scope: ResultScope): (request: unknown) => Promise<FolderAnswer | Uint8Array>;
  /** Their names and bytes, for functions in programs that block. */
  list(scope: ResultScope): Promise<readonly (readonly [name: string, bytes: number])[]>;
  /** What of the disk they take counts with what the principal's programs write. */
  dirs(principal?: string): readonly string[];
  /** A session is over. */
  forget(session: string): Promise<void>;
  /** Removes what is old, of everybody. */
  tidy(): Promise<void>;
};

/** How programs call the folder. It lies over what an earlier version left in the workspace itself. */
export const RESULTS_FOLDER = "workspace/results";

/** In `.keyhole`: a folder for each principal, and in it one for each scope. */
export const RESULTS_STATE_FOLDER = "results";
export const SHARED_SCOPE = "shared";
const PIECE_BYTES = 4 * 1024 * 1024;
const MAX_READ_BYTES = 512 * 1024 * 1024;
const MAX_NAME = 200;
const MAX_FILES = 500;
const MAX_SCOPES = 50;
const DAY_MS = 24 * 60 * 60 * 1000;
export const RESULTS_LIFETIME_MS = 14 * DAY_MS;
/** A session that was killed with its process can't be told from one of another process: it goes by age. */
export const SESSION_RESULTS_LIFETIME_MS = DAY_MS;
/** What a principal's results may take of the room for its programs. */
const SHARE = 0.25;

const NO_SUCH = {
  kind: "missing",
  message: "No result of this name was saved, or it was removed since",
} as const;
const UNREADABLE = { kind: "refused", message: "What is kept there is not what was saved" } as const;
const TOO_MUCH = { kind: "refused", message: "One program can read 512 MB of saved results" } as const;

export function createSavedResults(
  state: Pick<StateDir, "path" | "inFolder">,
  diskBytes: number,
): SavedResults {
  const inScope = <T>(
    { principal = LOCAL_PRINCIPAL, session }: ResultScope,
    make: boolean,
    work: (folder: HeldFolder) => Promise<T>,
  ) => state.inFolder([RESULTS_STATE_FOLDER, toFolderName(principal), toScopeName(session)], { make }, work);

  /** In each of the folders of a folder, held step by step: a repository may have brought links. */
  async function inEach(steps: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
    const names =
      (await state.inFolder([RESULTS_STATE_FOLDER, ...steps], { make: false }, ({ path }) =>
        namesIn(path),
      )) ?? [];
    // What is no folder of ours is left alone.
    for (const name of names.filter(isPlainName)) await work(name).catch(() => {});
  }

  const inOne = <T>(steps: readonly string[], work: (folder: HeldFolder) => Promise<T>) =>
    state.inFolder([RESULTS_STATE_FOLDER, ...steps], { make: false }, work);

  async function remove(principal: string, scope: string): Promise<void> {
    await inOne([principal, scope], ({ path }) => empty(path));
    await inOne([principal], ({ path }) => removeEmpty(path, scope));
  }

  /** The oldest give way: of this scope if it has too many, then of all that this principal has. */
  async function makeRoom(
    { principal = LOCAL_PRINCIPAL, session }: ResultScope,
    bytes: number,
  ): Promise<void> {
    const owner = toFolderName(principal);
    const own = toScopeName(session);
    await inOne([owner, own], async ({ path }) =>
      shrink(await listKept(path), Number.POSITIVE_INFINITY, MAX_FILES - 1),
    );
    const scopes: { readonly name: string; readonly kept: readonly Kept[] }[] = [];
    await inEach([owner], async (name) => {
      scopes.push({ name, kept: (await inOne([owner, name], ({ path }) => listKept(path))) ?? [] });
    });
    const others = scopes.filter(({ name }) => name !== own && name !== SHARED_SCOPE);
    const surplus = others.sort((a, b) => newest(b.kept) - newest(a.kept)).slice(MAX_SCOPES - 1);
    for (const { name } of surplus) await remove(owner, name);
    const all = scopes.flatMap(({ name, kept }) => kept.map((one) => ({ ...one, scope: name })));
    let left = all.reduce((sum, one) => sum + one.bytes, bytes);
    for (const one of all.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (left <= diskBytes * SHARE) return;
      await inOne([owner, one.scope], ({ path }) => rm(join(path, basename(one.path)), { force: true }));
      left -= one.bytes;
    }
  }

  return {
    async save(scope, name, content) {
      const bytes = Buffer.byteLength(content);
      if (!isPlainName(name)) throw new TypeError(`"${name}" is no name of a file`);
      if (bytes > diskBytes * SHARE) {
        throw new KeyholeError("too_large", `The result (${bytes} bytes) is larger than what may be saved`, {
          hint: "Return less, or raise resourceLimits.disk: saved results may take a quarter of it",
        });
      }
      await makeRoom(scope, bytes);
      const isSaved = await inScope(scope, true, async ({ path }) => {
        await atomicWrite(join(path, name), content, { mode: 0o600 });
        return true;
      });
      if (!isSaved) throw new KeyholeError("file_conflict", "The folder for saved results can't be written");
      return `./${RESULTS_FOLDER}/${name}`;
    },

    open(scope) {
      let readBytes = 0;

      async function answer(request: unknown): Promise<FolderAnswer | Uint8Array> {
        const { path, from } = readRequest(request);
        if (path === "") return (await inScope(scope, false, toListing)) ?? NO_SUCH;
        if (path === undefined || path.length > MAX_NAME || !isPlainName(path)) return NO_SUCH;
        if (readBytes > MAX_READ_BYTES) return TOO_MUCH;
        const range = from === undefined ? { from: 0, length: 0 } : { from, length: PIECE_BYTES };
        const piece = await inScope(scope, false, (folder) => readPiece(folder, path, () => range));
        if (piece === undefined) return NO_SUCH;
        readBytes += piece.bytes.length;
        return from === undefined ? { kind: "file", bytes: piece.fileBytes } : piece.bytes;
      }

      // What went wrong names places on this machine, which are nothing to a program.
      return (request) => answer(request).catch(() => UNREADABLE);
    },

    async list(scope) {
      const kept = await inScope(scope, false, ({ path }) => listKept(path)).catch(() => undefined);
      return (kept ?? [])
        .map(({ path, size }) => [basename(path), size] as const)
        .filter(([name]) => !LEFTOVER.test(name));
    },

    dirs(principal = LOCAL_PRINCIPAL) {
      const dir = join(state.path, RESULTS_STATE_FOLDER, toFolderName(principal));
      return existsSync(dir) ? [dir] : [];
    },

    forget: (session) => inEach([], (principal) => remove(principal, toScopeName(session))),

    async tidy() {
      await inEach([], (principal) =>
        inEach([principal], async (scope) => {
          const since =
            Date.now() - (scope === SHARED_SCOPE ? RESULTS_LIFETIME_MS : SESSION_RESULTS_LIFETIME_MS);
          const kept = (await inOne([principal, scope], ({ path }) => listKept(path))) ?? [];
          if (scope !== SHARED_SCOPE && newest(kept) < since) return remove(principal, scope);
          await inOne([principal, scope], async ({ path }) => {
            const old = (await listKept(path)).filter(({ mtimeMs }) => mtimeMs < since);
            await shrink(old, 0, 0);
          });
        }),
      );
    },
  };
}

function toScopeName(session: string | undefined): string {
  return session === undefined ? SHARED_SCOPE : toFolderHash(session);
}

async function toListing({ path }: HeldFolder): Promise<FolderAnswer> {
  const files = (await namesIn(path)).filter((name) => !LEFTOVER.test(name));
  return files.length === 0 ? NO_SUCH : { kind: "folder", files, folders: [] };
}

/** From the program, like everything that comes by `callTool`. */
function readRequest(request: unknown): { path?: string; from?: number } {
  if (typeof request !== "object" || request === null || !("path" in request)) return {};
  if (typeof request.path !== "string") return {};
  const from = "from" in request ? request.from : undefined;
  const isPlace = typeof from === "number" && Number.isSafeInteger(from) && from >= 0;
  return { path: request.path, ...(isPlace ? { from } : {}) };
}
