import { createHash } from "node:crypto";
import { lstat, mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { atomicWrite } from "../../store/atomic-write.ts";
import { withFileLock } from "../../store/file-lock.ts";
import { readWhole } from "../../store/held-file.ts";
import { type HeldFolder, inHeldFolder } from "../../store/held-folder.ts";
import { createSeal, type Seal } from "../../store/seal.ts";
import { isKeptKey, loadUserKey } from "../../store/user-key.ts";
import { isRecord } from "../../text/is-record.ts";
import { isJsonObject, toJsonValue } from "../files/json-value.ts";
import { appDataDir, type Places } from "../places.ts";
import type { Accepted } from "./brought.ts";

/** By the id of what a project brings. */
export type TrustLedger = ReadonlyMap<string, Accepted>;

const FOLDER = "trust";
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 1_000;

/**
 * What the user has said yes to in this project. It lies in the user's own folder, in a file for each project by its real
 * path, with the proof that this user's Keyhole wrote it: one that came with a repository or a copied folder says nothing.
 */
export async function loadLedger(places: Places): Promise<TrustLedger> {
  const { dir, name, seal } = await openPlace(places);
  try {
    const read = await inHeldFolder(dir, [FOLDER], { make: false }, (folder) => readIn(folder, name, seal));
    return read ?? new Map();
  } catch (error) {
    // Without it, what was accepted could not forbid anything any more.
    const message = `Cannot read "${join(dir, FOLDER, name)}", which says what you trust: ${errorMessage(error)}`;
    throw new KeyholeError("file_conflict", message, {
      hint: "Remove it, and you are asked again",
      cause: error,
    });
  }
}

/** Another one after each change: `updateLedger` replaces the file. */
export async function stampOfLedger(places: Places): Promise<string> {
  const { path } = await placeOf(places);
  const found = await lstat(path, { bigint: true }).catch(() => undefined);
  return found === undefined ? "none" : `${found.ino} ${found.mtimeNs} ${found.ctimeNs} ${found.size}`;
}

/** Changes it as a whole, while no other process does. */
export async function updateLedger(
  places: Places,
  change: (known: Map<string, Accepted>) => void,
): Promise<void> {
  const { dir, project, name, seal, isLasting } = await openPlace(places);
  if (!isLasting) throw notKept(dir, "its key can't be kept there");
  let isDone: boolean | undefined;
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    isDone = await inHeldFolder(dir, [FOLDER], { make: true }, (folder) =>
      withFileLock(join(folder.path, `${name}.lock`), async () => {
        const known = await readIn(folder, name, seal);
        change(known);
        if (known.size > MAX_ENTRIES) throw tooMany(project);
        const path = join(folder.path, name);
        if (known.size === 0) return rm(path, { force: true });
        const data = { project, entries: Object.fromEntries(known) };
        await atomicWrite(path, seal.close(name, data), { mode: 0o600, durable: true });
      }),
    );
  } catch (error) {
    throw error instanceof KeyholeError ? error : notKept(dir, errorMessage(error), error);
  }
  if (isDone !== true) throw notKept(dir, "another process holds it, or it can't be written to");
}

type Place = {
  readonly dir: string;
  readonly project: string;
  readonly name: string;
  readonly seal: Seal;
  readonly isLasting: boolean;
};

/** By the path as it is: a copy, and a folder that only looks the same, is another project. */
async function placeOf(places: Places) {
  const dir = join(appDataDir(places), "keyhole");
  const project = await realpath(places.projectDir);
  const name = `${createHash("sha256").update(project).digest("hex")}.json`;
  return { dir, project, name, path: join(dir, FOLDER, name) };
}

async function openPlace(places: Places): Promise<Place> {
  const { dir, project, name } = await placeOf(places);
  const key = await loadUserKey(dir);
  return { dir, project, name, seal: createSeal(key, project), isLasting: isKeptKey(key) };
}

async function readIn(folder: HeldFolder, name: string, seal: Seal): Promise<Map<string, Accepted>> {
  const content = await readWhole(folder, name, MAX_BYTES);
  const data = content && seal.open(name, content);
  const entries = isRecord(data) && isRecord(data["entries"]) ? Object.entries(data["entries"]) : [];
  return new Map(
    entries.flatMap(([id, value]) => {
      const accepted = parseAccepted(value);
      return accepted === undefined ? [] : [[id, accepted]];
    }),
  );
}

function parseAccepted(value: unknown): Accepted | undefined {
  if (!isRecord(value) || typeof value["digest"] !== "string") return undefined;
  const lines = Array.isArray(value["lines"])
    ? value["lines"].filter((line) => typeof line === "string")
    : [];
  const settings = value["settings"] === undefined ? undefined : toJsonValue(value["settings"]);
  return { digest: value["digest"], lines, ...(isJsonObject(settings) ? { settings } : {}) };
}

function notKept(dir: string, why: string, cause?: unknown): KeyholeError {
  return new KeyholeError("file_conflict", `Cannot keep in "${dir}" what you trust: ${why}`, {
    hint: "Give yourself the right to write there, or use --trust with each command",
    cause,
  });
}

function tooMany(project: string): KeyholeError {
  return new KeyholeError("too_large", `"${project}" brings more than ${MAX_ENTRIES} entries`, {
    hint: "Take out those that are not used",
  });
}
