import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { newLogPlace, openAuditAt, readEvents } from "../../test/fixtures/audit/audit-in.ts";
import { makeEvents } from "../../test/fixtures/audit/make-events.ts";
import { startOf, toMachine } from "../store/process-start.ts";
import type { AuditEvent, NewEvent } from "./event.ts";
import { type LogPlace, toLogFolder } from "./log-place.ts";
import { toSpoolFolder } from "./spool/drain.ts";

const opened: NewEvent = { action: "session.opened", outcome: "ok", details: { front: "test" } };
const started: NewEvent = {
  action: "run.started",
  outcome: "ok",
  run: "r_1",
  details: { code: { hash: "h", bytes: 1, text: "return 1" }, language: "typescript", tier: "process" },
};
const fresh = (runs: number): NewEvent[] => [...makeEvents(runs)].map(({ id: _, ...event }) => event);

async function spooled(place: LogPlace): Promise<string[]> {
  const folder = toSpoolFolder(place);
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.sort().map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((text) => text.split("\n").filter((line) => line !== ""));
}

/** Nothing can be written to the spool until it is called. */
async function blockSpool(place: LogPlace): Promise<() => Promise<void>> {
  const path = dirname(toSpoolFolder(place));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "in the way");
  return () => rm(path);
}

/** The same for the tables. */
async function blockStore({ projectDir }: LogPlace): Promise<() => Promise<void>> {
  const path = join(projectDir, ".keyhole/audit.db");
  await mkdir(path, { recursive: true });
  return () => rm(path, { recursive: true });
}

describe("openAudit", () => {
  it("gives events names and times, and puts them into the log in their order", async () => {
    const place = await newLogPlace();
    const { audit } = await openAuditAt(place);
    const events = fresh(30).map((event) => audit.add(event));
    expect(audit.add(opened).at).toBeGreaterThan(Date.now() - 60_000);
    await audit.settled();
    await audit.close();
    const found = await readEvents(place);
    expect(found.slice(0, -1)).toEqual(events);
    expect(new Set(found.map(({ id }) => id)).size).toBe(events.length + 1);
    expect(await spooled(place)).toEqual([]);
  });

  it("has in a file what is committed, before anything else is done", async () => {
    const place = await newLogPlace();
    const { audit } = await openAuditAt(place);
    const first = audit.add(opened);
    expect(await spooled(place)).toEqual([]);
    audit.commit();
    expect((await spooled(place)).map((line) => JSON.parse(line))).toEqual([first]);
    expect(await readdir(place.projectDir)).toEqual([]);
  });

  it("leaves the little that a short process writes to the next one", async () => {
    const place = await newLogPlace();
    const first = await openAuditAt(place);
    const [one] = [first.audit.add(opened)];
    await first.audit.close();
    expect(await spooled(place)).toHaveLength(1);
    const second = await openAuditAt(place);
    const two = second.audit.add(opened);
    await second.audit.settled();
    await second.audit.close();
    expect(await spooled(place)).toEqual([]);
    expect(await readEvents(place)).toEqual([one, two]);
  });

  it("does not leave more than some of them", async () => {
    const place = await newLogPlace();
    for (let count = 0; count < 34; count++) {
      const { audit } = await openAuditAt(place);
      audit.add(opened);
      await audit.close();
    }
    expect((await spooled(place)).length).toBeLessThan(5);
    expect(await readEvents(place)).toHaveLength(34);
  });

  it("writes down what comes after it was closed, too", async () => {
    const place = await newLogPlace();
    const { audit } = await openAuditAt(place);
    await audit.close();
    const late = audit.add(opened);
    expect(await readEvents(place)).toEqual([late]);
    expect(await spooled(place)).toEqual([]);
  });

  it("takes several logs of one process for one", async () => {
    const place = await newLogPlace();
    const [a, b] = [await openAuditAt(place), await openAuditAt(place)];
    const events = fresh(40).map((event, at) => (at % 2 === 0 ? a : b).audit.add(event));
    await Promise.all([a.audit.settled(), b.audit.settled()]);
    const ids = (list: readonly AuditEvent[]) => list.map(({ id }) => id).sort();
    expect(ids(await readEvents(place))).toEqual(ids(events));
  });

  it("makes those wait who write more than the log takes", async () => {
    const place = await newLogPlace();
    const { audit } = await openAuditAt(place, { limits: { maxWaitingEvents: 10 } });
    for (const event of fresh(5)) audit.add(event);
    const waiting = audit.commit();
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
    audit.add(opened);
    expect(audit.commit()).toBeUndefined();
  });

  it("tells who listens, whatever they do", async () => {
    const { audit } = await openAuditAt(await newLogPlace());
    const heard: AuditEvent[] = [];
    audit.onEvent(() => {
      throw new Error("no concern of the log's");
    });
    const listening = audit.onEvent((event) => heard.push(event));
    const event = audit.add(opened);
    listening.end();
    audit.add(opened);
    expect(heard).toEqual([event]);
  });

  it("hashes by a key of the log", async () => {
    const [place, other] = [await newLogPlace(), await newLogPlace()];
    const hashes = await Promise.all(
      [place, place, other].map(async (one) => (await openAuditAt(one)).audit.hash("value")),
    );
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  it("seals what only those may read who have the key, from the spool on", async () => {
    const place = await newLogPlace();
    const { audit } = await openAuditAt(place, { encrypt: true });
    audit.add(started);
    await audit.commit();
    const [line = ""] = await spooled(place);
    expect(JSON.parse(line)).toMatchObject({ run: "r_1", action: "run.started", sealed: expect.any(String) });
    expect(line).not.toContain("return 1");
    audit.add(started);
    expect(audit.commit()).toBeUndefined();
    expect(await readEvents(place)).toHaveLength(2);
  });

  it("says that another key seals than before, and that the one before is gone", async () => {
    const place = await newLogPlace();
    const write = async () => {
      const { audit, notices } = await openAuditAt(place, { encrypt: true });
      await audit.ready();
      audit.add(started);
      await audit.close();
      return notices;
    };
    const keyFile = join(place.userDir, "audit-key");
    const sealedBy = async () => (await readFile(join(toLogFolder(place), "sealed-by"), "utf8")).trim();
    expect([...(await write()), ...(await write())]).toEqual([]);
    const first = await sealedBy();
    await rename(keyFile, `${keyFile}-${first}`);
    expect(await write()).toEqual([]);
    const second = await sealedBy();
    await rm(keyFile);
    const notices = await write();
    const third = await sealedBy();
    expect(notices).toEqual([
      expect.stringMatching(`sealed by the key ${third} from now on; ${second}, .* is not here`),
    ]);
    const told = (await readEvents(place)).filter(({ action }) => action === "audit.seal");
    expect(told.map(({ details }) => details)).toEqual([
      { key: second, previous: first },
      { key: third, previous: second },
    ]);
  });
});

describe("a spool that can't be written", () => {
  it("stops work, and lets it go on when it can be", async () => {
    const place = await newLogPlace();
    const unblock = await blockSpool(place);
    const { audit, notices } = await openAuditAt(place);
    await expect(audit.ready()).rejects.toMatchObject({ code: "store_unusable", hint: expect.any(String) });
    expect(audit.failure()).toMatchObject({ code: "store_unusable" });
    expect(() => audit.add(started)).toThrow(expect.objectContaining({ code: "store_unusable" }));
    const ended = audit.add(opened);
    expect(() => audit.commit()).toThrow(expect.objectContaining({ code: "store_unusable" }));
    await unblock();
    await audit.ready();
    expect(audit.failure()).toBeUndefined();
    const next = audit.add(started);
    await audit.settled();
    expect(await readEvents(place)).toEqual([ended, next]);
    expect(notices).toEqual([
      expect.stringContaining("The audit log can't be written, nothing is run until it can be"),
      "The audit log is written again",
    ]);
  });

  it("goes on where it is told to, and says afterwards how many events were lost", async () => {
    const place = await newLogPlace();
    const unblock = await blockSpool(place);
    const limits = { maxPendingBytes: 1_000 };
    const { audit, notices } = await openAuditAt(place, { onFailure: "continue", limits });
    await audit.ready();
    for (let count = 0; count < 20; count++) audit.add(started);
    expect(audit.commit()).toBeUndefined();
    expect(notices).toEqual([
      expect.stringContaining("work goes on, and what happens now may be missing in it"),
    ]);
    await unblock();
    audit.commit();
    await audit.settled();
    const events = await readEvents(place);
    const lost = 20 - (events.length - 1);
    expect(lost).toBeGreaterThan(10);
    expect(events.at(-1)).toMatchObject({ action: "audit.gap", details: { lost } });
    expect(notices.at(-1)).toBe(`The audit log is written again; ${lost} events were lost meanwhile`);
  });

  it("says at its end what was never written", async () => {
    const place = await newLogPlace();
    await blockSpool(place);
    const { audit, notices } = await openAuditAt(place, { onFailure: "continue" });
    audit.add(started);
    audit.add(opened);
    await audit.close();
    expect(notices.at(-1)).toContain("2 events of the audit log were not written down");
  });
});

describe("tables that can't be written", () => {
  it("of a server elsewhere stop work before anything is begun", async () => {
    const place = { ...(await newLogPlace()), store: "postgres://keyhole@127.0.0.1:1/none" };
    const { audit } = await openAuditAt(place);
    await expect(audit.ready()).rejects.toMatchObject({ code: "store_unusable" });
    expect(() => audit.add(started)).toThrow("The audit log can't be written");
    await audit.close();
  });

  it("stop work as soon as it is known; what was done is kept, and comes in when they can be", async () => {
    const place = await newLogPlace();
    const unblock = await blockStore(place);
    const { audit, notices } = await openAuditAt(place);
    const first = audit.add(started);
    await expect(audit.settled()).rejects.toMatchObject({ code: "store_unusable" });
    expect(() => audit.add(started)).toThrow(expect.objectContaining({ code: "store_unusable" }));
    await expect(audit.ready()).rejects.toMatchObject({ code: "store_unusable" });
    const ended = audit.add(opened);
    audit.commit();
    expect(await spooled(place)).toHaveLength(2);
    await unblock();
    await audit.ready();
    const next = audit.add(started);
    await audit.settled();
    expect(await readEvents(place)).toEqual([first, ended, next]);
    expect(notices.at(-1)).toBe("The audit log is written again");
  });

  it("let work go on while another process holds what they need, up to what the spool may hold", async () => {
    const place = await newLogPlace();
    const lock = join(toLogFolder(place), "head.json.lock");
    await mkdir(toLogFolder(place), { recursive: true });
    const owner = `${process.pid} ${startOf(process.pid) ?? "?"} 0 ${randomUUID()} ${toMachine()}`;
    await writeFile(lock, owner, { mode: 0o600 });
    const { audit, notices } = await openAuditAt(place, { limits: { maxWaitingEvents: 3 } });
    const first = audit.add(started);
    await expect(audit.settled()).rejects.toMatchObject({ fault: "locked" });
    const events = [first];
    const goOn = () => {
      for (let count = 0; count < 20; count++) {
        events.push(audit.add(started));
        audit.commit();
      }
    };
    expect(goOn).toThrow("Another process holds");
    expect(events.length).toBeGreaterThan(2);
    await rm(lock);
    await audit.settled();
    expect(await readEvents(place)).toEqual(events);
    expect(notices.at(-1)).toBe("The audit log is written again");
  });

  it("let work go on where that is wanted, up to what the spool may hold", async () => {
    const place = await newLogPlace();
    const unblock = await blockStore(place);
    const limits = { maxWaitingEvents: 5 };
    const { audit } = await openAuditAt(place, { onFailure: "continue", limits });
    audit.add(started);
    await expect(audit.settled()).rejects.toMatchObject({ code: "store_unusable" });
    for (let count = 0; count < 20; count++) {
      audit.add(started);
      audit.commit();
    }
    const kept = (await spooled(place)).length;
    expect(kept).toBeLessThan(10);
    await unblock();
    await audit.settled();
    const events = await readEvents(place);
    expect(events.filter(({ action }) => action === "audit.gap")).toMatchObject([
      { details: { lost: 21 - kept } },
    ]);
  });
});
