import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resolveServer } from "./expand.ts";
import {
  DEFAULT_SETTINGS,
  type HttpTarget,
  type ServerDefinition,
  type ServerSource,
  type StdioTarget,
} from "./server-definition.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-expand-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const define = (
  transport: StdioTarget | HttpTarget,
  client: ServerSource["client"] = "cursor",
): ServerDefinition => ({
  name: "x",
  source: { file: join(dir, "the-file"), client, path: "mcpServers.x" },
  transport,
  settings: DEFAULT_SETTINGS,
});

const stdio = (part: Partial<StdioTarget>, client?: ServerSource["client"]) =>
  define({ type: "stdio", command: "c", args: [], env: {}, inheritEnv: [], ...part }, client);

const http = (url: string, headers: Record<string, string> = {}) => define({ type: "http", url, headers });

const resolve = (server: ServerDefinition, env: NodeJS.ProcessEnv = {}) =>
  resolveServer(server, { env, projectDir: dir, homeDir: "/home/me" });

describe("a command", () => {
  test("has its variables put in everywhere", async () => {
    const server = stdio({
      command: "${BIN}/run",
      args: ["--to=${TO:-there}", "$HOME", "${"],
      env: { KEY: "${KEY}", FIXED: "1" },
      cwd: "${SUB}/deep",
    });
    const { transport } = await resolve(server, { BIN: "/bin", KEY: "k", SUB: "sub" });
    expect(transport).toEqual({
      type: "stdio",
      command: "/bin/run",
      args: ["--to=there", "$HOME", "${"],
      env: { KEY: "k", FIXED: "1" },
      cwd: join(dir, "sub", "deep"),
    });
  });

  test("runs in the project's folder unless it says otherwise", async () => {
    expect((await resolve(stdio({}))).transport).toMatchObject({ cwd: dir });
    expect((await resolve(stdio({ cwd: "~/x" }))).transport).toMatchObject({ cwd: join("/home/me", "x") });
  });

  test("expands ~/ at its start only", async () => {
    const { transport } = await resolve(stdio({ command: "~/bin/x", args: ["~/y"] }));
    expect(transport).toMatchObject({ command: join("/home/me", "bin/x"), args: ["~/y"] });
  });

  test("gets env over envFile over inherited variables", async () => {
    await writeFile(join(dir, ".env"), 'A=file\nB="from file"\nC=file # note\n');
    const server = stdio({ envFile: "${NAME}", env: { A: "own" }, inheritEnv: ["C", "D", "UNSET"] });
    const { transport } = await resolve(server, { NAME: ".env", C: "inherited", D: "inherited" });
    expect(transport).toMatchObject({ env: { A: "own", B: "from file", C: "file", D: "inherited" } });
    expect(transport).not.toHaveProperty("envFile");
    expect(transport).not.toHaveProperty("inheritEnv");
  });

  test("fails alone when its envFile is missing", async () => {
    await expect(resolve(stdio({ envFile: "no.env" }))).rejects.toMatchObject({
      code: "config_unreadable",
      server: "x",
      message: expect.stringContaining('the-file: key "mcpServers.x.envFile": Cannot read'),
    });
  });

  test.each(["mcp-json", "claude-code", "keyhole"] as const)(
    "of %s gets CLAUDE_PROJECT_DIR as a default",
    async (client) => {
      const { transport } = await resolve(stdio({ args: ["${CLAUDE_PROJECT_DIR}/a"] }, client));
      expect(transport).toMatchObject({ env: { CLAUDE_PROJECT_DIR: dir }, args: [`${dir}/a`] });
      const own = await resolve(stdio({ env: { CLAUDE_PROJECT_DIR: "/own" } }, client));
      expect(own.transport).toMatchObject({ env: { CLAUDE_PROJECT_DIR: "/own" } });
    },
  );

  test("of another client gets no CLAUDE_PROJECT_DIR", async () => {
    expect((await resolve(stdio({}, "gemini"))).transport).toMatchObject({ env: {} });
  });

  test("keeps a reference in its arguments that only its own env can answer", async () => {
    const server = stdio({ args: ["--header", "Authorization: ${AUTH}"], env: { AUTH: "Bearer t" } });
    expect((await resolve(server)).transport).toMatchObject({ args: ["--header", "Authorization: ${AUTH}"] });
  });

  test.each([
    [{ env: { "A=B": "x" } }, "no variable can have"],
    [{ env: { "": "x" } }, "no variable can have"],
    [{ env: { A: "${NUL}" } }, "NUL"],
    [{ args: ["${NUL}"] }, "NUL"],
    [{ command: "${EMPTY}" }, "is empty"],
  ])("is refused with %j", async (part, expected) => {
    await expect(resolve(stdio(part), { NUL: "\0", EMPTY: "" })).rejects.toMatchObject({
      code: "config_invalid",
      server: "x",
      message: expect.stringContaining(expected),
    });
  });
});

test("a name and password in an address become a header, for fetch refuses and repeats them", async () => {
  const { transport } = await resolve(http("http://me:${PW}@host/mcp"), { PW: "s3cret" });
  const Authorization = `Basic ${Buffer.from("me:s3cret").toString("base64")}`;
  expect(transport).toEqual({ type: "http", url: "http://host/mcp", headers: { Authorization } });
});

test("relative paths of the project's own file are meant from its folder", async () => {
  const server = stdio({ cwd: "sub" }, "mcp-json");
  const resolved = await resolveServer(server, {
    env: {},
    projectDir: join(dir, "deep"),
    homeDir: "/home/me",
  });
  expect(resolved.transport).toMatchObject({ cwd: join(dir, "sub") });
});

describe("a variable", () => {
  test("that is unset fails the server, naming variable, key and file", async () => {
    await expect(resolve(stdio({ env: { KEY: "${GITHUB_TOKEN}" } }))).rejects.toMatchObject({
      code: "variable_unset",
      server: "x",
      message: `Cannot start server "x": variable "GITHUB_TOKEN" is not set (key "mcpServers.x.env.KEY" in ${join(dir, "the-file")})`,
      hint: "Set GITHUB_TOKEN, or write ${GITHUB_TOKEN:-default} in the file",
    });
  });

  test("that is empty counts as set, but takes its default", async () => {
    const { transport } = await resolve(stdio({ args: ["[${A}]", "[${A:-b}]", "[${C:-}]"] }), { A: "" });
    expect(transport).toMatchObject({ args: ["[]", "[b]", "[]"] });
  });

  test("is not expanded again in what it stood for", async () => {
    const { transport } = await resolve(stdio({ args: ["${A}"] }), { A: "${B}", B: "no" });
    expect(transport).toMatchObject({ args: ["${B}"] });
  });

  test("within a default is refused", async () => {
    await expect(resolve(stdio({ args: ["${A:-${B}}"] }), { A: "a" })).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining('within the default of "A"'),
    });
  });

  test("HOME and KEYHOLE_PROJECT_DIR are always known", async () => {
    const { transport } = await resolve(stdio({ args: ["${HOME}", "${KEYHOLE_PROJECT_DIR}"] }), {
      KEYHOLE_PROJECT_DIR: "/of/another/keyhole",
    });
    expect(transport).toMatchObject({ args: ["/home/me", dir] });
  });
});

describe("an address", () => {
  test("has its variables put in, in the headers too", async () => {
    const { transport } = await resolve(http("https://${HOST}/mcp", { Authorization: "Bearer ${T}" }), {
      HOST: "h",
      T: "t\n",
    });
    expect(transport).toEqual({ type: "http", url: "https://h/mcp", headers: { Authorization: "Bearer t" } });
  });

  test.each(["nonsense", "file:///etc/passwd", "ws://x", "javascript:alert(1)", ""])(
    "%j is refused",
    async (url) => {
      await expect(resolve(http(url))).rejects.toMatchObject({ code: "config_invalid", server: "x" });
    },
  );

  test.each(["a\r\nX-Evil: 1", "a\0b", "ключ"])(
    "is refused with the header value %j, which is not shown",
    async (value) => {
      const error: unknown = await resolve(http("http://a", { "X-Key": "${V}" }), { V: value }).catch(
        (error: unknown) => error,
      );
      expect(error).toMatchObject({
        code: "config_invalid",
        server: "x",
        message: expect.stringContaining("headers.X-Key"),
      });
      expect(String(error)).not.toContain(value);
    },
  );

  test("is refused with a header name that cannot be one", async () => {
    await expect(resolve(http("http://a", { "X Key:": "v" }))).rejects.toMatchObject({
      code: "config_invalid",
    });
  });
});
