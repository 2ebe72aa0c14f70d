// `hostile.js [START]`: an MCP server whose tool `attack` does what it is asked for, and which can misbehave from the start.
import { createInterface } from "node:readline";
import { HANDSHAKE, OBJECT, text, write } from "../../fixtures/servers/json-rpc.js";

const [start = "none"] = process.argv.slice(2);
const MB = 1_000_000;
const SECRET = process.env.SECRET ?? "";
const raw = (line) => process.stdout.write(`${line}\n`);
const answer = (id, json) => raw(`{"jsonrpc":"2.0","id":${id},"result":${json}}`);
const asText = (id, value) => answer(id, `{"content":[{"type":"text","text":${JSON.stringify(value)}}]}`);
const asData = (id, json) => answer(id, `{"content":[],"structuredContent":{"v":${json}}}`);
const fill = (bytes, part) => part.repeat(Math.floor(bytes / part.length));
/** Writes as fast as it is read, until the process ends. */
function pour(stream, part) {
  while (stream.write(part));
  stream.once("drain", () => pour(stream, part));
}

const ATTACKS = {
  "objects-126": (id) => asData(id, `[${fill(126 * MB, "{},")}{}]`),
  "objects-30": (id) => asData(id, `[${fill(30 * MB, "{},")}{}]`),
  "objects-12": (id) => asData(id, `[${fill(12 * MB, "{},")}{}]`),
  "objects-in-text": (id) => asText(id, `[${fill(12 * MB, "{},")}{}]`),
  "python-in-text": (id) => asText(id, `[${fill(12 * MB, "{'a': None}, ")}]`),
  "numbers-in-text": (id) => asText(id, `[${fill(12 * MB, "1,")}1]`),
  blocks: (id) =>
    answer(id, `{"content":[${fill(12 * MB, '{"type":"text","text":""},')}{"type":"text","text":""}]}`),
  "text-126": (id) => asText(id, fill(126 * MB, "word ")),
  "text-12": (id) => asText(id, fill(12 * MB, "word ")),
  "deep-data": (id) => asData(id, "[".repeat(500_000) + "]".repeat(500_000)),
  "deep-text": (id) => asText(id, "[".repeat(500_000) + "]".repeat(500_000)),
  "deep-python": (id) => asText(id, "('a', ".repeat(200_000)),
  "brackets-in-text": (id) => asText(id, "[".repeat(5 * MB)),
  "quotes-in-text": (id) => asText(id, "{'".repeat(3 * MB)),
  keys: (id) => asData(id, `{${Array.from({ length: 500_000 }, (_, n) => `"k${n}":${n}`).join(",")}}`),
  proto: (id) => asData(id, '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
  line: () => pour(process.stdout, fill(MB, "x")),
  garbage: () => pour(process.stdout, fill(MB, "not json\n")),
  "blank-lines": () => pour(process.stdout, "\n".repeat(60_000)),
  notifications: () =>
    pour(
      process.stdout,
      fill(
        60_000,
        '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n',
      ),
    ),
  "list-changed": () =>
    pour(process.stdout, fill(60_000, '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n')),
  progress: (_id, { token }) =>
    pour(
      process.stdout,
      fill(
        60_000,
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${JSON.stringify(token ?? 1)},"progress":1}}\n`,
      ),
    ),
  requests: () => pour(process.stdout, fill(60_000, '{"jsonrpc":"2.0","id":"a","method":"roots/list"}\n')),
  "wrong-ids": (id) => {
    for (let n = 0; n < 100_000; n++) answer(JSON.stringify(`${id}-${n}`), "{}");
    asText(id, "right");
  },
  twice: (id) => {
    for (let n = 0; n < 1_000; n++) asText(id, "again");
  },
  batch: (id) =>
    raw(
      `[${fill(8 * MB, '{"jsonrpc":"2.0","id":-1,"result":{}},')}{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}]`,
    ),
  error: (id) => write({ id, error: { code: -32_000, message: `${fill(10 * MB, "oh no ")}${SECRET}` } }),
  "error-secret": (id) =>
    write({
      id,
      error: { code: -32_000, message: `${"x".repeat(1_990)} ${SECRET} ${SECRET}`, data: SECRET },
    }),
  "is-error": (id) =>
    write({ id, result: { isError: true, content: [{ type: "text", text: fill(10 * MB, "oh no ") }] } }),
  stderr: (id) => {
    pour(process.stderr, fill(60_000, `flood ${SECRET}\n`));
    setTimeout(() => asText(id, "right"), 300);
  },
  "dies-of-secret": () => {
    process.stderr.write(`${"x".repeat(1_990)}${SECRET}\n`, () => process.exit(1));
  },
  drip: (id) => {
    const line = `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n`;
    let at = 0;
    const timer = setInterval(() => {
      if (at >= 40) clearInterval(timer);
      process.stdout.write(at >= 40 ? line.slice(at) : line[at]);
      at++;
    }, 10);
  },
  silent: () => {},
  "utf-8": (id) => {
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
    process.stdout.write(Buffer.alloc(5 * MB, 0xff));
    raw('"}]}}');
  },
};

const many = (count, schema) =>
  Array.from({ length: count }, (_, n) => ({
    name: `tool_${n}`,
    description: `Tool ${n}`,
    inputSchema: schema(n),
  }));
const nested = (levels) =>
  levels === 0
    ? { type: "string" }
    : { type: "object", properties: { a: nested(levels - 1), b: { $ref: "#" } } };
const LISTS = {
  "20,000-tools": () => many(20_000, () => OBJECT),
  "20,000-similar": () =>
    many(20_000, (n) => ({
      type: "object",
      properties: { [`p${n}`]: { anyOf: [{ $ref: "#" }, { type: "string", enum: ["a", `b${n}`] }] } },
    })),
  "deep-schemas": () => many(200, () => nested(90)),
  "circular-schemas": () =>
    many(500, () => ({
      $ref: "#/$defs/a",
      $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }] } },
    })),
  "exploding-schemas": () =>
    many(100, () => ({
      type: "object",
      allOf: Array.from({ length: 12 }, (_, n) => ({
        anyOf: [
          { properties: { [`a${n}`]: { const: 1 } } },
          { properties: { [`b${n}`]: { const: 2 } } },
          { not: { $ref: "#" } },
        ],
      })),
    })),
  "many-properties": () =>
    many(50, () => ({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`p${n}`, { type: "string" }])),
    })),
  "large-enums": () =>
    many(20, () => ({
      type: "object",
      properties: { e: { enum: Array.from({ length: 30_000 }, (_, n) => `w${n}`) } },
    })),
  "bad-patterns": () =>
    many(200, () => ({
      type: "object",
      properties: { s: { type: "string", pattern: "^(a+)+$", format: "(a*)*b" } },
      patternProperties: { "^(a+)+$": { type: "string" } },
    })),
  "long-names": () =>
    many(200, () => OBJECT).map((tool, n) => ({ ...tool, name: `${"u__".repeat(30_000)}${n}` })),
  "same-names": () =>
    many(5_000, () => OBJECT).map((tool, n) => ({
      ...tool,
      name: ["a_b", "aB", "a-b", "a b", "__proto__", "constructor"][n % 6],
    })),
  "long-descriptions": () =>
    many(100, () => OBJECT).map((tool) => ({ ...tool, description: "word */ `${x}` ".repeat(30_000) })),
};
const tools =
  start in LISTS
    ? LISTS[start]()
    : [{ name: "attack", inputSchema: { type: "object", properties: { kind: { type: "string" } } } }];

if (start === "floods") ATTACKS.garbage();
if (start === "stderr-floods") pour(process.stderr, fill(60_000, "flood\n"));
if (start === "forks")
  for (let n = 0; n < 20; n++)
    (await import("node:child_process")).spawn("sleep", ["60"], { stdio: "ignore" });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize") {
    if (start === "huge-handshake")
      return write({ id, result: { ...HANDSHAKE, instructions: fill(20 * MB, "word ") } });
    if (start === "deep-handshake")
      return answer(
        id,
        `{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"experimental":${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}},"serverInfo":{"name":"x","version":"1"}}`,
      );
    if (start === "no-handshake") return;
    return write({ id, result: HANDSHAKE });
  }
  if (method === "tools/list") {
    if (start === "endless-list")
      return write({ id, result: { tools: many(1_000, () => OBJECT), nextCursor: `${Math.random()}` } });
    if (start === "values-list") return answer(id, `{"tools":[${fill(30 * MB, "{},")}{}]}`);
    return write({ id, result: { tools } });
  }
  if (method === "tools/call") {
    const attack = ATTACKS[params.arguments?.kind];
    return attack === undefined
      ? write({ id, result: text("ok") })
      : attack(id, { token: params._meta?.progressToken });
  }
  write({ id, error: { code: -32_601, message: "no" } });
});
