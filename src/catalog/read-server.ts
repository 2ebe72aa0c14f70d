import { type ResolvedServer, resolveServer } from "../config/expand.ts";
import type { ServerDefinition } from "../config/server-definition.ts";
import { type KeyholeError, toKeyholeError } from "../errors.ts";
import type { Connection } from "../mcp/connection.ts";
import {
  type CatalogStore,
  fromStoredError,
  type Reading,
  type StoredServer,
  toStoredError,
} from "./catalog-store.ts";
import { compareTools } from "./changes.ts";
import type { CatalogEntry } from "./entry.ts";
import type { NamedServer } from "./name-index.ts";
import type { Learner } from "./observed/learner.ts";
import { readTools } from "./read-tools.ts";
import { toServerRecord, unknownNames } from "./tool-records.ts";

export type ReadContext = {
  store: CatalogStore;
  projectDir: string;
  homeDir: string;
  env: NodeJS.ProcessEnv;
  fingerprint(server: Pick<ResolvedServer, "transport"> | ServerDefinition): string;
};

/** A configured server, the names it has in programs and on disk, and the way to reach it. */
export type ReadTarget = {
  definition: ServerDefinition;
  names: NamedServer;
  connection: Connection;
  /** What was learned of its tools. */
  learner: Learner;
  /** Of its definition. */
  fingerprint: string;
};

const READING_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** A failure is remembered briefly, so that a list of tools need not wait again for a server that just failed. */
const FAILURE_LIFETIME_MS = 5 * 60 * 1000;

/** Reads one server's tools: from the cache while it holds, else from the server. Never throws: a failure is an entry. */
export async function readServer(
  target: ReadTarget,
  context: ReadContext,
  refresh: boolean,
): Promise<CatalogEntry> {
  const known = await recall(target, context);
  try {
    const fingerprint = context.fingerprint(await resolveServer(target.definition, context));
    const current = known.stored?.fingerprint === fingerprint && !refresh ? known.stored : undefined;
    const remembered = current && fromCache(target, current);
    return remembered ?? (await fromServer(target, context.store, { ...known, fingerprint }));
  } catch (error) {
    const failed = { ...blank(target, known.stored), status: "failed", from: "server" } as const;
    return { ...failed, at: now(), error: toKeyholeError(error) };
  }
}

/** What is known of the server as it is configured now. */
type Known = { definition: string; stored: StoredServer | undefined };

async function recall({ definition, names, learner }: ReadTarget, context: ReadContext): Promise<Known> {
  await learner.load(names.folder);
  const stored = await context.store.load(names.folder);
  const current = context.fingerprint(definition);
  return { definition: current, stored: stored?.definition === current ? stored : undefined };
}

function fromCache(target: ReadTarget, stored: StoredServer): CatalogEntry | undefined {
  const { reading, failure } = stored;
  if (failure && isYoung(failure.at, FAILURE_LIFETIME_MS)) {
    const error = fromStoredError(target.definition.name, failure.error);
    return { ...blank(target, stored), status: "failed", from: "cache", at: failure.at, error };
  }
  if (!reading || failure || !isYoung(reading.at, READING_LIFETIME_MS)) return undefined;
  const { fingerprint } = stored;
  return { ...blank(target, stored), status: "ready", from: "cache", at: reading.at, fingerprint };
}

/** What the server says now. Fails where it does not say: of a server that does its work, that is no reason to give it up. */
export async function readAnew(target: ReadTarget, context: ReadContext): Promise<CatalogEntry> {
  const known = await recall(target, context);
  const fingerprint = context.fingerprint(await resolveServer(target.definition, context));
  return askServer(target, context.store, { ...known, fingerprint });
}

async function fromServer(
  target: ReadTarget,
  store: CatalogStore,
  known: Known & { fingerprint: string },
): Promise<CatalogEntry> {
  try {
    return await askServer(target, store, known);
  } catch (error) {
    return saveFailure(target, store, known, toKeyholeError(error));
  }
}

async function askServer(
  target: ReadTarget,
  store: CatalogStore,
  { stored, definition, fingerprint }: Known & { fingerprint: string },
): Promise<CatalogEntry> {
  const { reading, changes: news, listVersion } = await takeReading(target.connection, stored);
  target.learner.retain(target.names.folder, new Set(reading.tools.map(({ name }) => name)));
  const fresh = { definition, fingerprint, reading, changes: [...news, ...(stored?.changes ?? [])] };
  await store.save(target.names.folder, fresh);
  const known = { ...blank(target, fresh), fingerprint, listVersion };
  return { ...known, status: "ready", from: "server", at: reading.at };
}

/** Gives up waiting for a server, and remembers that, so that the next start does not wait for it again. */
export async function giveUp(
  target: ReadTarget,
  context: ReadContext,
  error: KeyholeError,
): Promise<CatalogEntry> {
  const fingerprint = context.fingerprint(await resolveServer(target.definition, context));
  return saveFailure(target, context.store, { ...(await recall(target, context)), fingerprint }, error);
}

async function saveFailure(
  target: ReadTarget,
  store: CatalogStore,
  { stored, definition, fingerprint }: Known & { fingerprint: string },
  error: KeyholeError,
): Promise<CatalogEntry> {
  const at = now();
  const entry: CatalogEntry = { ...blank(target, stored), status: "failed", from: "server", at, error };
  // That we were told to stop, or have closed it ourselves, says nothing about the server.
  if (error.code === "cancelled" || target.connection.status().state === "closed") return entry;
  const { reading, changes = [] } = stored ?? {};
  const failure = { at, error: toStoredError(error) };
  await store.save(target.names.folder, { definition, fingerprint, reading, failure, changes });
  return entry;
}

async function takeReading(connection: Connection, stored: StoredServer | undefined) {
  const info = await connection.connect();
  const listVersion = connection.listVersion();
  const list = await connection.listTools();
  const { tools: definitions, warnings } = await readTools(list.tools);
  const at = now();
  const { tools, changes } = compareTools(stored?.reading?.tools ?? [], definitions, at);
  const reading: Reading = { at, info, tools, warnings: [...list.warnings, ...warnings] };
  // The first reading of a server is no change of anything.
  return { reading, changes: stored?.reading ? changes : [], listVersion };
}

/** All of an entry that does not depend on how the reading went. */
function blank(
  { definition, names, learner, fingerprint }: ReadTarget,
  known: Pick<StoredServer, "reading" | "changes"> | undefined,
): Omit<CatalogEntry, "status" | "from" | "at"> {
  const { reading, changes = [] } = known ?? {};
  return {
    ...names,
    definition,
    info: reading?.info,
    record: reading && toServerRecord({ ...definition, fingerprint }, names, reading, learner),
    warnings: reading ? [...reading.warnings, ...unknownNames(definition, reading.tools)] : [],
    changes,
  };
}

function isYoung(at: string, lifetimeMs: number): boolean {
  const ageMs = Date.now() - Date.parse(at);
  return ageMs >= 0 && ageMs < lifetimeMs;
}

function now(): string {
  return new Date().toISOString();
}
