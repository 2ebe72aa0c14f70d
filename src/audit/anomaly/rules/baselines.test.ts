import { describe, expect, it } from "vitest";
import { createStream, HOUR, MINUTE } from "../../../../test/fixtures/audit/stream.ts";

type Stream = ReturnType<typeof createStream>;

/** Ordinary days: a few runs an hour from nine to five, each with some calls. */
function work(stream: Stream, days: number, { from = 0, hours = [9, 17], calls = 4 } = {}): void {
  for (let day = from; day < from + days; day++)
    for (let hour = hours[0] ?? 9; hour < (hours[1] ?? 17); hour++)
      for (const minutes of [0, 20, 40]) {
        stream.goTo(day, hour);
        stream.wait(minutes * MINUTE);
        stream.as({ session: `s_${day}_${hour}`, run: `r_${day}_${hour}_${minutes}` });
        stream.startRun();
        for (let call = 0; call < calls + ((day + hour) % 3); call++) stream.call({ outputBytes: 2_000 });
        stream.endRun({ tokens: 500 });
      }
}

describe("spikes", () => {
  it("finds far more calls than usual, with the numbers", () => {
    const stream = createStream();
    work(stream, 6);
    expect(stream.found).toEqual([]);
    stream.goTo(6, 10);
    stream.as({ session: "s_loop" });
    for (let index = 0; index < 400; index++) stream.call();
    expect(stream.rules()).toEqual(["rate-spike"]);
    expect(stream.found[0]?.text).toMatch(
      /^\d+ calls within ten minutes; usual 4–6|^\d+ calls within ten minutes; usual \d/,
    );
  });

  it("says nothing in the first days, whatever comes", () => {
    const stream = createStream();
    work(stream, 2);
    stream.goTo(2, 10);
    for (let index = 0; index < 2_000; index++) stream.call({ outputBytes: 9_000 });
    expect(stream.found).toEqual([]);
  });

  it("leaves a job alone that reads 200 files once a day", () => {
    const stream = createStream();
    for (let day = 0; day < 20; day++) {
      stream.goTo(day, 2);
      stream.as({ principal: "cron", session: `cli-${day}`, run: `r_${day}` });
      stream.startRun();
      for (let file = 0; file < 190 + (day % 5) * 5; file++) stream.call({ outputBytes: 20_000 });
      stream.endRun();
    }
    expect(stream.found).toEqual([]);
  });

  it("leaves month-end alone: three times the usual", () => {
    const stream = createStream();
    work(stream, 20, { calls: 20 });
    work(stream, 1, { from: 20, calls: 60 });
    expect(stream.found).toEqual([]);
  });

  it("finds an hour that reads far more, sends far more, or touches far more personal values", () => {
    for (const [rule, act] of [
      ["volume-in", (stream: Stream) => stream.call({ outputBytes: 400_000 })],
      [
        "volume-out",
        (stream: Stream) => stream.call({ tool: "write_file", isWrite: true, inputBytes: 150_000 }),
      ],
      [
        "personal-data",
        (stream: Stream) =>
          stream.tell({
            action: "pii.found",
            outcome: "ok",
            details: { classes: { EMAIL: 90 }, where: "result" },
          }),
      ],
      ["spending", (stream: Stream) => stream.endRun({ tokens: 60_000 })],
    ] as const) {
      const stream = createStream();
      for (let day = 0; day < 6; day++)
        for (let hour = 9; hour < 17; hour++) {
          stream.goTo(day, hour);
          stream.as({ session: `s_${day}` });
          stream.call({ outputBytes: 30_000 + hour * 100 });
          stream.call({ tool: "write_file", isWrite: true, inputBytes: 2_000 });
          stream.tell({
            action: "pii.found",
            outcome: "ok",
            details: { classes: { EMAIL: 3 }, where: "result" },
          });
          stream.endRun({ tokens: 2_000 });
        }
      expect(stream.found).toEqual([]);
      stream.goTo(6, 10);
      for (let index = 0; index < 10; index++) act(stream);
      expect(stream.rules(), rule).toEqual([rule]);
      expect(stream.found[0]?.text).toContain("usual");
    }
  });

  it("finds one result that is many times larger than any of its tool", () => {
    const stream = createStream();
    work(stream, 6);
    stream.goTo(6, 10);
    stream.call({ outputBytes: 1_800_000 });
    expect(stream.rules()).toEqual(["output-size"]);
    expect(stream.found[0]?.text).toBe('"files.read_file" answered 1.8 MB; usual 2.0 KB');
  });
});

describe("unusual-hour", () => {
  const send = { server: "mail", tool: "send_email", isWrite: true };

  it("finds something grave at a time at which somebody is never about", () => {
    const stream = createStream();
    work(stream, 12);
    stream.goTo(12, 3);
    stream.call(send);
    expect(stream.rules()).toEqual(["unusual-hour"]);
    expect(stream.found[0]?.text).toContain("at 03:00 UTC");
  });

  it("leaves alone who works in another time zone, who is a little late, and who only looks", () => {
    const stream = createStream();
    work(stream, 12, { hours: [0, 8] });
    stream.goTo(12, 3);
    stream.call(send);
    stream.goTo(12, 9);
    stream.call(send);
    stream.goTo(12, 15);
    stream.call();
    expect(stream.found).toEqual([]);
  });
});

describe("first seen", () => {
  const isOn = (rule: string) => (rule.startsWith("first-") ? true : undefined);

  it("notes a tool, a host and a form of arguments that somebody who is known has never used, where it is switched on", () => {
    const stream = createStream({ isOn });
    const connect = (host: string) =>
      stream.tell({
        action: "egress.connected",
        outcome: "ok",
        details: { host, port: 443, sentBytes: 10, receivedBytes: 10 },
      });
    for (let day = 0; day < 7; day++)
      for (let index = 0; index < 40; index++) {
        stream.goTo(day, 10);
        stream.wait(index * MINUTE);
        stream.as({ session: `s_${day}` });
        stream.call();
        connect("api.example.com");
      }
    expect(stream.found).toEqual([]);
    stream.as({ session: "s_a" });
    stream.call({ shape: "other" });
    stream.as({ session: "s_b" });
    stream.call({ tool: "find_secrets_of_others" });
    stream.as({ session: "s_c" });
    connect("new.example.net");
    expect(stream.found.map(({ rule, severity }) => [rule, severity])).toEqual([
      ["first-shape", "info"],
      ["first-tool", "info"],
      ["first-host", "info"],
    ]);
  });

  it("says nothing of it unless it is switched on, nor of somebody who is new", () => {
    const quiet = createStream();
    work(quiet, 8);
    quiet.goTo(8, 10);
    quiet.call({ tool: "list_things" });
    const fresh = createStream({ isOn });
    for (let index = 0; index < 60; index++) fresh.call({ tool: `get_${index}` });
    expect([...quiet.found, ...fresh.found]).toEqual([]);
  });
});

describe("newcomer", () => {
  it("finds a client that was never seen and begins with what is risky", () => {
    const stream = createStream();
    work(stream, 8);
    stream.goTo(8, 10);
    stream.as({ client: "strange", session: "s_x" });
    for (let index = 0; index < 2; index++) {
      stream.startRun();
      stream.endRun({ risk: "high" });
    }
    expect(stream.rules()).toEqual(["newcomer"]);
    expect(stream.found[0]?.text).toContain('The client "strange" was never seen before today');
  });

  it("leaves a colleague alone who begins with plain work, and everybody in the first days", () => {
    const stream = createStream();
    for (let index = 0; index < 5; index++) stream.endRun({ risk: "high" });
    work(stream, 8);
    stream.goTo(8, 10);
    stream.as({ principal: "new", session: "s_x" });
    for (let index = 0; index < 40; index++) stream.endRun();
    stream.endRun({ risk: "high" });
    expect(stream.found).toEqual([]);
  });
});

it("takes hostile names and floods of sessions as they come, with bounded memory", () => {
  const stream = createStream();
  const long = "x".repeat(100_000);
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 30_000; index++) {
    stream.as({
      session: `s_${index}_${index % 100 === 0 ? long : ""}`,
      principal: `p_${index}`,
      client: `c${index}`,
    });
    stream.call({ server: "__proto__", tool: index % 3 === 0 ? "constructor" : `t${index}` });
    stream.wait(HOUR);
  }
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(300_000_000);
  expect(stream.found).toEqual([]);
});
