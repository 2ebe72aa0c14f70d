import { mkdtemp, open, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { makeEvents } from "../../../test/fixtures/audit/make-events.ts";
import { textSpool } from "../../../test/fixtures/audit/text-spool.ts";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { makeFolders } from "../../store/make-folders.ts";
import type { AuditEvent, NewEvent } from "../event.ts";
import { type OpenLog, openLog } from "../log/open-log.ts";
import { createDetailSeal } from "../log/sealed-details.ts";
import { type LogPlace, toLogFolder } from "../log-place.ts";
import type { AuditReader, LoggedEvent } from "../reader.ts";
import { toLine } from "../spool/to-line.ts";
import { BLOCK_EVENTS, type BlockIndex, openBlockIndex } from "./blocks/block-index.ts";
import { toRiskRank } from "./condition.ts";
import { createAuditReader } from "./create-reader.ts";
import type { LogFilter } from "./filter.ts";

const EVENTS: readonly AuditEvent[] = [
  ...makeEvents(180),
  other(
    1,
    { action: "egress.refused", outcome: "denied", error: 'He said "no"\nÜBER 100% sure_' },
    { host: "evil.example" },
  ),
  ...makeEvents(90, { from: Date.UTC(2026, 10, 4) }),
  other(
    2,
    { action: "login.refused", outcome: "denied", principal: "mallory", risk: "critical" },
    { front: "http" },
  ),
  ...makeEvents(40, { from: Date.UTC(2026, 10, 3) }),
];

function other(number: number, head: Omit<NewEvent, "details">, details: object): AuditEvent {
  return { id: `e_other${number}`, at: Date.UTC(2026, 10, 5), ...head, details } as unknown as AuditEvent;
}

type Opened = { readonly place: LogPlace; readonly log: OpenLog; readonly blocks: BlockIndex };

async function write(lines: readonly string[], dir: string): Promise<Opened> {
  const place: LogPlace = { projectDir: dir, userDir: join(dir, "home"), store: "sqlite" };
  const log = await openLog(place, { env: {} });
  await log.writer.take(textSpool("one", lines.map((line) => `${line}\n`).join("")));
  await makeFolders(toLogFolder(place));
  const blocks = await openBlockIndex(toLogFolder(place), log.store);
  return { place, log, blocks };
}

const plain = (line: Readonly<Record<string, unknown>>) => ({ event: line });
const newest = { order: "newest", limit: 50 } as const;

describe("the reader of a log", () => {
  let all: readonly LoggedEvent[];
  const readers: AuditReader[] = [];

  beforeAll(async () => {
    const dir = await realpath(await mkdtemp(join(tmpdir(), "keyhole-test-")));
    const { log, blocks } = await write(
      EVENTS.map((event) => toLine(event)),
      dir,
    );
    // The log's first event names its key.
    const [first] = await log.store.rows(1, 1);
    const skipped = first?.columns.action === "audit.key" ? 1 : 0;
    all = EVENTS.map((event, index) => ({ ...event, sequence: index + 1 + skipped }));
    readers.push(
      createAuditReader({ store: log.store, open: plain }),
      createAuditReader({ store: log.store, open: plain, blocks }),
    );
    return async () => {
      await blocks.close();
      await log.writer.close();
      await rm(dir, { recursive: true, force: true });
    };
  });

  const values = <Key extends keyof LogFilter>(key: Key, ...some: NonNullable<LogFilter[Key]>[]) =>
    fc.constantFrom(...some).map((value): LogFilter => ({ [key]: value }));
  const anyFilter = fc
    .subarray([
      values("principal", "ana", "ben", "mallory", "nobody"),
      values("client", "cursor", "claude-code"),
      values("server", "crm", "mail", "none"),
      values("tool", "send_email", "create_issue"),
      values("risk", "high", "critical", "low"),
      values("outcomes", ["failed"], ["denied", "asked"], []),
      values("actions", ["call.ended"], ["approval.asked", "login.refused"], ["run.ended", "run.started"]),
      values("session", "s_3", "s_none"),
      values("from", Date.UTC(2026, 10, 3), Date.UTC(2026, 10, 2, 8, 30)),
      values("to", Date.UTC(2026, 10, 3, 1), Date.UTC(2026, 10, 4, 0, 10)),
      values(
        "text",
        "the tool FAILED",
        "find_contact",
        "email",
        'repo: "r3"',
        "über",
        "100% sure_",
        "nothing like it",
        "zz",
      ),
    ])
    .chain((some) => fc.tuple(...some))
    .map((parts): LogFilter => Object.assign({}, ...parts));

  it("finds what fits a filter, all of it and nothing else, with an index and without", async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter, fc.constantFrom("newest", "oldest" as const), async (filter, order) => {
        const expected = all.filter((event) => isLike(event, filter)).map(({ sequence }) => sequence);
        for (const reader of readers) {
          const scanned: number[] = [];
          for await (const events of reader.scan(filter))
            scanned.push(...events.map(({ sequence }) => sequence));
          expect(scanned.filter((sequence) => sequence >= (all[0]?.sequence ?? 0))).toEqual(expected);
          const paged = await readPages(reader, filter, order as "newest" | "oldest");
          expect(order === "newest" ? paged.reverse() : paged).toEqual(expected);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("finds ids and hashes as a whole", async () => {
    const event = all.find(({ action }) => action === "call.ended");
    const input = event?.action === "call.ended" ? event.details.input.hash : "";
    for (const reader of readers) {
      const byHash = await reader.find({ text: input.toUpperCase() }, newest);
      expect(byHash.events.map(({ id }) => id)).toContain(event?.id);
      expect((await reader.find({ text: input.slice(0, -1) }, newest)).events).toEqual([]);
      const byCall = await reader.find({ text: event?.call ?? "" }, newest);
      expect(byCall.events.every(({ call }) => call === event?.call)).toBe(true);
      expect(byCall.events.length).toBeGreaterThan(0);
      const byId = await reader.find({ id: event?.id ?? "" }, newest);
      expect(new Set(byId.events.map(({ id }) => id))).toEqual(new Set([event?.id]));
    }
  });

  async function readPages(reader: AuditReader, filter: LogFilter, order: "newest" | "oldest") {
    const found: number[] = [];
    for (let after: number | undefined; ; ) {
      const { events, next } = await reader.find(filter, {
        limit: 40,
        order,
        ...(after !== undefined && { after }),
      });
      found.push(...events.map(({ sequence }) => sequence));
      if (next === undefined) return found.filter((sequence) => sequence >= (all[0]?.sequence ?? 0));
      after = next;
    }
  }
});

describe("the blocks of a log", () => {
  it("are made anew for another log, and damage to them hides nothing", async () => {
    const lines = EVENTS.map((event) => toLine(event));
    const { place, log, blocks } = await write(lines, await tempDir());
    onCleanup(() => log.writer.close());
    const known = await blocks.catchUp();
    expect(known).toBe(Math.floor(lines.length / BLOCK_EVENTS) * BLOCK_EVENTS);
    const filter = { principal: "mallory" };
    expect((await blocks.spans(filter))?.length).toBeLessThan(known / BLOCK_EVENTS + 1);
    await blocks.close();

    for (const name of ["heads.blocks", "texts.blocks"]) {
      const file = await open(join(toLogFolder(place), name), "r+");
      const { size } = await file.stat();
      // All bits off, but for the last record: the checksums don't fit.
      await file.write(Buffer.alloc(size - 10_000), 0, size - 10_000, 0);
      await file.close();
    }
    const again = await openBlockIndex(toLogFolder(place), log.store);
    const reader = createAuditReader({ store: log.store, open: plain, blocks: again });
    expect((await reader.find(filter, newest)).events).toHaveLength(1);
    expect((await reader.find({ text: "evil.example" }, newest)).events).toHaveLength(1);
    await again.close();

    const second = await write([...lines].reverse(), await tempDir());
    onCleanup(() => second.log.writer.close());
    await second.blocks.close();
    const moved = await openBlockIndex(toLogFolder(place), second.log.store);
    onCleanup(() => moved.close());
    const other = createAuditReader({ store: second.log.store, open: plain, blocks: moved });
    const found = await other.find(filter, newest);
    expect(found.events.map(({ principal }) => principal)).toEqual(["mallory"]);
  });

  it("let through what is sealed, and the reader opens it", async () => {
    const seal = createDetailSeal({ keys: [Buffer.alloc(32, 7)] }, "log");
    const lines = [...makeEvents(120)].map((event) => toLine(event, seal.seal));
    const { log, blocks } = await write(lines, await tempDir());
    onCleanup(() => log.writer.close());
    onCleanup(() => blocks.close());
    const open = createAuditReader({ store: log.store, open: seal.open, blocks });
    expect((await open.find({ text: 'repo: "R4"' }, newest)).events.length).toBeGreaterThan(5);
    const problems: string[] = [];
    const closed = createAuditReader({
      store: log.store,
      open: createDetailSeal({ keys: [Buffer.alloc(32, 8)] }, "log").open,
      blocks,
      onProblem: (_, problem) => problems.push(problem),
    });
    expect((await closed.find({ text: 'repo: "R4"' }, newest)).events).toEqual([]);
    expect((await closed.find({ principal: "ana" }, newest)).events.length).toBe(50);
    expect(problems[0]).toContain("is not here");
  });
});

/** The same by hand. */
function isLike(event: LoggedEvent, filter: LogFilter): boolean {
  const { from, to, risk, outcomes, actions, text } = filter;
  for (const key of ["principal", "server", "tool", "session", "run"] as const)
    if (filter[key] !== undefined && event[key] !== filter[key]) return false;
  if (filter.client !== undefined && event.client?.name !== filter.client) return false;
  if (from !== undefined && event.at < from) return false;
  if (to !== undefined && event.at >= to) return false;
  if (risk !== undefined && (event.risk === undefined || toRiskRank(event.risk) < toRiskRank(risk)))
    return false;
  if (outcomes !== undefined && !outcomes.includes(event.outcome)) return false;
  if (actions !== undefined && !actions.includes(event.action)) return false;
  return (
    text === undefined || readable(event).some((part) => part.toLowerCase().includes(text.toLowerCase()))
  );
}

function readable({ id: _, session: __, run: ___, call: ____, ...event }: LoggedEvent): string[] {
  const found: string[] = [];
  JSON.stringify(event, (key, value: unknown) => {
    if (key === "classes") found.push(...Object.keys(value as object));
    if (typeof value === "string" && !["hash", "shape", "approval"].includes(key)) found.push(value);
    return value;
  });
  return found;
}
