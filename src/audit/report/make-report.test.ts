import { describe, expect, it } from "vitest";
import { isMeant, readArray } from "../../../test/fixtures/audit/array-reader.ts";
import { makeDay } from "../../../test/fixtures/audit/make-day.ts";
import { toReportRequest } from "../../../test/fixtures/audit/report-request.ts";
import type { AuditEvent } from "../event.ts";
import type { LogFilter } from "../query/filter.ts";
import { toEventSummary } from "../query/summary.ts";
import type { Figure } from "./figure.ts";
import { formatFigure } from "./format-figure.ts";
import { makeReport } from "./make-report.ts";
import { isFigure } from "./number-traces.ts";
import type { ReportDocument } from "./report-document.ts";

const FROM = Date.UTC(2026, 10, 2, 8);
const TO = Date.UTC(2026, 10, 3);
const day = makeDay(300);

const known = new Map<string, readonly AuditEvent[]>();

/** Many figures have the same filter. */
function foundBy(filter: LogFilter): readonly AuditEvent[] {
  const key = JSON.stringify(filter);
  const found = known.get(key) ?? day.filter((event) => isMeant(event, filter));
  known.set(key, found);
  return found;
}

async function makeDayReport(events: readonly AuditEvent[] = day): Promise<ReportDocument> {
  return makeReport(readArray(events), await toReportRequest({ from: FROM, to: TO }));
}

function figuresOf({ headline, controls, gaps, sections }: ReportDocument): Figure[] {
  return [
    ...headline.map(({ figure }) => figure),
    ...controls.flatMap(({ figures }) => figures.map(({ figure }) => figure)),
    ...gaps.flatMap(({ figure }) => (figure ? [figure] : [])),
    ...sections.flatMap(({ tables }) =>
      tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.filter(isFigure))),
    ),
  ];
}

/** The figures of a row, by the heads of their columns. */
function rowOf(document: ReportDocument, table: string, name: string) {
  const found = document.sections.flatMap(({ tables }) => tables).find(({ title }) => title === table);
  const row = found?.rows.find(({ cells }) => cells[0] === name);
  const entries = row?.cells.map((cell, index) => [
    found?.columns[index]?.name,
    isFigure(cell) ? cell.value : cell,
  ]);
  return entries && Object.fromEntries(entries);
}

describe("a report", () => {
  it("has only figures whose filter finds exactly the events that they come from", async () => {
    for (const framework of ["soc2", "hipaa", "gdpr"] as const) {
      const document = await makeReport(
        readArray(day),
        await toReportRequest({ framework, from: FROM, to: TO }),
      );
      const figures = figuresOf(document);
      expect(figures.length).toBeGreaterThan(200);
      for (const figure of figures) {
        const { filter, count, sample } = figure.events;
        const found = foundBy(filter);
        expect([filter, found.length]).toEqual([filter, count]);
        expect(sample.every((id) => found.some((event) => event.id === id))).toBe(true);
        if (count > 0) expect(sample.length).toBeGreaterThan(0);
        if (figure.unit === "events") expect(figure.value).toBe(count);
      }
    }
  });

  it("counts what the events say", async () => {
    const document = await makeDayReport();
    const count = (action: string) =>
      day.filter((event) => event.action === action && event.at >= FROM).length;
    expect(rowOf(document, "Totals", "Programs run")).toMatchObject({ "How many": 301 });
    // Two of them only wait, and one was answered from the record.
    expect(rowOf(document, "Totals", "Calls of tools")).toMatchObject({
      "How many": count("call.ended") - 3,
    });
    expect(rowOf(document, "Totals", "Principals")).toMatchObject({ "How many": 4 });
    expect(rowOf(document, "Totals", "Sessions")).toMatchObject({ "How many": 25 });
    expect(rowOf(document, "Violations: rules that programs broke", "no-eval")).toMatchObject({
      Programs: 1,
    });
    expect(rowOf(document, "By class", "EMAIL")).toMatchObject({ "Given away": 5, Erased: 4 });
    expect(rowOf(document, "Recipients: who was given values", "crm")).toMatchObject({
      Values: 4,
      Classes: "EMAIL (3), NAME (1)",
    });
    expect(rowOf(document, "Connections made, by host", "api.example.com")).toMatchObject({
      Sent: 1_200,
      Received: 88_000,
    });
    expect(rowOf(document, "Who answered, and how fast", "ben")).toMatchObject({ Channel: "cli" });
    expect(rowOf(document, "By model", "claude-sonnet-4-6")).toMatchObject({ Programs: 1, Seen: 100 });
    expect(rowOf(document, "By model", "not told by the client")).toMatchObject({ Cost: "no price" });
    expect(rowOf(document, "What happened to it", "Events known to be lost")).toMatchObject({
      "How many": 7,
    });
  });

  it("tells which policy was in force, from before the period on", async () => {
    const document = await makeDayReport();
    const table = document.sections
      .flatMap(({ tables }) => tables)
      .find(({ title }) => title === "Policy versions in force");
    expect(table?.rows.map(({ cells }) => cells.slice(0, 2))).toEqual([
      [{ hash: "1".repeat(64) }, "before the period"],
      [{ hash: "2".repeat(64) }, { at: expect.any(Number) }],
    ]);
  });

  it("names each high-risk action with who let it through, and how long that took", async () => {
    const document = await makeDayReport();
    const table = document.sections
      .find(({ id }) => id === "high-risk")
      ?.tables.find(({ title }) => title === "Each of them");
    const approved = table?.rows.find(({ cells }) =>
      /^approved by (ben|local) through cli, asked/.test(String(cells[5])),
    );
    expect(approved?.cells[6]).toBe("4.0 s");
    expect(table?.rows[0]?.cells.slice(1, 6)).toEqual([
      "critical",
      "command rm",
      "ana",
      "denied",
      "denied by commands.allow has no line for it",
    ]);
  });

  it("tells a person's no from a rule's, and lets nothing through that only waits", async () => {
    const document = await makeDayReport();
    const table = document.sections
      .find(({ id }) => id === "high-risk")
      ?.tables.find(({ title }) => title === "Each of them");
    const mails = table?.rows.flatMap(({ cells }) => (String(cells[2]).endsWith("_mail") ? [cells] : []));
    expect(mails?.map((cells) => [cells[2], cells[4], cells[5]])).toEqual([
      ["mail · delete_mail", "denied", "denied by root through cli, asked for by level moderate"],
      ["mail · archive_mail", "ok", "approved by root through cli, asked for by level moderate"],
    ]);
    expect(rowOf(document, "Denials by what decided", "root through cli")).toMatchObject({ Events: 1 });
    const denied = document.headline.find(({ name }) => name === "calls denied by policy");
    const byPolicy = day.filter(
      ({ action, details }) => action === "call.denied" && !JSON.stringify(details).includes('"channel"'),
    );
    expect(denied?.figure.value).toBe(byPolicy.length);
    expect(rowOf(document, "Denials by what decided", "level moderate")).toBeUndefined();
  });

  it("counts a program that waited and went on once, and no call that only waits", async () => {
    const document = await makeDayReport();
    const row = "times that one of them went on after it had waited";
    expect(rowOf(document, "Totals", row)).toMatchObject({ "How many": 2 });
    expect(rowOf(document, "By tool", "mail · archive_mail")).toMatchObject({
      Calls: 1,
      Writes: 1,
      "Not ok": 0,
    });
    expect(rowOf(document, "By tool", "mail · delete_mail")).toMatchObject({ Calls: 0, Denied: 1 });
    const waits = "not among them: asked for, and left waiting for a person";
    expect(rowOf(document, "How they were let through", waits)).toMatchObject({ "How many": 2 });
    const all = day.filter(({ action, outcome }) => action === "run.ended" && outcome !== "waiting");
    expect(rowOf(document, "By model", "All")).toMatchObject({ Programs: all.length });
  });

  it("tells connections that were made from those that were only tried", async () => {
    const document = await makeDayReport();
    expect(rowOf(document, "Connections", "Made")).toMatchObject({ "How many": 2 });
    expect(rowOf(document, "Connections made, by host", "nowhere.example")).toBeUndefined();
    const tried = "Connections tried, and not reached or broken off, by host";
    expect(rowOf(document, tried, "nowhere.example")).toMatchObject({ Times: 1 });
  });

  it("tells policies apart that are in force at the same time, by what processes are configured by", async () => {
    const starts = [0, 1, 2, 3].map((index) => ({
      id: `e_start${index}`,
      at: FROM + index,
      action: "keyhole.started" as const,
      outcome: "ok" as const,
      details: {
        ...{ version: "0.1.0", pid: 1, tier: "process", level: "moderate", config: "c" },
        policy: `p${index % 2}`,
        source: `s${index % 2}`,
      },
    }));
    const document = await makeDayReport(starts);
    const table = document.sections
      .flatMap(({ tables }) => tables)
      .find(({ title }) => title === "Policy versions in force");
    const end = "the end of the period";
    expect(table?.rows.map(({ cells }) => cells.slice(0, 4))).toEqual([
      [{ hash: "p0" }, { at: FROM }, end, { hash: "s0" }],
      [{ hash: "p1" }, { at: FROM + 1 }, end, { hash: "s1" }],
    ]);
  });

  it("says of sealed events that it is unknown, never that there was nothing", async () => {
    const sealed = day.map(
      (event): AuditEvent =>
        event.action.startsWith("audit.")
          ? event
          : ({ ...event, details: { sealed: true } } as unknown as AuditEvent),
    );
    const request = await toReportRequest({ framework: "gdpr", from: FROM, to: TO });
    const document = await makeReport(readArray(sealed), request);
    const found = document.headline.find(({ name }) => name.startsWith("personal values found"));
    expect(found && formatFigure(found.figure)).toBe("unknown (sealed)");
    // What is told by details alone is not said to be nothing.
    const tablesOf = ({ sections }: ReportDocument) => sections.flatMap(({ tables }) => tables);
    const filled = tablesOf(await makeDayReport()).filter(({ rows }) => rows.length > 0);
    const emptied = tablesOf(document).filter(
      ({ title, rows }) => rows.length === 0 && filled.some((one) => one.title === title),
    );
    expect(emptied.map(({ title }) => title)).toContain("Violations: rules that programs broke");
    for (const { empty } of emptied) expect(empty).toMatch(/^Unknown: .* can't be read without their key/);
    expect(JSON.stringify(document)).not.toContain('"(no name)"');
    expect(document.gaps.find(({ id }) => id === "no-pii")?.text).toMatch(/^Unknown: personal values found/);
    for (const { events } of figuresOf(document))
      expect([events.filter, events.count]).toEqual([
        events.filter,
        sealed.filter((event) => isMeant(event, events.filter)).length,
      ]);
  });

  it("names what was trusted, and who trusted it", async () => {
    const trusted = {
      id: "e_trust",
      at: FROM + 1,
      action: "trust.given",
      server: "crm",
      outcome: "ok",
      details: { content: "7".repeat(64), channel: "cli", person: "root" },
    } as const;
    const document = await makeDayReport([trusted]);
    const table = document.sections
      .flatMap(({ tables }) => tables)
      .find(({ title }) => title === "Trust given and revoked");
    expect(table?.rows[0]?.cells.slice(1, 3)).toEqual(["root", "given to server crm through cli"]);
    expect(toEventSummary({ ...trusted, sequence: 1 })).toBe("server crm trusted by root through cli");
  });

  it("says where the folder's own settings are not used", async () => {
    const request = await toReportRequest({ from: FROM, to: TO });
    const settings = { ...request.settings, isUntrusted: true };
    const document = await makeReport(readArray([]), { ...request, settings });
    expect(document.gaps.map(({ id }) => id)).toContain("settings-unused");
  });

  it("names the gaps of an empty log and of weak settings", async () => {
    const request = await toReportRequest({ framework: "hipaa", from: FROM, to: TO });
    const document = await makeReport(readArray([]), {
      ...request,
      verification: Promise.resolve({ status: "not verified", reason: "nothing is there" }),
      settings: {
        ...request.settings,
        auditLogging: false,
        retention: { ...request.settings.retention, calls: 30 },
      },
    });
    const ids = document.gaps.map(({ id }) => id);
    for (const id of [
      "log-off",
      "log-unverified",
      "no-events",
      "no-approvals",
      "no-anchor",
      "not-encrypted",
      "retention-short",
    ])
      expect(ids).toContain(id);
    expect(document.gaps.find(({ id }) => id === "retention-short")?.text).toContain("calls 30 days");
  });

  it("says that the log begins late, and that its figures can't be relied on where it is broken", async () => {
    const document = await makeReport(readArray(day), {
      ...(await toReportRequest({ from: FROM - 86_400_000, to: TO })),
      verification: Promise.resolve({
        status: "broken",
        events: 10,
        problems: ["event 3 was changed"],
        problemCount: 1,
      }),
    });
    const ids = document.gaps.map(({ id }) => id);
    expect(ids).toContain("log-starts-late");
    expect(ids).toContain("log-broken");
  });

  it("goes on where an event has another form than ours", async () => {
    const odd = [
      "run.ended",
      "call.ended",
      "approval.answered",
      "pii.found",
      "audit.gap",
      "tool.changed",
      "keyhole.started",
    ].flatMap((action, index) =>
      [
        undefined,
        {},
        { usage: { seenTokens: "1" }, violations: 3, leave: null, classes: [1], waitedMs: "x", lost: {} },
      ].map(
        (details, form) =>
          ({
            id: `odd_${index}_${form}`,
            at: FROM + 1,
            action,
            outcome: "ok",
            details,
          }) as unknown as AuditEvent,
      ),
    );
    const document = await makeDayReport([...day.slice(0, 50), ...odd]);
    for (const { value } of figuresOf(document)) expect(Number.isFinite(value)).toBe(true);
  });

  it("keeps little of a log in which every name is another", async () => {
    const events = Array.from(
      { length: 12_000 },
      (_, index): AuditEvent => ({
        id: `e_${index}`,
        at: FROM + index,
        session: `s_${index}`,
        principal: `p_${index}`,
        client: { name: `c_${index}` },
        server: index % 3 === 0 ? "busy" : `server_${index}`,
        tool: `tool_${index}`,
        action: "call.ended",
        outcome: "ok",
        details: { input: { hash: "", bytes: 0 }, isWrite: false, isSent: true, directTokens: 1, shape: "" },
      }),
    );
    const document = await makeDayReport(events);
    expect(rowOf(document, "By server", "busy")).toMatchObject({ Calls: 4_000 });
    const bytes = Buffer.byteLength(JSON.stringify(document));
    expect(bytes).toBeLessThan(1_000_000);
    const table = document.sections
      .flatMap(({ tables }) => tables)
      .find(({ title }) => title === "By server");
    expect(table?.rest).toMatch(/^and at least [\d,]+ more servers, with [\d,]+ events together$/);
  });
});
