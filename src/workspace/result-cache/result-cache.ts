import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { createWorkspaceCipher, type WorkspaceCipher } from "../../privacy/vault/workspace-cipher.ts";
import { CACHE_DATABASE, openDatabase } from "../../store/database/open-database.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { isBusy, StoreError } from "../../store/database/store-error.ts";
import { whenFree } from "../../store/database/when-free.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { beginChange, type CacheScope, endChange, readToolVersion } from "./cache-changes.ts";
import { removeCacheFiles } from "./cache-files.ts";
import { compactCache, deleteExpired, shrinkCache } from "./cache-room.ts";
import { findResult, type KeptResult, putResult, touchResults } from "./cache-rows.ts";

/** Whose it is and of which tool; `about` is all that an equal call has in common with it. */
export type CacheName = {
  readonly principal: string;
  readonly server: string;
  readonly tool: string;
  readonly about: string;
};

/** What is known before a call is sent. */
export type CacheLook = {
  /** What an equal call returned, where that still holds; as it was given to `keep`. */
  readonly found?: string;
  /** When that was, in milliseconds since 1970. */
  readonly keptAt?: number;
  /** Nothing while somebody changes what the tool returns: then nothing is kept, and nothing is shared. */
  readonly version?: number;
};

/**
 * Results of tools, kept for a while in a database of the project: it can be lost without harm, several processes share it, and
 * what is in it is sealed for its principal. Where it can't be used, nothing is found and nothing is kept.
 */
export type ResultCache = {
  /** Whether anybody has ever kept something here. */
  isThere(): boolean;
  look(name: CacheName): Promise<CacheLook>;
  /** Keeps it, unless what the tool returns was changed since that version. */
  keep(
    name: CacheName,
    text: string,
    about: { readonly version: number; readonly ttlMs: number },
  ): Promise<void>;
  /** Forgets what these returned, and again when it is told that the change is over: nothing is kept in between. */
  change(scopes: readonly CacheScope[]): Promise<(isOver: boolean) => Promise<void>>;
  /** Removes what does not hold any more, and gives the room back. */
  removeExpired(): Promise<void>;
  /** Makes it, so that the next look can be answered. */
  open(): Promise<void>;
  close(): Promise<void>;
};

export type ResultCacheOptions = {
  readonly state: StateDir;
  /** By which the results are sealed. */
  readonly key: () => Promise<Buffer>;
  readonly maxBytes?: number;
  readonly onNotice?: (text: string) => void;
};

const MAX_CACHE_BYTES = 64 * 1024 * 1024;
/** How often it is looked at while as much is written as may be kept. */
const LOOKS_A_FILLING = 16;
/** A use is written down if the last one was so long ago. */
const USED_AGAIN_MS = 60_000;
const MAX_TOUCHED = 64;
/** After it could not be opened. */
const TRY_AGAIN_MS = 30_000;
const MAX_CIPHERS = 256;

type Opened = { readonly db: Database; readonly cipherOf: (principal: string) => WorkspaceCipher };

export function createResultCache(options: ResultCacheOptions): ResultCache {
  const { state, key, maxBytes = MAX_CACHE_BYTES, onNotice = () => {} } = options;
  const path = join(state.path, CACHE_DATABASE.file);
  const touched = new Map<string, number>();
  let opening: Promise<Opened | undefined> | undefined;
  let opened: Opened | undefined;
  let isKnown = false;
  let isTold = false;
  let isSuspect = false;
  let isClosed = false;
  let failedAt = Number.NEGATIVE_INFINITY;
  let unlookedBytes = Number.POSITIVE_INFINITY;
  let shrinking: Promise<void> = Promise.resolve();

  function isThere(): boolean {
    isKnown ||= opened !== undefined || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    return isKnown;
  }

  /** What was opened, as long as its files are those that everybody uses. */
  async function ready(): Promise<Opened | undefined> {
    if (opened !== undefined) {
      try {
        opened.db.assertInPlace();
        return opened;
      } catch {
        letGo();
      }
    }
    if (isClosed || performance.now() - failedAt < TRY_AGAIN_MS) return undefined;
    opening ??= openOnce().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function openOnce(): Promise<Opened | undefined> {
    try {
      const [master, db] = await Promise.all([
        key(),
        openDatabase(state, onNotice, { kind: CACHE_DATABASE, isSuspect }),
      ]);
      // What a power cut takes from it, nobody misses; and nobody waits for the disk.
      db.exec("PRAGMA synchronous = OFF");
      isSuspect = false;
      opened = { db, cipherOf: createCiphers(master) };
      return opened;
    } catch (error) {
      failedAt = performance.now();
      if (!isTold && error instanceof Error) onNotice(`Results are not kept for now: ${error.message}`);
      isTold = true;
      return undefined;
    }
  }

  function letGo(error?: unknown): void {
    if (error instanceof StoreError && error.fault === "damaged") isSuspect = true;
    const { db } = opened ?? {};
    opened = undefined;
    touched.clear();
    void db?.close().catch(() => {});
  }

  /** Nothing where it can't be done: whoever asks does without. */
  async function inCache<T>(work: (open: Opened) => T | Promise<T>): Promise<T | undefined> {
    const open = await ready();
    if (open === undefined) return undefined;
    try {
      return await work(open);
    } catch (error) {
      if (!isBusy(error)) letGo(error);
      return undefined;
    }
  }

  function noteUse(row: KeptResult, now: number): void {
    if (now - row.usedAt < USED_AGAIN_MS) return;
    touched.set(row.key.toString("hex"), now);
    if (touched.size >= MAX_TOUCHED)
      void inCache(({ db }) => whenFree(() => db.transaction(() => touch(db))));
  }

  function touch(db: Database): void {
    touchResults(db, touched);
    touched.clear();
  }

  function shrinkLater(db: Database, bytes: number): void {
    unlookedBytes += bytes;
    if (unlookedBytes < maxBytes / LOOKS_A_FILLING) return;
    unlookedBytes = 0;
    shrinking = shrinking.then(() => shrinkCache(db, maxBytes)).catch(() => {});
  }

  /** What can't be forgotten one by one is forgotten as a whole: the others find the files gone. */
  async function changeOrRemove(work: (db: Database) => void): Promise<void> {
    if (!isThere()) return;
    const isDone = await inCache(async ({ db }) => {
      await whenFree(() => db.transaction(() => work(db)));
      return true;
    });
    if (isDone) return;
    letGo();
    await removeCacheFiles(state);
  }

  return {
    isThere,
    async look({ principal, server, tool, about }) {
      const look = await inCache(({ db, cipherOf }): CacheLook => {
        const cipher = cipherOf(principal);
        const key = cipher.lookup("result", about);
        const now = Date.now();
        const row = findResult(db, cipher, key, now);
        if (row === undefined) {
          const version = readToolVersion(db, { server, tool });
          return version === undefined ? {} : { version };
        }
        noteUse(row, now);
        return { found: row.text, keptAt: row.keptAt };
      });
      return look ?? {};
    },
    async keep({ principal, server, tool, about }, text, { version, ttlMs }) {
      await inCache(async ({ db, cipherOf }) => {
        const cipher = cipherOf(principal);
        const key = cipher.lookup("result", about);
        const now = Date.now();
        const row = { key, server, tool, text, keptAt: now, expiresAt: now + Math.ceil(ttlMs), usedAt: now };
        const bytes = await whenFree(() =>
          db.transaction(() => {
            if (readToolVersion(db, { server, tool }) !== version) return 0;
            touch(db);
            return putResult(db, cipher, row);
          }),
        );
        shrinkLater(db, bytes);
      });
    },
    async change(scopes) {
      const id = randomUUID();
      await changeOrRemove((db) => beginChange(db, id, scopes, Date.now()));
      return (isOver) => changeOrRemove((db) => endChange(db, id, scopes, { now: Date.now(), isOver }));
    },
    async removeExpired() {
      await inCache(async ({ db }) => {
        await deleteExpired(db, Date.now());
        await compactCache(db);
      });
    },
    async open() {
      await ready();
    },
    async close() {
      isClosed = true;
      await opening;
      await shrinking;
      if (opened === undefined) return;
      const { db } = opened;
      opened = undefined;
      if (touched.size > 0) await whenFree(() => db.transaction(() => touch(db))).catch(() => {});
      await db.close();
    },
  };
}

/** A key is derived for each principal once. */
function createCiphers(master: Buffer): (principal: string) => WorkspaceCipher {
  const ciphers = new Map<string, WorkspaceCipher>();
  return (principal) => {
    const known = ciphers.get(principal);
    if (known !== undefined) return known;
    if (ciphers.size >= MAX_CIPHERS) ciphers.clear();
    const cipher = createCacheCipher(master, principal);
    ciphers.set(principal, cipher);
    return cipher;
  };
}

function createCacheCipher(master: Buffer, principal: string): WorkspaceCipher {
  return createWorkspaceCipher(master, `cached results of ${principal}`);
}
