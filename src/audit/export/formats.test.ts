import { describe, expect, it } from "vitest";
import { makeEvents } from "../../../test/fixtures/audit/make-events.ts";
import type { AuditEvent } from "../event.ts";
import type { LoggedEvent } from "../reader.ts";
import { EXPORT_FORMATS, loadFormat, toExportFormat } from "./format.ts";
import { toOcsf } from "./ocsf.ts";

const HOSTILE = [
  '=HYPERLINK("http://evil.example","x")',
  "+1+cmd|' /C calc'!A0",
  "-2+3",
  "@SUM(A1)",
  "\t=1",
  " =1",
  "＝1+1",
  'a "quoted", text; with\r\nlines\u2028and | pipes = \\ signs',
  "\u001b[31mred\u0007\0",
  "x".repeat(5_000),
];

function event(changes: Partial<AuditEvent> = {}): LoggedEvent {
  const ended = [...makeEvents(1)].find(({ action }) => action === "call.ended");
  if (ended === undefined) throw new Error("There is no event");
  return { ...ended, ...changes, sequence: 7 } as LoggedEvent;
}

describe("CSV", () => {
  it("is read back by a plain reader, a row for each event", async () => {
    const { start, line } = await loadFormat("csv");
    const events = [...makeEvents(4)].map((made, index) => ({ ...made, sequence: index + 1 }));
    const rows = parseCsv((start?.() ?? "") + events.map(line).join(""));
    expect(rows).toHaveLength(events.length + 1);
    const [names = [], ...others] = rows;
    for (const [index, row] of others.entries()) {
      const read = Object.fromEntries(names.map((name, at) => [name, row[at]]));
      expect(read).toMatchObject({
        sequence: String(index + 1),
        id: events[index]?.id,
        time: new Date(events[index]?.at ?? 0).toISOString(),
        tool: events[index]?.tool ?? "",
      });
      expect(JSON.parse(read["details"] ?? "")).toEqual(events[index]?.details);
    }
  });

  it.each(HOSTILE)("gives a spreadsheet no formula to run: %j", async (text) => {
    const { line } = await loadFormat("csv");
    const [row = [], ...more] = parseCsv(line(event({ tool: text, error: text, principal: text })));
    expect(more).toEqual([]);
    for (const cell of row) expect(cell).not.toMatch(/^\s*[=+\-@\uff1d]|\0/);
    // Nothing of it is lost.
    expect(row.join("\n")).toContain(text.replaceAll("\0", "\u2400"));
  });
});

describe("CEF", () => {
  it("says what happened to whom", async () => {
    const { line } = await loadFormat("cef");
    const text = line(event({ tool: "list", server: "git", principal: "ana" }));
    expect(text).toMatch(
      /^CEF:0\|Keyhole\|Keyhole\|[\d.]+[^|]*\|call\.ended\|call ended\|\d+\|rt=\d+ externalId=e_/,
    );
    expect(text).toContain(" suser=ana ");
    expect(text).toContain(" cs4=list cs4Label=tool");
  });

  it.each(HOSTILE)("is one line, in which foreign text ends no field: %j", async (text) => {
    const { line } = await loadFormat("cef");
    const written = line(event({ tool: text, error: text, principal: `${text} outcome=ok` }));
    expect(written.trimEnd()).not.toMatch(/[\r\n\u2028\u0000-\u001f]/);
    const fields = parseCef(written);
    expect(fields.get("outcome")).toBe("failed");
    expect(fields.get("suser")?.slice(0, 3)).toBe(
      text
        .replace(/\r\n|\u2028/g, "\n")
        .replace(/[\u0000-\u0009\u001b]/g, " ")
        .slice(0, 3),
    );
  });
});

describe("OCSF", () => {
  it.each([
    ["call.ended", 6003, ["actor", "api", "src_endpoint"]],
    ["call.denied", 6003, ["actor", "api", "src_endpoint"]],
    ["run.ended", 6003, ["actor", "api", "src_endpoint"]],
    ["session.opened", 3002, ["user", "service"]],
    ["login.refused", 3002, ["user", "service"]],
    ["anomaly.found", 2004, ["finding_info"]],
    ["egress.opened", 4001, ["dst_endpoint"]],
    ["egress.connected", 4001, ["dst_endpoint"]],
    ["egress.refused", 4001, ["dst_endpoint"]],
    ["command.started", 1007, ["actor", "device", "process"]],
    ["keyhole.started", 6002, ["app"]],
    ["policy.changed", 3004, ["entity"]],
    ["approval.answered", 3004, ["entity"]],
    ["pii.found", 0, []],
  ] as const)("%s is of class %i, with all that the class asks for", (action, uid, needed) => {
    const made = toOcsf({ ...event(), action, details: {} } as unknown as LoggedEvent);
    const all = ["activity_id", "category_uid", "class_uid", "metadata", "severity_id", "time", "type_uid"];
    for (const key of [...all, ...needed]) expect(made[key], key).toBeDefined();
    expect(made["class_uid"]).toBe(uid);
    expect(made["category_uid"]).toBe(Math.floor(uid / 1000));
    expect(made["type_uid"]).toBe(uid * 100 + Number(made["activity_id"]));
    expect(made["metadata"]).toMatchObject({ version: "1.3.0", product: { name: "Keyhole" }, sequence: 7 });
  });

  it("keeps what it has no place for", () => {
    const details = { isWrite: true, isDestructive: true };
    const made = toOcsf({ ...event(), details } as unknown as LoggedEvent);
    expect(made).toMatchObject({ status: "Failure", unmapped: { details } });
  });

  it.each([
    ["call.ended", "write_file", { isWrite: true, isDestructive: true }, "Update"],
    ["call.ended", "delete_file", { isWrite: true }, "Delete"],
    ["call.sent", "delete_file", {}, "Delete"],
    ["call.denied", "delete_mail", { isWrite: true }, "Delete"],
    ["call.denied", "send_mail", { isWrite: true }, "Update"],
    // Its name says nothing: what its server declares counts.
    ["call.ended", "housekeeping", { isWrite: true, isDestructive: true }, "Delete"],
    ["call.ended", "list", {}, "Read"],
  ] as const)("tells what %s of %s does", (action, tool, details, activity) => {
    const made = toOcsf({ ...event({ tool }), action, details } as unknown as LoggedEvent);
    expect(made["activity_name"]).toBe(activity);
  });
});

it.each([
  ["no token", "Low"],
  ["no token (40 more within a minute)", "Low"],
  ["wrong token", "High"],
])("a login refused for %s is %s", (reason, severity) => {
  const { risk: _, ...plain } = event({ outcome: "denied" });
  const made = { ...plain, action: "login.refused", details: { front: "http", reason } };
  expect(toOcsf(made as unknown as LoggedEvent)["severity"]).toBe(severity);
});

describe("who did it", () => {
  const by = { person: "root", channel: "cli" };
  it.each([
    ["approval.answered", { ...by, status: "approved" }, "root"],
    ["trust.given", { ...by, content: "0f".repeat(32) }, "root"],
    ["pii.shown", { ...by, classes: {} }, "root"],
    // Nobody answered: Ana, who asked, is not named for it.
    ["approval.answered", { status: "expired", channel: "expiry" }, undefined],
    ["approval.asked", { calls: [] }, "ana"],
  ] as const)("is told of %s %j: %s", async (action, details, actor) => {
    const made = { ...event({ principal: "ana", server: "crm" }), action, details } as unknown as LoggedEvent;
    const cef = parseCef((await loadFormat("cef")).line(made));
    expect([cef.get("suser"), cef.get("duser")]).toEqual([actor, actor === "ana" ? undefined : "ana"]);
    expect(toOcsf(made)["actor"]).toMatchObject({ user: { name: actor ?? "unknown" } });
    const { start, line } = await loadFormat("csv");
    const [names = [], row = []] = parseCsv((start?.() ?? "") + line(made));
    expect([row[names.indexOf("principal")], row[names.indexOf("person")]]).toEqual([
      "ana",
      "person" in details ? "root" : "",
    ]);
  });

  it("names what was trusted", () => {
    const details = { ...by, content: "0f".repeat(32) };
    const made = { ...event({ server: "crm" }), action: "trust.given", details } as unknown as LoggedEvent;
    expect(toOcsf(made)).toMatchObject({ entity: { name: "server crm", uid: details.content } });
  });
});

describe("formats", () => {
  it("take events whose details are not what they should be", async () => {
    const strange = [{}, { leave: "x", host: 7, classes: [1], events: "e", calls: {}, code: null }];
    for (const name of EXPORT_FORMATS) {
      const { line } = await loadFormat(name);
      for (const details of strange)
        for (const action of ["call.denied", "egress.connected", "pii.found", "anomaly.found", "run.ended"])
          expect(line({ ...event(), action, details } as unknown as LoggedEvent)).toMatch(/\n$/);
    }
  });

  it("are named where another one is asked for", () => {
    expect(toExportFormat("OCSF")).toBe("ocsf");
    expect(() => toExportFormat("xml")).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("jsonl, csv") }),
    );
  });
});

function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(pattern)) {
    row.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

function parseCef(line: string): Map<string, string> {
  const extension = /^(?:(?:\\.|[^\\|])*\|){7}(.*)\n$/.exec(line)?.[1] ?? "";
  const found = extension.matchAll(/(?:^| )([A-Za-z0-9]+)=((?:\\.|[^\\=])*?)(?=$| [A-Za-z0-9]+=)/g);
  return new Map(
    [...found].map(([, key = "", value = ""]) => [
      key,
      value.replace(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign)),
    ]),
  );
}
