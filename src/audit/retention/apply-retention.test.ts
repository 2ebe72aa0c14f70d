import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { makeEvents } from "../../../test/fixtures/audit/make-events.ts";
import { textSpool } from "../../../test/fixtures/audit/text-spool.ts";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { openSqlite } from "../../store/database/sqlite.ts";
import { openStateDir, type StateDir } from "../../store/state-dir.ts";
import type { AuditLog } from "../audit-log.ts";
import { type AuditEvent, classOf } from "../event.ts";
import { toHex, toLeaf } from "../log/chain.ts";
import { type OpenLog, openLog } from "../log/open-log.ts";
import { type LogPlace, toLogFolder } from "../log-place.ts";
import { openAudit } from "../open-audit.ts";
import { applyRetention, type RetentionOptions } from "./apply-retention.ts";
import { openRetentionTimes } from "./retention-times.ts";
import { readArchive, verifyArchive } from "./verify-archive.ts";

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const NOW = START + 100 * DAY_MS;
/** Some runs each day, for hundred days. */
const events: AuditEvent[] = [...makeEvents(200, { from: START, everyMs: DAY_MS / 2 })];
const LIMITS = { events: 150, ranges: 40, bytes: 1_000_000, window: 300 };

let place: LogPlace;
let state: StateDir;
let opened: OpenLog;
let audit: AuditLog;

beforeEach(async () => {
  const projectDir = await tempDir();
  place = { projectDir, userDir: join(projectDir, "home"), store: "sqlite" };
  state = await openStateDir(projectDir, place.userDir);
  opened = await openLog(place, { env: {} });
  onCleanup(() => opened.writer.close());
  await opened.writer.take(textSpool("old", events.map((event) => `${JSON.stringify(event)}\n`).join("")));
  const settings = { store: "sqlite", onFailure: "stop", encrypt: false } as const;
  audit = openAudit({ state, userDir: place.userDir, settings, env: {}, onNotice: () => {} });
  onCleanup(() => audit.close());
});

const options = (more: Partial<RetentionOptions> = {}): RetentionOptions => ({
  store: opened.store,
  logId: opened.logId,
  keys: opened.keys,
  log: audit,
  days: { calls: 30, runs: 30 },
  archive: true,
  state,
  logFolder: toLogFolder(place),
  now: NOW,
  limits: LIMITS,
  ...more,
});

const isExpired = (event: AuditEvent) =>
  ["calls", "runs"].includes(classOf(event.action)) && event.at < NOW - 30 * DAY_MS;
const archiveDir = () => join(state.path, "audit-archive");
const archives = async () =>
  (await readdir(archiveDir()).catch(() => [])).map((name) => join(archiveDir(), name));

async function prunedEvents() {
  const { rows } = await opened.store.find({ actions: ["audit.pruned"] }, { limit: 1_000, order: "oldest" });
  return rows.map(({ body }): AuditEvent<"audit.pruned"> => JSON.parse(body ?? ""));
}

async function remainingIds() {
  const { rows } = await opened.store.find({}, { limit: 100_000, order: "oldest" });
  return rows.map(({ columns }) => columns);
}

const young = events.findIndex((event) => classOf(event.action) === "calls" && !isExpired(event)) + 1;
const decision = events.findIndex((event) => classOf(event.action) === "decisions") + 1;
const aged = JSON.stringify({ ...events[young - 1], at: START });
/** What is said of it, and how it is done. */
const forgeries: [message: string, ...statements: string[]][] = [
  ["say something else than it: at", `UPDATE event_columns SET at = 1000 WHERE sequence = ${young}`],
  [
    "say something else than it: action",
    `UPDATE event_columns SET action = 'run.ended' WHERE sequence = ${decision}`,
  ],
  [
    "is not what was hashed",
    `UPDATE event_columns SET at = ${START} WHERE sequence = ${young}`,
    `UPDATE events SET body = '${aged}' WHERE sequence = ${young}`,
  ],
  // Put back afterwards, the leaf would be the one that was signed.
  [
    "under the checkpoint that was signed",
    `UPDATE event_columns SET at = ${START} WHERE sequence = ${young}`,
    `UPDATE events SET body = '${aged}', leaf = x'${toHex(toLeaf(aged))}' WHERE sequence = ${young}`,
  ],
  ["that was signed for it", "UPDATE checkpoints SET signature = zeroblob(64)"],
  ["is under no checkpoint", "DELETE FROM checkpoints"],
];

describe("retention", () => {
  it("takes out what is older than its class is kept, archives it, and says so in the log before", async () => {
    const before = await opened.store.rows(1, 100_000);
    const result = await applyRetention(options());
    const gone = events.filter(isExpired);
    expect(result.count).toBe(gone.length);
    expect((result.classes.calls ?? 0) + (result.classes.runs ?? 0)).toBe(gone.length);
    expect(result.archives.length).toBeGreaterThan(3);

    const left = await remainingIds();
    const kept = events.filter((event) => !isExpired(event)).map(({ id }) => id);
    expect(left.filter(({ action }) => action !== "audit.pruned").map(({ id }) => id)).toEqual(kept);
    const after = await opened.store.rows(1, events.length);
    expect(after.map(({ leaf, hash }) => ({ leaf, hash }))).toEqual(
      before.map(({ leaf, hash }) => ({ leaf, hash })),
    );

    const told = await prunedEvents();
    expect(told.map(({ details }) => details.archive)).toEqual(result.archives);
    const ranges = told.flatMap(({ details }) => details.ranges);
    const sequences = after.filter(({ body }) => body === undefined).map(({ sequence }) => sequence);
    expect(
      ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at)),
    ).toEqual(sequences);

    const archived = (await Promise.all((await archives()).map(readArchive))).flat();
    expect(archived.map(({ body }) => JSON.parse(body).id).sort()).toEqual(gone.map(({ id }) => id).sort());
    for (const { sequence, body } of archived)
      expect(toLeaf(body)).toEqual(Buffer.from(before[sequence - 1]?.leaf ?? []));
    expect(await applyRetention(options())).toEqual({ count: 0, classes: {}, archives: [] });
    expect((await opened.remembered.read()).breaks).toEqual([]);
  });

  it("changes nothing when it is only asked what it would do, or no class has a limit", async () => {
    const before = await opened.store.rows(1, 100_000);
    const dry = await applyRetention(options({ isDryRun: true }));
    expect(dry).toMatchObject({ count: events.filter(isExpired).length, archives: [] });
    expect(await applyRetention(options({ days: {} }))).toMatchObject({ count: 0 });
    expect(await opened.store.rows(1, 100_000)).toEqual(before);
    expect(await archives()).toEqual([]);
    expect(await prunedEvents()).toEqual([]);
  });

  it("keeps no archive where none is wanted, and never takes out what the log says of itself", async () => {
    await applyRetention(options({ archive: false }));
    expect(await archives()).toEqual([]);
    const told = (await prunedEvents()).length;
    expect(told).toBeGreaterThan(0);
    const all = {
      runs: 1,
      calls: 1,
      decisions: 1,
      privacy: 1,
      network: 1,
      changes: 1,
      sessions: 1,
      anomalies: 1,
      audit: 1,
    };
    await applyRetention(options({ archive: false, days: all, now: Date.now() + 10_000 * DAY_MS }));
    const left = await remainingIds();
    expect(left.length).toBeGreaterThan(told);
    expect(left.every(({ action }) => action === "audit.pruned")).toBe(true);
  });

  it("loses nothing and repeats nothing when it ended between two steps", async () => {
    const gone = events.filter(isExpired).length;
    const failing = (at: "settled" | "prune"): RetentionOptions => {
      const fail = () => Promise.reject(new Error("killed"));
      return at === "prune"
        ? options({ store: { ...opened.store, prune: fail } })
        : options({
            log: {
              ...audit,
              add: () => {
                throw new Error("killed");
              },
            },
          });
    };
    // After the archive, before it is told.
    await expect(applyRetention(failing("settled"))).rejects.toThrow("killed");
    expect(await archives()).toHaveLength(1);
    expect(await prunedEvents()).toEqual([]);
    // After it was told, before it is done.
    await expect(applyRetention(failing("prune"))).rejects.toThrow("killed");
    expect(await archives()).toHaveLength(1);
    expect((await opened.store.rows(1, 100_000)).every(({ body }) => body !== undefined)).toBe(true);

    const rest = await applyRetention(options());
    const told = await prunedEvents();
    expect(told.reduce((sum, { details }) => sum + details.count, 0)).toBe(gone);
    expect(rest.count).toBe(gone - (told[0]?.details.count ?? 0));
    const archived = (await Promise.all((await archives()).map(readArchive))).flat();
    expect(new Set(archived.map(({ sequence }) => sequence)).size).toBe(gone);
    expect(archived).toHaveLength(gone);
  });

  it("is done by one process at a time, and stops between two pieces", async () => {
    const results = await Promise.all([applyRetention(options()), applyRetention(options())]);
    expect(results.map(({ count }) => count).sort()).toEqual([0, events.filter(isExpired).length]);
    const stopped = await applyRetention(
      options({ days: { decisions: 1, privacy: 1 }, signal: AbortSignal.abort() }),
    );
    expect(stopped.count).toBe(0);
  });

  it.each(forgeries)(
    "takes out nothing where somebody changed the database, and tells it: %s",
    async (message, ...statements) => {
      const db = await openSqlite(join(state.path, "audit.db"));
      onCleanup(() => db.close());
      for (const statement of statements) db.exec(statement);
      const limits = { events: 100_000, ranges: 100_000, bytes: 1e9, window: 100_000 };
      const before = await opened.store.rows(1, 100_000);
      for (const isDryRun of [false, true])
        await expect(applyRetention(options({ limits, isDryRun }))).rejects.toThrow(message);
      expect(await opened.store.rows(1, 100_000)).toEqual(before);
      expect(await archives()).toEqual([]);
    },
  );

  it("comes to an end where somebody wrote an event of a sequence far away", async () => {
    const db = await openSqlite(join(state.path, "audit.db"));
    onCleanup(() => db.close());
    db.exec("INSERT INTO events VALUES (9007199254740992, '{}', zeroblob(32), zeroblob(32))");
    const { count } = await applyRetention(options({ isDryRun: true }));
    expect(count).toBe(events.filter(isExpired).length);
  });

  it("takes out the pieces in which nothing was changed", async () => {
    const db = await openSqlite(join(state.path, "audit.db"));
    onCleanup(() => db.close());
    db.exec(`UPDATE event_columns SET at = 1000 WHERE sequence = ${young}`);
    await expect(applyRetention(options())).rejects.toThrow(`Event ${young} has columns`);
    const [row] = await opened.store.rows(young, 1);
    expect(row?.body).toBeDefined();
    expect((await opened.store.rows(1, 1))[0]?.body).toBeUndefined();
  });

  it("is due once a day", async () => {
    const times = openRetentionTimes(toLogFolder(place));
    expect(await times.isDue(NOW)).toBe(true);
    await times.noteDone(NOW);
    expect(await times.isDue(NOW + DAY_MS - 1)).toBe(false);
    expect(await times.isDue(NOW + DAY_MS)).toBe(true);
    await writeFile(join(toLogFolder(place), "retention.json"), "{");
    expect(await times.isDue(NOW)).toBe(true);
  });
});

describe("an archive", () => {
  it("is verified without the log, by the checkpoints that it brings along", async () => {
    await applyRetention(options());
    const [{ key } = { key: "" }] = await opened.keys.known();
    for (const path of await archives()) {
      const report = await verifyArchive(path);
      expect(report).toMatchObject({ ok: true, log: opened.logId, keys: [key], problems: [] });
      expect(path.endsWith(`${report.from}-${report.to}.jsonl.gz`)).toBe(true);
    }
  });

  it("tells each thing that was changed in it", async () => {
    await applyRetention(options());
    const [path = ""] = await archives();
    const lines = gunzipSync(await readFile(path))
      .toString()
      .trimEnd()
      .split("\n");
    const changes: [string, (lines: string[]) => string[]][] = [
      ["was changed", (all) => all.map((line, at) => (at === 3 ? line.replace("local", "other") : line))],
      ["is not in its place", (all) => [...all.slice(0, 2), all[3] ?? "", all[2] ?? "", ...all.slice(4)]],
      ["It has", (all) => all.toSpliced(3, 1)],
      [
        "is not signed by its key",
        (all) => all.map((line, at) => (at === 1 ? line.replace('"at":', '"at":1') : line)),
      ],
      [
        "all of its leaves",
        (all) => all.map((line, at) => (at === 1 ? line.replace(/,"[0-9a-f]{64}"\]/, "]") : line)),
      ],
      ["is not an event", (all) => [...all, "{"]],
      ["of an archive", (all) => all.slice(1)],
      ["is under no checkpoint", (all) => all.toSpliced(1, 1)],
    ];
    const copy = join(place.projectDir, "copy.jsonl.gz");
    for (const [message, change] of changes) {
      await writeFile(copy, gzipSync(`${change(lines).join("\n")}\n`));
      const report = await verifyArchive(copy);
      expect(report.ok, message).toBe(false);
      expect(report.problems.join("\n")).toContain(message);
    }
    await writeFile(copy, randomBytes(100));
    await expect(verifyArchive(copy)).rejects.toMatchObject({ code: "usage" });
    await expect(verifyArchive(join(copy, "none"))).rejects.toMatchObject({ code: "usage" });
  });

  it("is refused where its folder can't be made, and nothing is taken out then", async () => {
    await mkdir(state.path, { recursive: true });
    await writeFile(archiveDir(), "a file");
    await expect(applyRetention(options())).rejects.toMatchObject({ code: "store_unusable" });
    expect((await opened.store.rows(1, 100_000)).every(({ body }) => body !== undefined)).toBe(true);
  });
});
