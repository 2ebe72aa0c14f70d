import { copyFile, mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { eventLines, textSpool } from "../../../test/fixtures/audit/text-spool.ts";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { openSqlite } from "../../store/database/sqlite.ts";
import { type LogPlace, toLogFolder } from "../log-place.ts";
import { toHex, toLeaf } from "./chain.ts";
import { type OpenLog, openLog } from "./open-log.ts";
import { proveEvent } from "./proof.ts";
import { openSqliteLogFile } from "./sqlite-store.ts";
import { type Verification, verifyLog } from "./verify.ts";

let place: LogPlace;

beforeEach(async () => {
  const dir = await tempDir();
  place = { projectDir: dir, userDir: join(dir, "home"), store: "sqlite" };
});

async function open(): Promise<OpenLog> {
  const log = await openLog(place, { env: {}, checkpointEvents: 32 });
  onCleanup(() => log.writer.close());
  return log;
}

const file = () => join(place.projectDir, ".keyhole/audit.db");
const allRows = (log: OpenLog) => log.store.rows(1, 100_000);
const kindsOf = ({ problems }: Verification) => [...new Set(problems.map(({ kind }) => kind))].sort();
/** Ids of their own. */
const linesOf = (name: string, runs: number) => eventLines(runs).replaceAll('"e_', `"e_${name}`);

async function verify(log: OpenLog): Promise<Verification> {
  const remembered = await log.remembered.read();
  return verifyLog(log.store, { logId: log.logId, knownKeys: await log.keys.known(), remembered });
}

/** Without the user's folder but its keys. */
async function audit(log: OpenLog): Promise<Verification> {
  return verifyLog(log.store, { logId: log.logId, knownKeys: await log.keys.known() });
}

async function change(...statements: string[]): Promise<void> {
  const db = await openSqlite(file());
  for (const statement of statements) db.exec(statement);
  await db.close();
}

const toCut = (end: string) =>
  ["events", "event_columns", "checkpoints"].map((table) => `DELETE FROM ${table} WHERE sequence > ${end}`);
const CUT = toCut("(SELECT min(sequence) FROM checkpoints)");

/** Those of these lines that are not in the log. */
async function missing(log: OpenLog, lines: string): Promise<string[]> {
  const bodies = new Set((await allRows(log)).map(({ body }) => body));
  return lines
    .trim()
    .split("\n")
    .filter((line) => !bodies.has(line));
}

describe("a log's writer", () => {
  it("takes whole lines, in their order, and each once", async () => {
    const log = await open();
    const lines = eventLines(40);
    const half = lines.length / 2;
    const spool = textSpool("one", lines.slice(0, half));
    await log.writer.take(spool);
    spool.add(lines.slice(half));
    const head = await log.writer.take(spool);
    await log.writer.take(spool);
    const rows = await allRows(log);
    expect(rows.map(({ body }) => `${body}\n`).join("")).toBe(lines);
    expect(head?.sequence).toBe(rows.length);
    expect((await log.remembered.read()).head?.sequence).toBe(rows.length);
    expect(await verify(log)).toMatchObject({ ok: true, events: rows.length });
  });

  it("takes the same spools as others at the same time, and nothing twice", async () => {
    const logs = [await open(), await open(), await open()];
    const spools = ["a", "b", "c", "d"].map((name) => textSpool(name, linesOf(name, 20)));
    await Promise.all(logs.flatMap(({ writer }) => spools.map((spool) => writer.take(spool))));
    for (const log of logs) {
      const ids = (await allRows(log)).map(({ columns }) => columns.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBe(spools.length * linesOf("a", 20).trim().split("\n").length);
      expect(await verify(log)).toMatchObject({ ok: true });
    }
  });

  it("takes nothing of a spool that another process has taken and removed since it was read", async () => {
    const log = await open();
    const spool = textSpool("one", eventLines(2));
    spool.remove();
    await log.writer.take(spool);
    expect(await allRows(log)).toEqual([]);
  });

  it("keeps a line that is no event as that, and goes on behind it", async () => {
    const log = await open();
    const [first = "", ...more] = eventLines(2).split(/(?<=\n)/);
    const bad = [
      "",
      "{}",
      '{"id":1}',
      "null",
      "\0\0\0",
      '{"id":"e_1","at":1e99,"action":"x","outcome":"ok"}',
      "\ufffd",
    ];
    await log.writer.take(textSpool("one", [first, ...bad.map((line) => `${line}\n`), ...more].join("")));
    const actions = (await allRows(log)).map(({ columns }) => columns.action);
    expect(actions.filter((action) => action === "audit.unreadable")).toHaveLength(bad.length);
    expect(actions).toHaveLength(1 + bad.length + more.length);
    expect(await verify(log)).toMatchObject({ ok: true, unreadable: bad.length });
  });

  it("is not held up by a line without an end", async () => {
    const log = await open();
    await log.writer.take(textSpool("one", `${"x".repeat(9 * 1024 * 1024)}\n${eventLines(1)}`));
    const actions = (await allRows(log)).map(({ columns }) => columns.action);
    expect(actions.slice(0, 3)).toEqual(["audit.unreadable", "audit.unreadable", "run.started"]);
  });

  it("says in the log when another key signs from now on; a process that has the old one takes the new one", async () => {
    const [log, other] = [await open(), await open()];
    await log.writer.take(textSpool("one", linesOf("one", 3)));
    await other.writer.take(textSpool("two", linesOf("two", 3)));
    const row = await log.keys.rotate();
    await other.writer.take(textSpool("three", linesOf("three", 3)));
    await log.writer.take(textSpool("four", linesOf("four", 3)));
    const told = (await allRows(log)).filter(({ columns }) => columns.action === "audit.key");
    expect(told.map(({ body }) => JSON.parse(body ?? "").details)).toEqual([
      { key: row.key, previous: row.previous },
    ]);
    expect((await log.store.checkpoints()).at(-1)?.key).toBe(row.key);
    expect(await verify(log)).toMatchObject({ ok: true, keys: [row.previous, row.key] });
  });
});

describe("what somebody did to the log before it was written to again", () => {
  it("is remembered for good, and stands in the log: cut back", async () => {
    const log = await open();
    await log.writer.take(textSpool("one", linesOf("one", 20)));
    await log.writer.take(textSpool("two", linesOf("two", 5)));
    await change(...CUT);
    expect(kindsOf(await verify(log))).toEqual(["spool", "truncated"]);
    await log.writer.take(textSpool("three", linesOf("three", 40)));
    expect(kindsOf(await verify(log))).toContain("broken");
    expect(kindsOf(await audit(log))).toEqual(["broken", "spool"]);
    expect((await log.remembered.read()).breaks).toMatchObject([{ kind: "truncated" }]);
  });

  it("is remembered for good, and stands in the log: an older copy in its place", async () => {
    const log = await open();
    await log.writer.take(textSpool("one", linesOf("one", 20)));
    await change("PRAGMA wal_checkpoint(TRUNCATE)");
    await copyFile(file(), `${file()}.copy`);
    await log.writer.take(textSpool("two", linesOf("two", 5)));
    await change("PRAGMA wal_checkpoint(TRUNCATE)");
    await log.writer.close();
    await copyFile(`${file()}.copy`, file());
    const again = await open();
    expect(kindsOf(await verify(again))).toEqual(["truncated"]);
    await again.writer.take(textSpool("three", linesOf("three", 5)));
    expect(kindsOf(await audit(again))).toEqual(["broken"]);
  });

  it("is not given the writer's word: an end that nobody signed", async () => {
    const log = await open();
    await log.writer.take(textSpool("one", linesOf("one", 20)));
    await change(
      "UPDATE events SET hash = zeroblob(32) WHERE sequence = (SELECT max(sequence) FROM events)",
      "UPDATE checkpoints SET hash = zeroblob(32) WHERE sequence = (SELECT max(sequence) FROM checkpoints)",
    );
    await log.writer.take(textSpool("two", linesOf("two", 20)));
    expect(kindsOf(await audit(log))).toContain("broken");
  });

  it("is signed by nobody: leaves in the place of those that were signed, or beneath an end that nobody signed", async () => {
    const body = '{"id":"e_forged","at":1,"action":"call.ended","outcome":"ok","tool":"delete_everything"}';
    const columns = "id = 'e_forged', at = 1, tool = 'delete_everything'";
    const forge = [
      `UPDATE events SET body = '${body}', leaf = x'${toHex(toLeaf(body))}' WHERE sequence = 2`,
      `UPDATE event_columns SET ${columns} WHERE sequence = 2`,
    ];
    const unsign = "UPDATE checkpoints SET signature = zeroblob(64)";
    const endless = "UPDATE checkpoints SET sequence = sequence + 3";
    for (const statements of [forge, [...forge, unsign], [...forge, endless]]) {
      place = { ...place, projectDir: await tempDir() };
      const log = await open();
      await log.writer.take(textSpool("one", linesOf("one", 1)));
      await log.writer.forget("one");
      const [original] = await log.store.rows(2, 1);
      const [checkpoint] = await log.store.checkpoints();
      await change(...statements);
      const other = await open();
      await other.writer.take(textSpool("two", linesOf("two", 1)));
      expect((await other.remembered.read()).breaks).toMatchObject([{ kind: "changed" }]);
      await expect(proveEvent(other.store, other.logId, "e_forged")).rejects.toThrow("can't be proved");
      if (original === undefined || statements !== forge) continue;
      const bytes = `x'${Buffer.from(original.body ?? "").toString("hex")}'`;
      const { id, at, tool } = original.columns;
      await change(
        `UPDATE events SET body = CAST(${bytes} AS TEXT), leaf = x'${toHex(original.leaf)}' WHERE sequence = 2`,
        `UPDATE event_columns SET id = '${id}', at = ${at}, tool = ${tool === null ? "NULL" : `'${tool}'`} WHERE sequence = 2`,
      );
      await (await open()).writer.take(textSpool("three", linesOf("three", 1)));
      // What was signed before is there as it was; that it was another for a while is said for good.
      expect((await log.store.checkpoints())[0]).toEqual(checkpoint);
      expect(kindsOf(await audit(log))).toEqual(["broken"]);
      await proveEvent(log.store, log.logId, id);
    }
  });

  it("is not gone on from before it is remembered", async () => {
    const log = await open();
    await log.writer.take(textSpool("one", linesOf("one", 2)));
    await change("UPDATE events SET leaf = zeroblob(32) WHERE sequence = 2");
    const other = await open();
    const spool = textSpool("two", linesOf("two", 2));
    const lock = join(toLogFolder(place), "head.json.lock");
    await mkdir(lock);
    await expect(other.writer.take(spool)).rejects.toThrow();
    await rmdir(lock);
    await other.writer.take(spool);
    expect(await missing(log, linesOf("two", 2))).toEqual([]);
    expect(kindsOf(await audit(log))).toContain("broken");
  });

  it("leaves nothing out: a spool of which more was said to be in the log than is", async () => {
    const log = await open();
    const lines = linesOf("one", 20);
    const spool = textSpool("one", lines.slice(0, lines.length / 2));
    await log.writer.take(spool);
    spool.add(lines.slice(lines.length / 2));
    await change(`UPDATE spools SET bytes = ${lines.length}`);
    expect(kindsOf(await verify(log))).toEqual(["spool"]);
    const other = await open();
    await other.writer.take(spool);
    expect(await missing(log, lines)).toEqual([]);
    expect(kindsOf(await audit(log))).toEqual(["broken"]);
  });

  it("leaves nothing out: cut back between two batches, with the signed place of the spool left there", async () => {
    const log = await open();
    await log.writer.take(textSpool("one", linesOf("one", 20)));
    const spool = textSpool("two", linesOf("two", 1_000));
    const stopped = log.writer.take({
      ...spool,
      async read(from, maxBytes) {
        if (from === 0) return spool.read(from, maxBytes);
        await change(...CUT);
        throw new Error("No more time");
      },
    });
    await expect(stopped).rejects.toThrow("No more time");
    const other = await open();
    expect(kindsOf(await verify(other))).toEqual(["spool", "truncated"]);
    await other.writer.take(spool);
    expect(await missing(other, linesOf("two", 1_000))).toEqual([]);
    expect(kindsOf(await audit(other))).toEqual(["broken"]);
  });

  it("leaves nothing out: cut back before the writer could remember where it had come to", async () => {
    for (const isSameProcess of [false, true]) {
      const log = await open();
      const [before, lines] = [`before${isSameProcess}`, linesOf(`two${isSameProcess}`, 5)];
      await log.writer.take(textSpool(before, linesOf(before, 20)));
      const end = (await log.store.head())?.sequence;
      const head = join(toLogFolder(place), "head.json");
      await copyFile(head, `${head}.copy`);
      const spool = textSpool(`two${isSameProcess}`, lines);
      await log.writer.take(spool);
      await copyFile(`${head}.copy`, head);
      await change(...toCut(`${end}`));
      await (isSameProcess ? log : await open()).writer.take(spool);
      spool.add(linesOf(`more${isSameProcess}`, 1));
      await (isSameProcess ? log : await open()).writer.take(spool);
      expect(await missing(log, lines)).toEqual([]);
      expect(kindsOf(await audit(log))).toEqual(["broken"]);
    }
  });

  it("is found: cut back after the writer had looked at its end", async () => {
    const log = await open();
    await log.writer.take(textSpool("one", linesOf("one", 20)));
    await log.writer.take(textSpool("two", linesOf("two", 20)));
    await log.writer.forget("two");
    const spool = textSpool("three", linesOf("three", 40));
    await (await open()).writer.take({
      ...spool,
      async read(from, maxBytes) {
        if (from === 0) await change(...CUT);
        return spool.read(from, maxBytes);
      },
    });
    expect(await missing(log, linesOf("three", 40))).toEqual([]);
    expect(kindsOf(await audit(log))).toEqual(["broken"]);
  });

  it("is found: cut back while another process writes on from there, and is further than what is remembered", async () => {
    const [log, other] = [await open(), await open()];
    await log.writer.take(textSpool("one", linesOf("one", 20)));
    const spool = textSpool("three", linesOf("three", 40));
    await other.writer.take({
      ...spool,
      // It has looked at what is remembered: since then the first one has gone on, and that is cut off.
      async read(from, maxBytes) {
        if (from > 0) return spool.read(from, maxBytes);
        await log.writer.take(textSpool("two", linesOf("two", 5)));
        await log.writer.forget("two");
        await change(...CUT);
        return spool.read(from, maxBytes);
      },
    });
    expect((await other.remembered.read()).breaks).toMatchObject([{ kind: "changed" }]);
    expect(kindsOf(await audit(log))).toEqual(["broken"]);
  });

  it("is found: a spool that is taken a second time", async () => {
    const log = await open();
    const spool = textSpool("one", linesOf("one", 20));
    await log.writer.take(spool);
    await change("DELETE FROM spools");
    await (await open()).writer.take(spool);
    expect(kindsOf(await verify(log))).toEqual(["duplicate"]);
  });

  it("is found: the log of another project", async () => {
    const log = await open();
    await log.writer.take(textSpool("one", linesOf("one", 20)));
    await change("PRAGMA wal_checkpoint(TRUNCATE)");
    const store = await openSqliteLogFile(file());
    const result = await verifyLog(store, { logId: "0".repeat(32), knownKeys: await log.keys.known() });
    await store.close();
    expect(kindsOf(result)).toEqual(["checkpoint", "spool"]);
  });

  it("makes a new log begin where it has other tables than ours; that the old one is gone is remembered", async () => {
    const log = await open();
    await log.writer.take(textSpool("one", linesOf("one", 20)));
    await log.writer.close();
    await change(
      "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events; END",
      "PRAGMA wal_checkpoint(TRUNCATE)",
    );
    const again = await open();
    expect(kindsOf(await verify(again))).toEqual(["truncated"]);
    await again.writer.take(textSpool("two", linesOf("two", 2)));
    expect(kindsOf(await audit(again))).toEqual(["broken"]);
  });
});
