import { describe, expect, it } from "vitest";
import { createStream, DAY, HOUR, MINUTE } from "../../../../test/fixtures/audit/stream.ts";

const mail = { server: "mail", tool: "send_email", isWrite: true };
const contact = { server: "crm", tool: "get_contact", outputBytes: 1_200 };

describe("exfiltration-loop", () => {
  it("finds records that are read and sent on to the same recipient, on the third", () => {
    const stream = createStream();
    for (let round = 0; round < 3; round++) {
      stream.call(contact);
      stream.call({ ...mail, recipient: "drop", inputBytes: 1_100 });
    }
    expect(stream.found).toMatchObject([
      { rule: "exfiltration-loop", severity: "warning", isEarly: true, session: "s_1", tool: "send_email" },
    ]);
    expect(stream.found[0]?.text).toContain("3 times, what was read was sent on to the same recipient");
    expect(stream.found[0]?.events).toHaveLength(6);
  });

  it("takes a few files for a colleague, or for one's own host, for less than a loop", () => {
    const stream = createStream();
    const report = { tool: "read_file", outputBytes: 8_000 };
    const put = () =>
      stream.tell({
        action: "egress.connected",
        outcome: "ok",
        details: { host: "backup.example.com", port: 443, sentBytes: 8_100, receivedBytes: 90 },
      });
    for (let file = 0; file < 4; file++) {
      stream.call(report);
      stream.call({ ...mail, recipient: "boss", inputBytes: 8_000 });
    }
    stream.as({ session: "s_2" });
    for (let file = 0; file < 5; file++) {
      stream.call(report);
      put();
    }
    expect(stream.severities()).toEqual(["warning", "warning"]);
    stream.call(report);
    put();
    expect(stream.severities()).toEqual(["warning", "warning", "critical"]);
  });

  it("finds all of what was read in one sending, and leaves a summary alone", () => {
    const stream = createStream();
    const post = (sentBytes: number) =>
      stream.tell({
        action: "egress.connected",
        outcome: "ok",
        details: { host: "drop.example.net", port: 443, sentBytes, receivedBytes: 90 },
      });
    for (let index = 0; index < 200; index++) stream.call({ ...contact, outputBytes: 3_200 });
    post(120_000);
    expect(stream.found).toEqual([]);
    post(640_000);
    expect(stream.found).toMatchObject([{ rule: "exfiltration-loop", severity: "warning" }]);
    expect(stream.found[0]?.text).toContain(
      'What 200 calls had read was sent on to "drop.example.net" at once',
    );
  });

  it("finds what goes to one host value by value, and leaves what is asked of it alone", () => {
    const stream = createStream();
    const fetch = (host: string, receivedBytes: number) =>
      stream.tell({
        action: "egress.connected",
        outcome: "ok",
        details: { host, port: 443, sentBytes: 230, receivedBytes },
      });
    for (let index = 0; index < 50; index++) stream.call({ ...contact, outputBytes: 3_200 });
    for (let index = 0; index < 30; index++) fetch("geo.example.com", 900);
    expect(stream.found).toEqual([]);
    for (let index = 0; index < 30; index++) fetch("drop.example.net", 90);
    expect(stream.found).toMatchObject([{ rule: "exfiltration-loop", severity: "warning" }]);
    for (let index = 0; index < 10; index++) fetch("drop.example.net", 90);
    expect(stream.severities()).toEqual(["warning", "critical"]);
  });

  it("finds it by what programs send to a host", () => {
    const stream = createStream();
    for (let round = 0; round < 3; round++) {
      stream.call(contact);
      stream.tell({
        action: "egress.connected",
        outcome: "ok",
        details: { host: "drop.example.net", port: 443, sentBytes: 1_500, receivedBytes: 90 },
      });
    }
    expect(stream.rules()).toEqual(["exfiltration-loop"]);
  });

  it("finds it on the second where many personal values go out", () => {
    const stream = createStream();
    for (let round = 0; round < 2; round++) {
      stream.call(contact);
      stream.tell({ action: "pii.revealed", outcome: "ok", details: { classes: { EMAIL: 8 } } });
      stream.call({ ...mail, recipient: "drop", inputBytes: 1_100 });
    }
    expect(stream.severities()).toEqual(["critical"]);
  });

  it("finds it however slowly it goes, and amid other calls", () => {
    const stream = createStream();
    for (let round = 0; round < 3; round++) {
      stream.call(contact);
      stream.wait(40 * MINUTE);
      stream.call({ tool: "list_files", outputBytes: 9_000 });
      stream.call({ tool: "read_file", outputBytes: 20_000 });
      stream.call({ ...mail, recipient: "drop", inputBytes: 1_100 });
      stream.wait(40 * MINUTE);
    }
    expect(stream.rules()).toEqual(["exfiltration-loop"]);
  });

  it("leaves bills alone that go each to whom it concerns", () => {
    const stream = createStream();
    for (let bill = 0; bill < 40; bill++) {
      stream.call({ server: "billing", tool: "get_invoice", outputBytes: 1_000 });
      stream.call({ ...mail, recipient: `client${bill}`, inputBytes: 1_000 });
    }
    expect(stream.found).toEqual([]);
  });

  it("leaves summaries alone, what is written to files, and what a person approved", () => {
    const stream = createStream();
    for (let round = 0; round < 10; round++) {
      stream.call({ ...contact, outputBytes: 20_000 });
      stream.call({
        server: "chat",
        tool: "post_message",
        isWrite: true,
        recipient: "team",
        inputBytes: 400,
      });
      stream.call({ tool: "write_file", isWrite: true, inputBytes: 19_000 });
      stream.call({ ...mail, recipient: "boss", inputBytes: 19_000, isApproved: true });
    }
    expect(stream.found).toEqual([]);
  });

  it("tells of what is done every day twice, and again when it is far more", () => {
    const stream = createStream();
    const forward = (times: number) => {
      for (let round = 0; round < times; round++) {
        stream.call(contact);
        stream.call({ ...mail, recipient: "archive", inputBytes: 1_200 });
      }
    };
    for (let day = 0; day < 4; day++) {
      stream.goTo(day, 3);
      stream.as({ session: `s_${day}` });
      forward(10);
    }
    expect(stream.severities()).toEqual(["warning", "critical", "warning", "critical"]);
    stream.goTo(4, 3);
    stream.as({ session: "s_4" });
    forward(30);
    expect(stream.rules()).toHaveLength(5);
    expect(stream.found[4]?.text).toContain("on earlier days at most 10");
  });
});

describe("mass-delete", () => {
  const remove = { server: "crm", tool: "delete_contact", isWrite: true };

  it("finds five different things that are deleted in a row; ten are critical", () => {
    const stream = createStream();
    for (let index = 0; index < 9; index++) stream.call(remove);
    expect(stream.found).toMatchObject([{ rule: "mass-delete", severity: "warning", isEarly: true }]);
    stream.call(remove);
    expect(stream.found).toMatchObject([{}, { rule: "mass-delete", severity: "critical" }]);
    expect(stream.found[0]?.text).toContain(
      '5 destructive calls in a row, the last of them "crm.delete_contact"',
    );
  });

  it("finds them whatever is read before each", () => {
    const stream = createStream();
    for (let index = 0; index < 100; index++) {
      for (let read = 0; read < 4; read++) stream.call();
      stream.call(remove);
      stream.wait(500);
      if (index === 8) expect(stream.found).toEqual([]);
      if (index === 9) expect(stream.severities()).toEqual(["warning"]);
    }
    expect(stream.severities()).toEqual(["warning", "critical"]);
    expect(stream.found[1]?.text).toContain("20 different things were deleted amid other calls within");
  });

  it("finds them over several sessions, whatever is read before each", () => {
    const stream = createStream();
    for (let session = 0; session < 5; session++) {
      stream.as({ session: `s_${session}`, run: `r_${session}` });
      for (let index = 0; index < 2; index++) {
        for (let read = 0; read < 4; read++) stream.call();
        stream.call(remove);
      }
    }
    expect(stream.found).toMatchObject([{ rule: "mass-delete", session: "s_4" }]);
  });

  it("finds them amid other calls, by whichever tools", () => {
    const stream = createStream();
    for (let index = 0; index < 5; index++) {
      stream.call();
      stream.call({ ...remove, tool: index % 2 === 0 ? "delete_contact" : "purge_list" });
      stream.wait(10 * MINUTE);
    }
    expect(stream.rules()).toEqual(["mass-delete"]);
  });

  it("counts what was sent to a server, not what was refused, waits or was never made", () => {
    const stream = createStream();
    for (let index = 0; index < 7; index++) {
      stream.deny(remove);
      stream.call({ ...remove, isSent: false, isFailed: true });
    }
    expect(stream.found).toEqual([]);
    for (let index = 0; index < 5; index++) stream.call(remove);
    expect(stream.found).toMatchObject([{ rule: "mass-delete", severity: "warning" }]);
    expect(stream.found[0]?.text).toContain("5 destructive calls in a row");
  });

  it("leaves a few alone, the same thing deleted again, what a person approved, and tools that run anything", () => {
    const stream = createStream();
    for (let index = 0; index < 4; index++) stream.call(remove);
    for (let index = 0; index < 12; index++) stream.call();
    for (let index = 0; index < 20; index++) stream.call({ ...remove, input: "same" });
    for (let index = 0; index < 12; index++) stream.call();
    for (let index = 0; index < 20; index++) stream.call({ ...remove, isApproved: true });
    for (let index = 0; index < 20; index++)
      stream.call({ server: "desktop", tool: "start_process", isWrite: true });
    expect(stream.rules().filter((rule) => rule === "mass-delete")).toEqual([]);
  });

  it("leaves someone alone who cancels now and then, all day long", () => {
    const stream = createStream();
    for (let customer = 0; customer < 30; customer++) {
      for (let read = 0; read < 3; read++) stream.call({ server: "shop", tool: "get_order" });
      stream.call({ server: "shop", tool: "cancel_order", isWrite: true });
      stream.wait(15 * MINUTE);
    }
    expect(stream.found).toEqual([]);
  });

  it("knows the nightly cleaning after two nights", () => {
    const stream = createStream();
    stream.as({ principal: "cron" });
    for (let night = 0; night < 5; night++) {
      stream.goTo(night, 3);
      stream.as({ session: `cli-${night}`, run: `r_${night}` });
      for (let index = 0; index < 20 + night; index++) stream.call(remove);
    }
    expect(stream.severities()).toEqual(["warning", "critical", "warning", "critical"]);
  });
});

describe("credential-probing", () => {
  it("finds places of credentials that are asked for one after the other, and refused", () => {
    const stream = createStream();
    for (let index = 0; index < 4; index++)
      stream.deny({ tool: "read_file", isWrite: false, isSecret: true });
    expect(stream.found).toMatchObject([{ rule: "credential-probing", severity: "critical" }]);
    expect(stream.found[0]?.text).toContain("4 different places of credentials");
  });

  it("knows tools by their names, and finds it also where some of it works", () => {
    const stream = createStream();
    for (const tool of [
      "get_secret",
      "readCredentials",
      "list_api_keys",
      "get-password",
      "export_private_key",
    ])
      stream.call({ server: "vault", tool, isFailed: tool !== "get_secret" });
    expect(stream.rules()).toEqual(["credential-probing"]);
  });

  it("leaves someone alone who reads the project's own settings", () => {
    const stream = createStream();
    for (let hour = 0; hour < 8; hour++) {
      for (const input of [".env", ".npmrc"]) stream.call({ input, isSecret: true, isFailed: hour === 3 });
      for (let index = 0; index < 20; index++) stream.call();
      stream.wait(HOUR);
    }
    expect(stream.found).toEqual([]);
  });

  it("finds log-ins that are refused in a row, and leaves a mistyped one alone", () => {
    const stream = createStream();
    const refused = (from: string) =>
      stream.tell({
        action: "login.refused",
        outcome: "denied",
        details: { front: "http", reason: "no", from },
      });
    for (let index = 0; index < 3; index++) refused("10.0.0.7");
    expect(stream.found).toEqual([]);
    for (let index = 0; index < 6; index++) refused("10.0.0.9");
    expect(stream.rules()).toEqual(["credential-probing"]);
    expect(stream.found[0]?.text).toContain("6 log-ins refused from 10.0.0.9");
  });
});

describe("runaway-polling", () => {
  const status = { server: "ci", tool: "get_status", input: "build", output: "running" };

  it("finds the same call with the same answer, eight times in one program", () => {
    const stream = createStream();
    for (let index = 0; index < 8; index++) {
      stream.call(status);
      stream.wait(3_000);
    }
    expect(stream.found).toMatchObject([{ rule: "runaway-polling", severity: "info", isEarly: true }]);
    for (let index = 0; index < 16; index++) {
      stream.call(status);
      stream.wait(3_000);
    }
    stream.as({ session: "s_2" });
    for (let index = 0; index < 8; index++) stream.call(status);
    expect(stream.severities()).toEqual(["info", "warning", "warning"]);
    expect(stream.found[0]?.text).toContain("8 times with the same input and the same answer");
  });

  it("finds the same thing written again and again", () => {
    const stream = createStream();
    for (let index = 0; index < 5; index++)
      stream.call({ server: "chat", tool: "post_message", isWrite: true, input: "hello", output: "" });
    expect(stream.rules()).toEqual(["runaway-polling"]);
  });

  it("leaves alone what changes, what waits longer each time, and what a clock starts", () => {
    const stream = createStream();
    for (let index = 0; index < 30; index++) stream.call({ ...status, output: `${Math.floor(index / 5)}` });
    let pauseMs = 1_000;
    for (let index = 0; index < 14; index++) {
      stream.call({ ...status, input: "slow" });
      stream.wait(pauseMs);
      pauseMs *= 1.5;
    }
    for (let index = 0; index < 200; index++) {
      stream.as({ run: `r_clock_${index}` });
      stream.call({ ...status, tool: "get_health" });
      stream.wait(5 * MINUTE);
    }
    expect(stream.found).toEqual([]);
  });
});

describe("path-probing", () => {
  it("finds names that are guessed: a tool that works fails for ten inputs in a row", () => {
    const stream = createStream();
    stream.call();
    for (let index = 0; index < 10; index++) stream.call({ isFailed: true });
    expect(stream.rules()).toEqual(["path-probing"]);
  });

  it("leaves a search for a file alone, a server that is away, and a tool that is broken", () => {
    const stream = createStream();
    for (let index = 0; index < 50; index++) stream.call({ isFailed: index % 6 !== 0 });
    for (let index = 0; index < 30; index++) stream.call({ isFailed: true, code: "server_unavailable" });
    for (let index = 0; index < 30; index++) stream.call({ tool: "find_thing", isFailed: true });
    expect(stream.found).toEqual([]);
  });
});

describe("sandbox-probing and denial-burst", () => {
  const refuse = (stream: ReturnType<typeof createStream>, host: string) =>
    stream.tell({
      action: "egress.refused",
      outcome: "denied",
      details: { host, port: 80, reason: "inner" },
    });

  it("finds what tries the sandbox from several sides", () => {
    const stream = createStream();
    stream.endRun({ violations: ["no-eval"] });
    stream.tell({ action: "limit.hit", outcome: "failed", details: { limit: "processes", message: "" } });
    refuse(stream, "169.254.169.254");
    expect(stream.found).toEqual([]);
    refuse(stream, "metadata.google.internal");
    expect(stream.found).toMatchObject([{ rule: "sandbox-probing", severity: "critical" }]);
    expect(stream.found[0]?.text).toContain("2 inner addresses refused");
  });

  it("leaves a program alone that is merely wrong, again and again", () => {
    const stream = createStream();
    for (let index = 0; index < 20; index++) {
      stream.tell({ action: "limit.hit", outcome: "failed", details: { limit: "time", message: "" } });
      refuse(stream, "registry.npmjs.org");
      stream.endRun({ violations: ["no-eval"] });
    }
    expect(stream.found).toEqual([]);
  });

  it("finds many different calls that are denied, and leaves one alone that is tried again", () => {
    const stream = createStream();
    for (let index = 0; index < 30; index++) stream.deny({ input: "same" });
    expect(stream.found).toEqual([]);
    for (let index = 0; index < 7; index++) stream.deny({ tool: `set_${index}` });
    expect(stream.rules()).toEqual(["denial-burst"]);
  });
});

it("tells of one cause once: no second time while it goes on unless it is graver, no lesser name for it", () => {
  const stream = createStream();
  const remove = { server: "crm", tool: "delete_contact", isWrite: true };
  for (let index = 0; index < 60; index++) {
    stream.call(remove);
    stream.wait(MINUTE);
  }
  expect(stream.rules()).toEqual(["mass-delete", "mass-delete"]);
  stream.wait(DAY);
  stream.as({ session: "s_2" });
  for (let index = 0; index < 200; index++) stream.call(remove);
  expect(stream.severities()).toEqual(["warning", "critical", "warning", "critical"]);
});

describe("what is done a little in each session", () => {
  const remove = { server: "crm", tool: "delete_contact", isWrite: true };

  it("counts on where the same principal comes back with the same client", () => {
    const stream = createStream();
    for (let index = 0; index < 4; index++) stream.call(remove);
    stream.as({ session: "s_2", run: "r_2" });
    stream.wait(5 * MINUTE);
    stream.call(remove);
    expect(stream.found).toMatchObject([{ rule: "mass-delete", session: "s_2" }]);
    expect(stream.found[0]?.events).toHaveLength(5);
    expect(stream.found[0]?.text).toContain("5 destructive calls in a row over several sessions");
  });

  it("leaves others alone, what was long ago, what is amid other calls, and habits", () => {
    const stream = createStream();
    const round = (session: string, client: string, count = 3) => {
      stream.as({ session, client, run: `r_${session}` });
      for (let index = 0; index < count; index++) stream.call(remove);
    };
    round("s_1", "editor");
    round("s_2", "other");
    stream.wait(2 * HOUR);
    round("s_3", "editor");
    for (let index = 0; index < 9; index++) stream.call();
    round("s_4", "editor");
    expect(stream.found).toEqual([]);
  });

  it("counts recipients, places of credentials and signs of probing on", () => {
    const stream = createStream();
    for (let number = 0; number < 3; number++) {
      stream.as({ session: `a_${number}`, run: `a_${number}` });
      stream.call(contact);
      stream.call({ ...mail, recipient: "drop", inputBytes: 1_100 });
    }
    for (let number = 0; number < 4; number++) {
      stream.as({ session: `b_${number}`, run: `b_${number}`, client: "second" });
      stream.call({ input: `key${number}`, isSecret: true, isFailed: true });
    }
    for (let number = 0; number < 3; number++) {
      stream.as({ session: `c_${number}`, run: `c_${number}`, client: "third" });
      stream.endRun({ violations: [`rule ${number}`] });
    }
    expect(stream.found).toMatchObject([
      { rule: "exfiltration-loop", session: "a_2" },
      { rule: "credential-probing", session: "b_3" },
      { rule: "sandbox-probing", session: "c_2" },
    ]);
  });
});
