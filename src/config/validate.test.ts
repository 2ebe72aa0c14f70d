import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KeyholeError } from "../errors.ts";
import { readDocument } from "./files/document.ts";
import { validateConfig } from "./validate.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-validate-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function problemOf(text: string, name = "keyhole.config.json"): Promise<KeyholeError> {
  const file = join(dir, name);
  await writeFile(file, text);
  const document = await readDocument(file);
  try {
    validateConfig(document, document.data);
  } catch (error) {
    if (error instanceof KeyholeError) return error;
    throw error;
  }
  throw new Error("The config was accepted");
}

const server = (body: string) => `{ "servers": { "x": ${body} } }`;

test.each([
  [
    '{ "max_execution_time": 5 }',
    '1:3: key "max_execution_time" is not known, did you mean "maxExecutionTime"?',
  ],
  ['{ "mcpServers": {} }', '1:3: key "mcpServers" is not known, did you mean "servers"?'],
  ['{ "resourceLimits": { "ram": "1GB" } }', '1:23: key "resourceLimits.ram" is not known'],
  [server('{ "comand": "x" }'), '1:23: key "servers.x.comand" is not known, did you mean "command"?'],
  [
    server('{ "command": "x", "timeout": 5 }'),
    'key "servers.x.timeout" is not known, did you mean "timeoutMs", which is in milliseconds?',
  ],
  [
    '{ "skills": { "maxVersion": 5 } }',
    '1:15: key "skills.maxVersion" is not known, did you mean "maxVersions"?',
  ],
  [
    '{ "audit": { "anomalies": { "rules": { "mass_delete": "stop" } } } }',
    '1:40: key "audit.anomalies.rules.mass_delete" is not known, did you mean "mass-delete"?',
  ],
  [
    '{ "audit": { "anomalies": { "rules": { "nosuch": "stop" } } } }',
    'key "audit.anomalies.rules.nosuch" is not known here',
  ],
  ['{ "maxExecutionTime": "30s" }', '1:23: key "maxExecutionTime" must be a number, got "30s"'],
  ['{ "maxExecutionTime": 1.5 }', 'key "maxExecutionTime" must be a whole number, got 1.5'],
  ['{ "maxExecutionTime": 0 }', 'key "maxExecutionTime" must be at least 1, got 0'],
  [
    '{ "maxExecutionTime": 99999999999 }',
    'key "maxExecutionTime" must be at most 2147483647, got 99999999999',
  ],
  ['{ "sandboxMode": "dockr" }', 'must be one of "process", "docker", "vm", "auto", got "dockr"'],
  ['{ "enabled": "yes" }', 'key "enabled" must be true or false, got "yes"'],
  ['{ "servers": [] }', 'key "servers" must be an object, got a list'],
  ['{ "servers": { "x": null } }', 'key "servers.x" must be an object, got null'],
  [
    '{ "resourceLimits": { "memory": "lots" } }',
    'must be a size such as "512MB", "1.5GB", "1GiB" or a number of bytes, got "lots"',
  ],
  ['{ "resourceLimits": { "memory": "0MB" } }', 'a number of bytes, got "0MB"'],
  ['{ "resourceLimits": { "memory": -5 } }', 'key "resourceLimits.memory" must be a size such as'],
  [server('{ "command": "" }'), 'key "servers.x.command" must be a text that is not empty, got a string'],
  [
    '{ "resourceLimits": { "cpu": true } }',
    'must be a number of cores such as "1 core", "2 cores" or 0.5, got true',
  ],
  [server('{ "command": "x", "maxMessageBytes": "big" }'), 'key "servers.x.maxMessageBytes" must be a size'],
  [
    server('{ "command": "x", "url": "http://a" }'),
    'key "servers.x.url" cannot stand together with "command"',
  ],
  [server('{ "from": "cursor", "command": "x" }'), 'key "servers.x.from" cannot stand together with'],
  [server('{ "from": "emacs" }'), 'must be one of "claude-code"'],
  [server('{ "name": "y" }'), 'key "servers.x.name" stands only together with "from"'],
  [
    server('{ "type": "http", "command": "x" }'),
    'key "servers.x.type" must be "stdio" for a "command", got "http"',
  ],
  [server('{ "type": "stdio", "url": "http://a" }'), 'must be "http" or "sse" for a "url"'],
  [server('{ "type": "sse" }'), 'needs a "command" or a "url" beside it'],
  [
    server('{ "url": "http://a", "args": [] }'),
    'key "servers.x.args" has no meaning for a server with a "url"',
  ],
  [server('{ "command": "x", "headers": {} }'), 'has no meaning for a server with a "command"'],
  ['{ "servers": { "__proto__": { "command": "x" } } }', 'is refused: a server cannot be named "__proto__"'],
  ['{ "servers": { "": { "command": "x" } } }', "is refused: a server's name cannot be empty"],
  ['{ "__proto__": { "enabled": false } }', 'key "__proto__" is not a name that can be used'],
  [server('{ "command": "x", "env": { "__proto__": "1" } }'), 'key "servers.x.env.__proto__" is not a name'],
  ["[]", "1:1: the file must be an object, got a list"],
])("refuses %s", async (text, expected) => {
  const error = await problemOf(text);
  expect(error).toMatchObject({ code: "config_invalid", exitCode: 2 });
  expect(error.message).toContain(expected);
  expect(error.message).toMatch(/^\S+keyhole\.config\.json:\d+:\d+: /);
  expect(error.message).not.toContain("\n");
  expect(error.hint).toBeTruthy();
});

test("lists every problem on a line of its own, up to ten", async () => {
  const three = await problemOf('{\n "a": 1,\n "b": 2,\n "enabled": 3\n}');
  expect(three.message).toMatch(/^\S+:\d+: .*\n {2}\S+:\d+: .*\n {2}\S+:\d+: [^\n]*$/);
  const keys = Array.from({ length: 14 }, (_, index) => `"unknown${index}": 1`).join(", ");
  const lines = (await problemOf(`{ ${keys} }`)).message.split("\n");
  expect(lines).toHaveLength(11);
  expect(lines[10]).toBe("  and 4 more");
});

test("never prints a value that could be a secret", async () => {
  const secret = "s3cr3t";
  const error = await problemOf(
    `{ "servers": {
      "a": { "command": "x", "env": { "TOKEN": ["${secret}"], "N": { "x": 77777 } } },
      "b": { "url": "http://x", "headers": "${secret}", "bearerToken": 77777 },
      "c": { "command": "x", "args": "--token=${secret}" },
      "d": "npx foo --token ${secret}",
      "e": { "type": "npx --token ${secret}", "excludeTools": "${secret}", "cwd": 77777 }
    } }`,
  );
  expect(error.message.split("\n")).toHaveLength(9);
  expect(error.message).not.toContain(secret);
  expect(error.message).not.toContain("77777");
  expect(error.hint).not.toContain(secret);
});

test("tells how to write a list, without the text that stands there", async () => {
  const error = await problemOf(server('{ "command": "x", "args": "--token=s3cr3t" }'));
  expect(error.message).toContain('key "servers.x.args" must be a list, got a string');
  expect(error.hint).toBe('Write "args": ["…"], each item a text of its own');
});

test.each([
  ['{ "command": "x", "disabled": true }', 'Write "enabled": false'],
  ['{ "command": "x", "disabled": false }', 'Write "enabled": true'],
  ['{ "command": "x", "timeout": 5 }', 'Write "timeoutMs", in milliseconds, instead of "timeout"'],
  ['{ "command": "x", "transport": "stdio" }', 'Write "type" instead of "transport"'],
  ['{ "command": 5 }', 'Put "servers.x.command" in quotes'],
  ['{ "command": "x", "env": { "ID": 12345678901234567890 } }', 'Put "servers.x.env.ID" in quotes'],
])("for the server %s gives a hint that means the same", async (body, hint) => {
  expect((await problemOf(server(body))).hint).toBe(hint);
});

test("what skips confirmations elsewhere is not taken for belief in annotations", async () => {
  const error = await problemOf(server('{ "command": "x", "trust": true }'));
  expect(error.message).not.toContain("trusted");
});

test("lists the known keys once, however many are unknown", async () => {
  const error = await problemOf('{ "foo": 1, "bar": 2, "servers": { "x": { "qux": 1, "quux": 2 } } }');
  expect(error.message.split("\n")).toHaveLength(4);
  expect(`${error.message}${error.hint}`.match(/sandboxMode/g)).toHaveLength(1);
  expect(`${error.message}${error.hint}`.match(/connectTimeoutMs/g)).toHaveLength(1);
});

test.each(["1e99", "-1e99", "1e999", "0.5e99"])("tells one problem of the number %s", async (number) => {
  const error = await problemOf(`{ "maxExecutionTime": ${number} }`);
  expect(error.message).not.toContain("\n");
  expect(error.message).not.toContain("null");
});

test("a key's control and bidi characters are not printed", async () => {
  const error = await problemOf('{ "a\u202eb": 1, "servers": { "x\u009by": { "command": "x" } } }');
  expect(error.message).not.toMatch(/[\u0080-\u009f\u202e]/);
});

async function accepted(text: string, name = "keyhole.config.json") {
  const file = join(dir, name);
  await writeFile(file, text);
  const document = await readDocument(file);
  return validateConfig(document, document.data);
}

test.each(["streamable-http", "streamableHttp", "streamable_http", "http"])(
  "takes type %s for http",
  async (type) => {
    const { servers } = await accepted(server(`{ "type": "${type}", "url": "http://a" }`));
    expect(servers["x"]).toMatchObject({ type: "http" });
  },
);

test("takes null for nothing, and numbers and booleans for their text, as clients do", async () => {
  const text = `{ "servers": {
    "a": { "command": "x", "args": ["-p", 80, true], "env": { "PORT": 80, "RATE": 0.5, "ON": false } },
    "b": { "url": "http://b", "args": null, "env": null, "headers": { "X": 1 } },
    "c": { "command": "x", "args": null, "headers": null }
  } }`;
  const { servers } = await accepted(text);
  expect(servers["a"]).toEqual({
    command: "x",
    args: ["-p", "80", "true"],
    env: { PORT: "80", RATE: "0.5", ON: "false" },
  });
  expect(servers["b"]).toMatchObject({ url: "http://b", headers: { X: "1" } });
  expect(servers["c"]?.args).toBeUndefined();
});

test("sections with nothing below them are empty", async () => {
  expect(await accepted("servers:\npermissions:\n", "keyhole.config.yaml")).toMatchObject({ servers: {} });
});

test("accepts a server named constructor", async () => {
  const file = join(dir, "keyhole.config.json");
  await writeFile(
    file,
    '{ "servers": { "constructor": { "command": "x" }, "toString": { "url": "http://a" } } }',
  );
  const document = await readDocument(file);
  expect(Object.keys(validateConfig(document, document.data).servers)).toEqual(["constructor", "toString"]);
});
