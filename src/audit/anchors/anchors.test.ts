import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { makeEvents } from "../../../test/fixtures/audit/make-events.ts";
import { textSpool } from "../../../test/fixtures/audit/text-spool.ts";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { isSigned } from "../../network/webhook/signature.ts";
import { openStateDir } from "../../store/state-dir.ts";
import type { AuditLog } from "../audit-log.ts";
import { type OpenLog, openLog } from "../log/open-log.ts";
import type { LogPlace } from "../log-place.ts";
import { openAudit } from "../open-audit.ts";
import { startAuditUpkeep } from "../upkeep.ts";
import { type AnchorTarget, assertAnchors } from "./anchor-targets.ts";
import { type AnchorOptions, createAnchors } from "./create-anchors.ts";
import { readAnchorFile, verifyAnchors } from "./verify-anchors.ts";

const SECRET = "a secret of sixteen";
let dir: string;
let place: LogPlace;
let log: OpenLog;
let spool: ReturnType<typeof textSpool>;
let notices: string[];
let audit: AuditLog;

beforeEach(async () => {
  dir = await tempDir();
  place = { projectDir: dir, userDir: join(dir, "home"), store: "sqlite" };
  log = await openLog(place, { env: {} });
  onCleanup(() => log.writer.close());
  spool = textSpool("one");
  notices = [];
  const settings = { store: "sqlite", onFailure: "stop", encrypt: false } as const;
  const state = await openStateDir(dir, place.userDir);
  audit = openAudit({ state, userDir: place.userDir, settings, env: {}, onNotice: () => {} });
  onCleanup(() => audit.close());
  await write(0);
});

async function write(number: number): Promise<void> {
  spool.add([...makeEvents(3, { from: number })].map((event) => `${JSON.stringify(event)}\n`).join(""));
  await log.writer.take(spool);
}

function anchorsOf(targets: readonly AnchorTarget[], more: Partial<AnchorOptions> = {}) {
  return createAnchors({
    targets,
    logId: log.logId,
    withStore: (work) => work(log.store),
    log: audit,
    onNotice: (text) => notices.push(text),
    ...more,
  });
}

const verify = async (path: string, store = log.store) =>
  verifyAnchors(await readAnchorFile(path), { logId: log.logId, store, keys: await log.keys.known() });

describe("anchors", () => {
  it("write a line for the newest checkpoint to a file, which the log then is held to", async () => {
    const file = join(dir, "anchors.jsonl");
    const anchors = anchorsOf([{ file }]);
    const [first] = await anchors.anchor();
    await write(1);
    await anchors.anchor();
    await anchors.close();
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(first).toEqual({ target: file, sequence: JSON.parse(lines[0] ?? "").sequence });
    await audit.settled();
    const { rows } = await log.store.find({ actions: ["audit.anchored"] }, { limit: 9, order: "oldest" });
    expect(rows.map(({ body }) => JSON.parse(body ?? "").details)).toMatchObject([
      { target: file, sequence: first?.sequence },
      { target: file },
    ]);
    expect(await verify(file)).toEqual({ ok: true, checked: 2, others: 0, problems: [] });
    await write(2);
    expect(await verify(file)).toMatchObject({ ok: true });
  });

  it("tell at the end what was not told yet, once", async () => {
    const file = join(dir, "anchors.jsonl");
    const anchors = anchorsOf([{ file }]);
    anchors.note();
    await anchors.close();
    expect((await readFile(file, "utf8")).trimEnd().split("\n")).toHaveLength(1);
    const again = anchorsOf([{ file }]);
    await again.anchor();
    await again.close();
    expect((await readFile(file, "utf8")).trimEnd().split("\n")).toHaveLength(2);
  });

  it("are told by a process that lasts less than a minute at its end alone", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    onCleanup(async () => void vi.useRealTimers());
    const file = join(dir, "anchors.jsonl");
    const anchors = anchorsOf([{ file }]);
    anchors.note();
    vi.advanceTimersByTime(59_000);
    vi.useRealTimers();
    await write(1);
    anchors.note();
    await anchors.close();
    expect((await readFile(file, "utf8")).trimEnd().split("\n")).toHaveLength(1);
  });

  it("are told by whoever keeps the log, with all that was written to it", async () => {
    const file = join(dir, "anchors.jsonl");
    const state = await openStateDir(dir, place.userDir);
    const settings = { anchors: [{ file }], retention: { days: {}, archive: true } };
    const onNotice = (text: string) => notices.push(text);
    const upkeep = startAuditUpkeep({ place, state, log: audit, settings, env: {}, onNotice });
    audit.add({ action: "keyhole.stopped", outcome: "ok", details: { runs: 1 } });
    await upkeep.close();
    const { sequence } = JSON.parse(await readFile(file, "utf8"));
    const [row] = await log.store.rows(sequence, 1);
    expect(row?.columns.action).toBe("keyhole.stopped");
    expect(await verify(file)).toMatchObject({ ok: true, checked: 1 });
    expect(notices).toEqual([]);
  });

  it("post it signed, and say what fails without stopping anything", async () => {
    const posts: { request: IncomingMessage; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (piece) => {
        body += piece;
      });
      request.on("end", () => {
        posts.push({ request, body });
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onCleanup(async () => void server.close());
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/anchor`);
    const lost = { file: join(dir, "no folder", "anchors.jsonl") };
    const anchors = anchorsOf([{ webhook: { url, secret: SECRET } }, lost]);
    const outcomes = await anchors.anchor();
    expect(outcomes.map(({ problem }) => problem === undefined)).toEqual([true, false]);
    expect(notices).toEqual([expect.stringContaining(lost.file)]);
    const [{ request, body } = { request: undefined, body: "" }] = posts;
    const header = (name: string) => String(request?.headers[name]);
    const signed = { timestamp: header("keyhole-timestamp"), nonce: header("keyhole-nonce"), body };
    expect(isSigned(SECRET, "checkpoint", signed, header("keyhole-signature"))).toBe(true);
    expect(isSigned(SECRET, "question", signed, header("keyhole-signature"))).toBe(false);
    const report = await verifyAnchors([body], {
      logId: log.logId,
      store: log.store,
      keys: await log.keys.known(),
    });
    expect(report).toMatchObject({ ok: true, checked: 1 });
    await anchors.close();
  });

  it("are a clear error at the start where they can't be written", async () => {
    await mkdir(join(dir, "folder"));
    expect(() => assertAnchors([{ file: join(dir, "none", "a.jsonl") }])).toThrow(
      expect.objectContaining({
        code: "config_invalid",
        message: expect.stringContaining("there is no folder"),
      }),
    );
    expect(() => assertAnchors([{ file: join(dir, "folder") }])).toThrow("it is not a file");
    assertAnchors([{ file: join(dir, "folder", "a.jsonl") }]);
  });
});

describe("a log that is not what was anchored", () => {
  it("is found when it was cut back, or made anew by its own keys", async () => {
    const file = join(dir, "anchors.jsonl");
    await write(1);
    await anchorsOf([{ file }]).anchor();
    const cutBack = { rows: log.store.rows, head: async () => ({ sequence: 3, hash: new Uint8Array(32) }) };
    const short = await verifyAnchors(await readAnchorFile(file), {
      logId: log.logId,
      store: cutBack,
      keys: await log.keys.known(),
    });
    expect(short.problems).toMatchObject([{ kind: "missing", line: 1 }]);

    // The same place and keys, other events: as somebody would write it who has both.
    const other = await openLog({ ...place, projectDir: await tempDir() }, { env: {} });
    onCleanup(() => other.writer.close());
    await other.writer.take(
      textSpool("one", [...makeEvents(20)].map((e) => `${JSON.stringify({ ...e, at: 1 })}\n`).join("")),
    );
    const report = await verify(file, other.store);
    expect(report).toMatchObject({ ok: false, problems: [{ kind: "contradicted", line: 1 }] });
  });

  it("is told from lines that are not the owner's, and from other logs'", async () => {
    const file = join(dir, "anchors.jsonl");
    await anchorsOf([{ file }]).anchor();
    const line = (await readFile(file, "utf8")).trimEnd();
    await appendFile(file, `${line.replace(/"at":\d+/, '"at":1')}\n`);
    await appendFile(file, `${line.replace(log.logId, "0".repeat(32))}\n`);
    await appendFile(file, '{"cut off');
    expect(await verify(file)).toMatchObject({
      ok: false,
      checked: 3,
      others: 1,
      problems: [
        { line: 2, kind: "unsigned" },
        { line: 4, kind: "unreadable" },
      ],
    });
    await writeFile(file, "");
    expect(await verify(file)).toMatchObject({ ok: true, checked: 0 });
    await expect(readAnchorFile(join(dir, "none"))).rejects.toMatchObject({ code: "usage" });
  });
});
