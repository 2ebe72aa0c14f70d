import { describe, expect, it } from "vitest";
import { makeDay } from "../../../test/fixtures/audit/make-day.ts";
import { makeEvents } from "../../../test/fixtures/audit/make-events.ts";
import type { LoggedEvent } from "../reader.ts";
import { toDuration, toEventLines, toRunTimeline, toSessionTimeline } from "./timeline.ts";

const EVENTS = [...makeEvents(60)].map((event, index): LoggedEvent => ({ ...event, sequence: index + 1 }));
const asked = EVENTS.find(({ action }) => action === "approval.asked");
const run = EVENTS.filter((event) => event.run === asked?.run);
const textOf = (lines: readonly { text: string }[]) => lines.map(({ text }) => text).join("\n");

describe("the timeline of a run", () => {
  it("tells who let each call be, who was asked and for how long, the program, classes and tokens", () => {
    const text = textOf(toRunTimeline(run));
    for (const part of [
      `Run ${asked?.run}  done`,
      "return github.listIssues",
      "allowed by level write_restricted, nobody was asked",
      "asked a person about 1 call",
      "answered after 4.0 s, for once",
      "through cli, asked for by level write_restricted",
      "the model saw 310, 5200 were kept from it, directly 31000",
    ])
      expect(text).toContain(part);
  });

  it("has the head of its last end where it waited and went on, and says who denied", () => {
    const waited = makeDay(1)
      .filter((event) => event.run === "r_waited")
      .map((event, index): LoggedEvent => ({ ...event, sequence: index + 1 }));
    const text = textOf(toRunTimeline(waited));
    expect(text).toContain("Run r_waited  failed after 900 ms");
    expect(text).toContain("2 times, after it had waited");
    expect(text).toContain("the model saw 150,");
    expect(text).toContain("nobody yet: a person is asked, as level moderate wants");
    expect(text).toContain("mail.delete_mail denied by root through cli (level moderate)");
    expect(text).toContain("denied by root through cli, asked for by level moderate");
    expect(text).toContain("did not reach nowhere.example:443 (unreachable)");
  });

  it("says of a run that was cancelled that it was, and not that it failed", () => {
    const cancelled = run.map((event) =>
      event.action === "run.ended"
        ? ({ ...event, outcome: "cancelled", details: { ...event.details, status: "failed" } } as LoggedEvent)
        : event,
    );
    const text = textOf(toRunTimeline(cancelled));
    expect(text).toContain(`Run ${asked?.run}  cancelled after`);
    expect(text).toContain("run cancelled after");
    expect(text).not.toContain("run failed");
  });

  it("says of what is sealed that it is, and nothing that nobody could read", () => {
    const sealed = run.map((event) => ({ ...event, details: { sealed: true } }) as unknown as LoggedEvent);
    const text = textOf(toRunTimeline(sealed));
    expect(text).toContain("ended: ok (sealed)");
    expect(text).toContain("run.ended (sealed)");
    expect(text).not.toMatch(/\b0 (calls|runs|bytes)/);
  });

  it("says what is missing: an end, an answer", () => {
    const [ended] = run.filter(({ action }) => action === "call.ended");
    const sent = { ...ended, action: "call.sent", call: "c_other", outcome: "ok" } as LoggedEvent;
    const text = textOf(toRunTimeline([...run.filter(({ action }) => action !== "run.ended"), sent]));
    expect(text).toContain("has no end in the log");
    expect(text).toContain("sent, and no answer is in the log");
    const answered = { ...sent, call: ended?.call } as LoggedEvent;
    expect(textOf(toRunTimeline([...run, answered]))).not.toContain("no answer");
  });

  it("shows a connection once, and one that was opened and has no end as that", () => {
    const [first] = run;
    const of = (action: string, details: object) =>
      ({ ...first, action, outcome: "ok", details }) as LoggedEvent;
    const opened = of("egress.opened", { connection: "n_1", host: "a.test", port: 443 });
    const ended = of("egress.connected", { connection: "n_1", host: "a.test", port: 443, sentBytes: 1 });
    const other = of("egress.opened", { connection: "n_2", host: "b.test", port: 443 });
    for (const shown of [toRunTimeline, toSessionTimeline]) {
      const text = textOf(shown([opened, ended, other]));
      expect(text).not.toContain("opens a connection to a.test");
      expect(text).toContain("connected to a.test:443");
      expect(text).toContain("opens a connection to b.test:443, and no end of it is in the log");
    }
    const sealed = { ...opened, details: { sealed: true } } as unknown as LoggedEvent;
    expect(textOf(toRunTimeline([sealed]))).not.toContain("no end of it");
  });

  it("says of a run that was cancelled that it was, by whom and by which way", () => {
    const ended = run.find(({ action }) => action === "run.ended");
    const cancelled = { channel: "cli", person: "root" };
    const details = { ...ended?.details, status: "failed", kind: "cancelled", cancelled };
    const text = textOf(toRunTimeline([{ ...ended, outcome: "cancelled", details } as LoggedEvent]));
    expect(text).toContain(`Run ${ended?.run}  cancelled`);
    expect(text).toContain("run cancelled by root through cli after");
    expect(text).not.toContain("failed");
  });

  it("takes events whose details are not what they should be", () => {
    const strange = run.map((event) => ({ ...event, details: { leave: 1, calls: [null, 3], code: "x" } }));
    const events = strange as unknown as LoggedEvent[];
    expect(toRunTimeline(events).length).toBeGreaterThan(5);
    expect(toSessionTimeline(events).length).toBeGreaterThan(5);
    expect(events.flatMap(toEventLines).length).toBeGreaterThan(5);
    expect(toRunTimeline([])).toEqual([]);
  });
});

it.each([
  [8, "8 ms"],
  [4_000, "4.0 s"],
  [125_000, "2 min 5 s"],
  [7_380_000, "2 h 3 min"],
])("%i milliseconds are %s", (ms, text) => {
  expect(toDuration(ms)).toBe(text);
});
