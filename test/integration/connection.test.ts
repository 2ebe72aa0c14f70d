import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type KeyholeError, ToolError } from "../../src/errors.ts";
import type { Connection } from "../../src/mcp/connection.ts";
import { UnparsedJson } from "../../src/text/unparsed-json.ts";
import { fixture, project, reopen, tempDir } from "../fixtures/project.ts";

const SILENT = { connectTimeoutMs: 1_000, timeoutMs: 400 };

async function connect(
  name: string,
  settings: Record<string, unknown> = {},
  ...args: string[]
): Promise<Connection> {
  const { catalog } = await project({}, { servers: { [name]: { ...fixture(name, ...args), ...settings } } });
  return catalog.connection(name);
}

const call = (connection: Connection, name: string, args = {}) => connection.callTool({ name }, args);

describe("results", () => {
  it.each([
    ["structured", { a: 1 }],
    ["json_text", { a: [1, 2] }],
    ["json_items", [{ a: 1 }, { a: 2 }]],
    ["plain", "hello"],
    ["number_text", "12345"],
    ["two_texts", "one\ntwo"],
    [
      "image",
      [
        { type: "text", text: "see" },
        { type: "image", data: "aGk=", mimeType: "image/png" },
      ],
    ],
    ["link", [{ type: "resource_link", uri: "file:///a.txt", name: "a" }]],
    ["nothing", null],
    ["no_content", null],
  ])("unwraps %s", async (name, value) => {
    const connection = await connect("results");
    expect((await call(connection, name)).value).toEqual(value);
  });

  it("turns isError into a ToolError that names server and tool", async () => {
    const connection = await connect("results");
    const error = await call(connection, "failure").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({ server: "results", tool: "failure", message: "it did not work" });
  });

  it("passes 50 MB in one result", async () => {
    const connection = await connect("huge", { maxMessageBytes: "64MB" });
    const { value } = await call(connection, "huge", { megabytes: 50 });
    expect(value).toBeInstanceOf(UnparsedJson);
    expect(value instanceof UnparsedJson && String(value.parse()).length).toBe(50 * 1024 * 1024);
  });

  it("accepts nulls where the protocol wants an object or nothing", async () => {
    const connection = await connect("odd-tools");
    expect((await call(connection, "__proto__")).value).toBe("called __proto__");
  });
});

describe("a server that misbehaves", () => {
  it("fails a call whose answer is over the limit, names the setting, and goes on", async () => {
    const connection = await connect("huge", { maxMessageBytes: "1MB" });
    await expect(call(connection, "huge", { megabytes: 2 })).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining('answered "huge"'),
      hint: expect.stringContaining("maxMessageBytes"),
    });
    const { value } = await call(connection, "huge", { megabytes: 0.5 });
    expect(value instanceof UnparsedJson && value.parse()).toHaveLength(512 * 1024);
  });

  it("may log to stdout a little", async () => {
    const connection = await connect("chatty");
    expect((await call(connection, "hello")).value).toBe("hello");
  });

  it("is ended when it floods stdout, with a hint that says where logs go", async () => {
    const connection = await connect("floods");
    await expect(connection.connect()).rejects.toMatchObject({
      code: "server_misbehaved",
      hint: expect.stringContaining("stderr"),
    });
  });

  it("times out when it answers under a wrong id, and the error says that it did", async () => {
    const connection = await connect("wrong-id", SILENT);
    await expect(call(connection, "confused")).rejects.toMatchObject({
      code: "timeout",
      hint: expect.stringContaining("timeoutMs"),
      details: [expect.stringContaining("unknown message ID")],
    });
  });

  it("fails the call with its exit code and last words when it closes mid-call, and is back for the next", async () => {
    const connection = await connect("closes-mid-call");
    await expect(call(connection, "crash")).rejects.toMatchObject({
      code: "server_closed",
      message: expect.stringContaining("exit code 7"),
      details: ["stderr: panic: out of cheese"],
    });
    expect((await call(connection, "fine")).value).toBe("fine");
  });

  it("shows what it wrote to stderr when it dies at once, without its colours", async () => {
    const connection = await connect("dies-at-once");
    await expect(connection.connect()).rejects.toMatchObject({
      code: "server_closed",
      message: expect.stringContaining("exit code 3"),
      details: ["stderr: Error: API_TOKEN is not set", "stderr: see the manual"],
    });
  });

  it("fails with a time-out when it never answers", async () => {
    const connection = await connect("hang", SILENT);
    await expect(connection.connect()).rejects.toMatchObject({
      code: "timeout",
      hint: expect.stringContaining("connectTimeoutMs"),
    });
  });
});

describe("a careless server", () => {
  it.each(["null-error", "extra-key", "string-id", "no-version", "batch", "byte-order-mark"])(
    "is understood all the same (%s)",
    async (form) => {
      const connection = await connect("careless", { connectTimeoutMs: 5_000 }, form);
      expect((await connection.listTools()).tools).toHaveLength(1);
      expect((await call(connection, "hello")).value).toBe("hello");
    },
  );

  it("keeps its own words when it refuses a call", async () => {
    const connection = await connect("refuses");
    const error = await call(connection, "limited").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({ message: expect.stringContaining("rate limited, come back later") });
  });

  it("is ended when it asks without end and reads nothing", async () => {
    const connection = await connect("ping-flood");
    await expect(connection.connect()).rejects.toMatchObject({ code: "server_misbehaved" });
  });

  it("does not get our memory for a list of tools without an end", async () => {
    const connection = await connect("heavy-list");
    const { tools, warnings } = await connection.listTools();
    expect(tools.length).toBeLessThan(1_000);
    expect(warnings).toEqual([expect.stringContaining("too large")]);
  });

  it("does not give its secrets away through our errors", async () => {
    process.env["KEYHOLE_TEST_SECRET"] = "hunter2";
    const settings = { env: { TOKEN: "literal-token" } };
    const connection = await connect("tells-secrets", settings, "--key=${KEYHOLE_TEST_SECRET}");
    await expect(connection.connect()).rejects.toMatchObject({
      details: ["stderr: token [env TOKEN]", "stderr: args --key=${KEYHOLE_TEST_SECRET}"],
    });
  });
});

describe("the last words of a server", () => {
  it("have no part of a secret in them, wherever it would be cut", async () => {
    const secret = "s3cret-0123456789-abcdefghij";
    const key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----";
    const connection = await connect("long-words", { env: { TOKEN: secret, KEY: key } });
    const error = await connection.connect().then(
      () => expect.unreachable(),
      (reason: KeyholeError) => reason,
    );
    const words = error.details.join("\n");
    expect(words).toContain("[env TOKEN]");
    for (let at = 0; at + 4 <= secret.length; at++) expect(words).not.toContain(secret.slice(at, at + 4));
    expect(words).not.toMatch(/MIIEvQ|kqhkiG/);
    expect(Math.max(...error.details.map(({ length }) => length))).toBeLessThan(420);
  });
});

describe("a server that is down", () => {
  it("is named with its command when that does not exist", async () => {
    const { catalog } = await project({ ghost: { command: "no-such-command-anywhere" } });
    await expect(catalog.connection("ghost").connect()).rejects.toMatchObject({
      code: "command_not_found",
      message: expect.stringContaining("no-such-command-anywhere"),
    });
  });

  it("fails at once while the next attempt is not due, and says when it is", async () => {
    const connection = await connect("dies-at-once");
    await expect(connection.connect()).rejects.toMatchObject({ code: "server_closed" });
    await expect(connection.connect()).rejects.toMatchObject({
      hint: expect.stringMatching(/^Next attempt in \d+ s$/),
    });
    expect(connection.status()).toMatchObject({ state: "failed" });
  });
});

describe("protocol eras", () => {
  it("speaks to a server of the newer era", async () => {
    const connection = await connect("modern");
    expect(await connection.connect()).toMatchObject({
      era: "modern",
      protocolVersion: "2026-07-28",
      version: "2.0.0",
    });
    expect((await call(connection, "add", { a: 1, b: 2 })).value).toEqual({ sum: 3 });
  });

  it.each(["good", "dies-of-probe", "ignores-probe"])("speaks to the older server %s", async (name) => {
    const connection = await connect(name, { connectTimeoutMs: 3_000 });
    expect(await connection.connect()).toMatchObject({ era: "legacy" });
    expect((await connection.listTools()).tools).toHaveLength(1);
  });

  it("asks once, remembers the answer, and asks again when it no longer holds", async () => {
    const memory = join(await tempDir(), "upgraded");
    const [old, now] = [fixture("good").args[0], fixture("modern").args[0]];
    const script = `[ -e ${memory} ] && exec "$0" ${now}; exec "$0" ${old}`;
    const server = { command: "/bin/sh", args: ["-c", script, process.execPath] };
    const first = await project({ server });
    expect(await first.catalog.connection("server").connect()).toMatchObject({ era: "legacy" });
    const [file] = await readdir(join(first.dir, ".keyhole/eras"));
    expect(await readFile(join(first.dir, ".keyhole/eras", file ?? ""), "utf8")).toContain('"era":"legacy"');
    await writeFile(memory, "");
    const second = await reopen(first.dir);
    expect(await second.catalog.connection("server").connect()).toMatchObject({ era: "modern" });
  });

  it("does what the configuration says instead of asking", async () => {
    const legacy = await connect("modern", { protocol: "legacy" });
    await expect(legacy.connect()).rejects.toMatchObject({ code: "server_misbehaved" });
    const modern = await connect("good", { protocol: "modern" });
    await expect(modern.connect()).rejects.toMatchObject({ server: "good" });
  });
});

describe("calls", () => {
  it("restart their time-out on progress, and pass it on", async () => {
    const connection = await connect("progress", { timeoutMs: 1_500 });
    const steps: number[] = [];
    const onProgress = ({ progress }: { progress: number }) => steps.push(progress);
    expect((await connection.callTool({ name: "reports" }, {}, { onProgress })).value).toBe("done");
    // The last one may arrive together with the result, and then the call is over.
    expect(steps.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
    await expect(call(connection, "silent")).rejects.toMatchObject({ code: "timeout" });
  });

  it("are waited for no more when they are cancelled while their server connects", async () => {
    const connection = await connect("hang", { connectTimeoutMs: 60_000 });
    const stop = new AbortController();
    const { signal } = stop;
    const waiting = [
      connection.callTool({ name: "any" }, {}, { signal }),
      connection.listTools({ signal }),
      connection.connect({ signal }),
    ];
    expect(connection.status()).toEqual({ state: "connecting" });
    stop.abort();
    for (const one of await Promise.allSettled(waiting))
      expect(one).toMatchObject({ status: "rejected", reason: { code: "cancelled" } });
    expect(connection.status()).toEqual({ state: "connecting" });
  });

  it("are cancelled at the server when their signal is aborted", async () => {
    const connection = await connect("cancellable");
    await connection.connect();
    const controller = new AbortController();
    const waiting = connection.callTool({ name: "wait" }, {}, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    expect((await call(connection, "cancelled")).value).toEqual({ count: 1 });
  });
});

describe("the tool list", () => {
  it.each([
    ["new", 200],
    ["same", 2],
  ])("comes to an end also when its pages do not (%s cursors)", async (kind, expected) => {
    const connection = await connect("endless-pages", {}, kind);
    const { tools, warnings } = await connection.listTools();
    expect(tools).toHaveLength(expected);
    expect(warnings).toHaveLength(1);
  });
});

describe("a child's environment", () => {
  it("holds what its configuration gives it and nothing of ours", async () => {
    process.env["KEYHOLE_TEST_SECRET"] = "secret";
    const connection = await connect("shows-environment", { env: { OWN: "${KEYHOLE_TEST_SECRET}-x" } });
    const { value } = await call(connection, "environment");
    expect(value).toMatchObject({ env: { OWN: "secret-x" } });
    expect(JSON.stringify(value)).not.toContain("KEYHOLE_TEST_SECRET");
    expect(value).not.toHaveProperty("env.NODE_EXTRA_CA_CERTS");
  });
});

describe("a large answer", () => {
  const LIMITS = { maxMessageValues: 200_000 };
  const send = (connection: Awaited<ReturnType<typeof connect>>, as: string, count: number) =>
    call(connection, "send", { as, count });

  it.each(["structured", "id last", "text"])(
    "of more values than are allowed fails its call alone (%s), and says which key allows more",
    async (as) => {
      const connection = await connect("many-values", LIMITS);
      await expect(send(connection, as, 300_000)).rejects.toMatchObject({
        code: "too_large",
        server: "many-values",
        tool: "send",
        message: expect.stringMatching(/answered "send" .* 200000 are allowed/),
        hint: expect.stringContaining("maxMessageValues"),
      });
      expect((await call(connection, "fine")).value).toBe("fine");
    },
  );

  it.each(["structured", "text"])(
    "is handed on unparsed, with a part of it to learn from (%s)",
    async (as) => {
      const connection = await connect("many-values");
      const { value, large } = await send(connection, as, 200_000);
      const list = Array(200_000).fill({});
      expect(value instanceof UnparsedJson && value.parse()).toEqual(as === "text" ? list : { a: list });
      expect(JSON.stringify(large?.sample).length).toBeLessThan(1_000);
      const outline = as === "text" ? large?.outline : Object.values(Object(large?.outline))[0];
      expect(outline).toHaveLength(200_000);
    },
  );

  it.each(["deep", "deep text"])("that is too deep fails its call alone (%s)", async (as) => {
    const connection = await connect("many-values");
    await expect(send(connection, as, 20_000)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("levels"),
    });
    expect((await call(connection, "fine")).value).toBe("fine");
  });

  it.each(["failure", "error"])("that says what failed says the start of it (%s)", async (as) => {
    const connection = await connect("many-values");
    const error = await send(connection, as, 1_000_000).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolError);
    expect(error instanceof ToolError && error.message.length).toBeLessThan(20_000);
  });

  it("that nobody asked for is passed over", async () => {
    const connection = await connect("many-values", LIMITS);
    expect((await send(connection, "notification", 300_000)).value).toBe("noted");
  });

  it("counts once", async () => {
    const connection = await connect("many-values");
    const { value } = await send(connection, "twice", 200_000);
    expect(value instanceof UnparsedJson && value.parse()).toMatchObject({ nth: 1 });
    expect((await call(connection, "fine")).value).toBe("fine");
  });

  it("of another server does not wait for it", async () => {
    const [slow, other] = await Promise.all([connect("many-values"), connect("huge")]);
    const slowly = send(slow, "structured", 1_500_000);
    const { value } = await call(other, "huge", { megabytes: 1 });
    expect(value).toBeInstanceOf(UnparsedJson);
    expect((await slowly).value).toBeInstanceOf(UnparsedJson);
  });
});
