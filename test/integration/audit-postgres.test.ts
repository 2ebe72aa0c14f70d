import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditEvent } from "../../src/audit/event.ts";
import { type OpenLog, openLog } from "../../src/audit/log/open-log.ts";
import { openPostgresLogStore } from "../../src/audit/log/postgres-store.ts";
import { verifyLog } from "../../src/audit/log/verify.ts";
import { type LogPlace, toLogFolder } from "../../src/audit/log-place.ts";
import { applyRetention } from "../../src/audit/retention/apply-retention.ts";
import { verifyArchive } from "../../src/audit/retention/verify-archive.ts";
import { toSpoolFolder } from "../../src/audit/spool/drain.ts";
import { takeSpools } from "../../src/audit/spool/read-spools.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import { openAuditAt } from "../fixtures/audit/audit-in.ts";
import { testLogStore } from "../fixtures/audit/log-store-conformance.ts";
import { makeEvents } from "../fixtures/audit/make-events.ts";
import { textSpool } from "../fixtures/audit/text-spool.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../fixtures/postgres.ts";
import { onCleanup, tempDir } from "../fixtures/project.ts";

const WRITER = fileURLToPath(new URL("../fixtures/audit-writer.js", import.meta.url));
const isDemanded = process.env["KEYHOLE_TEST_DEMAND"] !== undefined;
const missing = isDemanded ? undefined : postgresMissing;
let server: PostgresServer;
let url = "";

beforeAll(async () => {
  if (missing !== undefined) return;
  server = await startPostgres();
  url = await server.createDatabase();
});
afterAll(async () => {
  if (missing === undefined) await server.stop();
});

/** All in one database, as several projects would be. */
async function createPlace(store = url): Promise<LogPlace> {
  const projectDir = await tempDir();
  return { projectDir, userDir: join(projectDir, "home"), store };
}

async function open(place: LogPlace): Promise<OpenLog> {
  const log = await openLog(place, { env: {} });
  onCleanup(() => log.writer.close());
  return log;
}

const linesOf = (events: Iterable<AuditEvent>) =>
  [...events].map((event) => `${JSON.stringify(event)}\n`).join("");

async function verify({ store, logId, keys, remembered }: OpenLog) {
  return verifyLog(store, { logId, knownKeys: await keys.known(), remembered: await remembered.read() });
}

testLogStore("PostgreSQL", createPlace, missing);

const suite = missing === undefined ? describe : describe.skip;
const why = missing === undefined ? "" : ` (${missing})`;

suite(`an audit log on PostgreSQL${why}`, () => {
  it("is made by whoever comes first, however many come at once", async () => {
    const store = await server.createDatabase();
    const places = await Promise.all([1, 2, 3].map(() => createPlace(store)));
    const logs = await Promise.all([...places, ...places].map(open));
    await Promise.all(
      logs.map(({ writer }, index) =>
        writer.take(textSpool(`s${index}`, linesOf(makeEvents(2, { from: index })))),
      ),
    );
    const [[count] = []] = await server.run(store, "SELECT count(*) FROM keyhole_audit_logs");
    expect(Number(count)).toBe(3);
    expect(await server.run(store, "SELECT version FROM keyhole_audit_schema")).toEqual([[1]]);
  });

  it("of another user at the same path is another one", async () => {
    const place = await createPlace();
    const theirs = { ...place, userDir: join(place.projectDir, "other home") };
    const [one, other] = [await open(place), await open(theirs)];
    await one.writer.take(textSpool("one", linesOf(makeEvents(3))));
    await other.writer.take(textSpool("one", linesOf(makeEvents(1))));
    expect((await verify(one)).problems).toEqual([]);
    expect((await verify(other)).problems).toEqual([]);
    expect(await other.store.counts()).not.toEqual(await one.store.counts());
  });

  it("tells who can mend what stands against it, and never the password", async () => {
    const secret = "p%40ss%2Fword";
    const address = new URL(url);
    const at = (change: (to: URL) => void) => {
      const to = new URL(url);
      to.password = secret;
      change(to);
      return openPostgresLogStore({ store: to.href, logId: "log", owner: "me" }).then(
        () => undefined,
        (error: unknown) => error,
      );
    };
    const cases = [
      await at(() => {}),
      await at((to) => {
        to.port = "1";
      }),
      await at((to) => {
        to.hostname = "no-such-host.invalid";
      }),
      await at((to) => {
        to.pathname = "/nowhere";
        to.password = address.password;
      }),
    ];
    for (const error of cases) {
      expect(error).toMatchObject({ code: "store_unusable", hint: expect.stringMatching(/./) });
      const shown = JSON.stringify([error, String(error), (error as Error).stack]);
      for (const word of [secret, "p@ss/word", address.password, decodeURIComponent(address.password)])
        expect(shown).not.toContain(word);
    }
    expect(cases.map((error) => (error as Error).message.split(":").slice(0, 3).join(":"))).toEqual([
      expect.stringContaining("refuses this user"),
      expect.stringContaining("can't be reached"),
      expect.stringContaining("can't be reached"),
      expect.stringContaining("is not there"),
    ]);
  });

  it("is not touched when a newer Keyhole made it, or this user may not write", async () => {
    const store = await server.createDatabase();
    await open(await createPlace(store));
    await server.run(store, "INSERT INTO keyhole_audit_schema (version) VALUES (9)");
    await expect(openLog(await createPlace(store))).rejects.toMatchObject({ fault: "newer" });
    const bare = await server.createDatabase();
    await server.run(bare, "CREATE ROLE reader LOGIN PASSWORD 'reader'");
    const theirs = new URL(bare);
    theirs.username = "reader";
    theirs.password = "reader";
    await expect(openLog(await createPlace(theirs.href))).rejects.toMatchObject({ fault: "read_only" });
  });

  it("has all of a batch or nothing when the connection breaks in the middle, and goes on after it", async () => {
    const log = await open(await createPlace());
    const spool = textSpool("one", linesOf(makeEvents(5)));
    await log.writer.take(spool);
    const before = await log.store.counts();
    const more = [...makeEvents(300)].map((event) => ({ ...event, id: `more-${event.id}` }));
    spool.add(linesOf(more));
    const { sequence = 0 } = (await log.store.head()) ?? {};
    const taking = log.writer.take(spool);
    const end = async (): Promise<unknown[][]> => {
      const ended = await server.run(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'keyhole' AND state <> 'idle'",
      );
      return ended.length > 0 ? ended : end();
    };
    await Promise.all([end(), taking.catch(() => {})]);
    const after = await log.store.counts();
    const head = await log.store.head();
    expect([before.events, head?.sequence]).toContain(after.events);
    expect(after.events).toBe(after.columns);
    expect(head?.sequence).toBeGreaterThanOrEqual(sequence);
    await log.writer.take(spool);
    expect((await log.store.counts()).events).toBe(before.events + more.length);
    expect((await verify(log)).problems).toEqual([]);
  });

  it("loses nothing that was committed when a writer or the server is killed", async () => {
    const place = await createPlace(await server.createDatabase());
    const committed: string[] = [];
    const countEvents = async () => {
      const counting = server.run(place.store, "SELECT count(*) FROM keyhole_audit_events");
      // They are not there before the first one wrote.
      const [[count] = []] = await counting.catch(() => [[0]]);
      return Number(count);
    };
    for (let kill = 0; kill < 3; kill++) {
      const args = [WRITER, place.projectDir, place.userDir, "1000000", "stop", "settle"];
      const env = { ...process.env, KEYHOLE_TEST_STORE: place.store };
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
      onCleanup(async () => void child.kill("SIGKILL"));
      const ended = once(child, "close");
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      const before = await countEvents();
      while ((await countEvents()) < before + 100);
      if (kill === 1) await server.restart("SIGKILL");
      child.kill("SIGKILL");
      await ended;
      const told = text
        .split("\n")
        .slice(0, -1)
        .map((line): { ids?: string[] } => JSON.parse(line));
      committed.push(...told.flatMap(({ ids = [] }) => ids));
    }
    const log = await open(place);
    await takeSpools(toSpoolFolder(place), log.writer);
    const found = await server.run(place.store, "SELECT id FROM keyhole_audit_event_columns");
    const ids = new Set(found.map(([id]) => id));
    expect(ids.size).toBe(found.length);
    expect(committed.filter((id) => !ids.has(id))).toEqual([]);
    expect((await verify(log)).problems).toEqual([]);
  });

  it("is found out when somebody changes it who can write the database", async () => {
    const attacks: [string, string][] = [
      [
        "changed",
        "UPDATE keyhole_audit_events SET body = replace(body, 'local', 'other') WHERE log = $1 AND sequence = 1",
      ],
      ["removed", "DELETE FROM keyhole_audit_events WHERE log = $1 AND sequence = 3"],
      [
        "column_changed",
        "UPDATE keyhole_audit_event_columns SET tool = 'other' WHERE log = $1 AND sequence = 3",
      ],
      ["truncated", "DELETE FROM keyhole_audit_events WHERE log = $1 AND sequence > 20"],
      ["pruned", "UPDATE keyhole_audit_events SET body = NULL WHERE log = $1 AND sequence = 5"],
      ["checkpoint", "UPDATE keyhole_audit_checkpoints SET at = at + 1 WHERE log = $1"],
      ["spool", "UPDATE keyhole_audit_spools SET bytes = bytes + 1 WHERE log = $1"],
    ];
    for (const [kind, sql] of attacks) {
      const log = await open(await createPlace());
      await log.writer.take(textSpool("one", linesOf(makeEvents(8))));
      const numbers = await server.run(url, "SELECT max(number) FROM keyhole_audit_logs");
      await server.run(url, sql, [numbers[0]?.[0]]);
      const { ok, problems } = await verify(log);
      expect(ok, kind).toBe(false);
      expect(problems.map((problem) => problem.kind)).toContain(kind);
    }
    const store = await server.createDatabase();
    const log = await open(await createPlace(store));
    await log.writer.take(textSpool("one", linesOf(makeEvents(2))));
    await server.run(store, "CREATE RULE hide AS ON INSERT TO keyhole_audit_events DO ALSO NOTHING");
    expect((await verify(log)).problems).toMatchObject([
      { kind: "store", message: expect.stringContaining("hide") },
    ]);
  });

  it("is taken out of and archived as any other, and verified after it", async () => {
    const place = await createPlace();
    const state = await openStateDir(place.projectDir, place.userDir);
    const log = await open(place);
    await log.writer.take(textSpool("one", linesOf(makeEvents(40, { from: 0 }))));
    const { audit } = await openAuditAt(place);
    const result = await applyRetention({
      store: log.store,
      logId: log.logId,
      keys: log.keys,
      log: audit,
      days: { calls: 30 },
      archive: true,
      state,
      logFolder: toLogFolder(place),
    });
    expect(result.count).toBeGreaterThan(50);
    for (const archive of result.archives)
      expect(await verifyArchive(join(state.path, archive))).toMatchObject({ ok: true });
    const report = await verify(log);
    expect(report).toMatchObject({ ok: true, pruned: result.count, problems: [] });
  });
});
