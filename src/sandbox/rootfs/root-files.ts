import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { findDeno } from "../deno/find-deno.ts";
import type { GuestSpec } from "../guest-spec.ts";
import { findBusybox } from "./busybox.ts";
import { collectFolder, collectLibraries, type FoundFile } from "./found-files.ts";
import { STANDARD_GUESTS } from "./guests.ts";
import { collectPython } from "./python-files.ts";
import { ROOT_PLACES } from "./root-places.ts";
import { tarOf } from "./tar.ts";

/** The whole of a guest's root file system. Sorted: each folder before what is in it. All of it belongs to root. */
export type RootFiles = {
  readonly entries: readonly RootEntry[];
  /** The SHA-256 of `tarOf` these, in hexadecimal digits: of paths, modes and contents. */
  readonly hash: string;
  /** Of CPython, where there is one: `3.11.2`. */
  readonly python?: string;
};

/** Paths are relative, with slashes. */
export type RootEntry =
  | { readonly kind: "folder"; readonly path: string; readonly mode: number }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly mode: number;
      readonly size: number;
      /** In seconds: CPython believes what it has compiled by this of the source. */
      readonly mtime: number;
      /** Where it lies on this host, or what is in it. */
      readonly from: string | Uint8Array;
    };

export type RootOptions = {
  /** What runs programs: a folder each, by its name. */
  readonly guests?: readonly GuestSpec[];
};

/** From what is installed here: no registry is asked, and nothing is fetched. */
export async function collectRootFiles({ guests = STANDARD_GUESTS }: RootOptions = {}): Promise<RootFiles> {
  const deno = await realpath(findDeno());
  const busybox = await realpath(await findBusybox());
  const python = await collectPython();
  const found: FoundFile[] = [
    { path: ROOT_PLACES.deno, from: deno },
    { path: ROOT_PLACES.busybox, from: busybox },
    ...(await collectLibraries([deno, busybox, ...(python?.binaries ?? [])])),
    ...(python?.files ?? []),
  ];
  for (const { name, runner } of guests)
    found.push(...(await collectFolder(dirname(runner), `${ROOT_PLACES.guests}/${name}`, isGuestFile)));
  const entries = toEntries([
    ...(await Promise.all(found.map(toEntry))),
    ...ETC.map(([path, text]) => toTextEntry(path, text)),
    ...EMPTY_DIRS.map(([path, mode]) => ({ kind: "folder", path, mode }) as const),
  ]);
  const hash = await hashOf(entries);
  return { entries, hash, ...(python ? { python: python.version } : {}) };
}

const ETC = [
  ["etc/passwd", "root:x:0:0::/:/bin/false\nnobody:x:65534:65534::/:/bin/false\n"],
  ["etc/group", "root:x:0:\nnogroup:x:65534:\n"],
  ["etc/hostname", "keyhole\n"],
  ["etc/hosts", "127.0.0.1 localhost\n"],
  ["etc/resolv.conf", ""],
  ["etc/nsswitch.conf", "hosts: files\n"],
] as const;

const EMPTY_DIRS = [
  ["proc", 0o755],
  ["sys", 0o755],
  ["dev", 0o755],
  ["run", 0o755],
  ["tmp", 0o1777],
  ["folders", 0o755],
] as const;

/** Not the notes of whoever edits them. */
const isGuestFile = (name: string) => !name.startsWith(".") && !/^(tsconfig.*|__pycache__)$/.test(name);

async function toEntry({ path, from }: FoundFile): Promise<RootEntry> {
  const { size, mode, mtimeMs } = await stat(from);
  const isExecutable = (mode & 0o111) !== 0;
  return {
    kind: "file",
    path: path.replace(/^\/+/, ""),
    mode: isExecutable ? 0o755 : 0o644,
    size,
    // Of anything else it would only make a difference between hosts.
    mtime: basename(path).endsWith(".py") ? Math.floor(mtimeMs / 1000) : 0,
    from,
  };
}

function toTextEntry(path: string, text: string): RootEntry {
  const from = Buffer.from(text);
  return { kind: "file", path, mode: 0o644, size: from.length, mtime: 0, from };
}

/** Once each, with the folders they are in. */
function toEntries(given: readonly RootEntry[]): RootEntry[] {
  const entries = new Map<string, RootEntry>(given.map((entry) => [entry.path, entry]));
  for (const { path } of given) {
    for (let dir = dirname(path); dir !== "."; dir = dirname(dir))
      if (!entries.has(dir)) entries.set(dir, { kind: "folder", path: dir, mode: 0o755 });
  }
  return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function hashOf(entries: readonly RootEntry[]): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of tarOf({ entries })) hash.update(piece);
  return hash.digest("hex");
}
