// Runs programs of lines, one line after the other, in Deno. Nothing of the JavaScript guest is used.
import { createDecoder, encode, TYPES } from "./frames.js";

const { stdin, stdout, exit } = Deno;
const LEVELS = ["debug", "info", "warn", "error"];
const decoder = new TextDecoder();
const decode = createDecoder();
const open = new Map();
let lastId = 0;

function send(type, id, payload) {
  const bytes = encode(type, id, payload);
  for (let sent = 0; sent < bytes.length; ) sent += stdout.writeSync(bytes.subarray(sent));
}

function call(server, tool, args) {
  return new Promise((resolve, reject) => {
    open.set(++lastId, { resolve, reject });
    send(TYPES.call, lastId, JSON.stringify([server, tool, args]));
  });
}

function answer({ type, id, payload }) {
  const { resolve, reject } = open.get(id);
  open.delete(id);
  if (type === TYPES.resultBytes) return resolve([...payload]);
  const text = decoder.decode(payload);
  if (type === TYPES.result) return resolve(text === "" ? null : JSON.parse(text));
  return reject(JSON.parse(text));
}

const WORDS = {
  log: (text) => send(TYPES.log, LEVELS.indexOf("info"), text),
  sleep: (text) => new Promise((resolve) => setTimeout(resolve, Number(text))),
  fail(text) {
    throw { message: text };
  },
  loop() {
    for (;;);
  },
};

async function run(lines) {
  let it;
  for (const { line, word, text, server, tool, args } of lines) {
    try {
      if (word === "return") return text === "it" ? it : JSON.parse(text);
      if (word === "call") it = await call(server, tool, args);
      else await WORDS[word](text);
    } catch ({ message, code }) {
      const failed = code === undefined ? {} : { name: "ToolError", server, tool };
      throw { message, ...failed, source: { line, column: 1 } };
    }
  }
  return undefined;
}

function start(lines) {
  const done = (outcome) => send(TYPES.done, 0, JSON.stringify(outcome));
  run(lines).then(
    (value) => done({ ok: true, value }),
    (error) => done({ ok: false, error }),
  );
}

send(TYPES.ready, 0, "");
const buffer = new Uint8Array(64 * 1024);
for (;;) {
  const count = await stdin.read(buffer);
  if (count === null) exit(0);
  for (const frame of decode(buffer.subarray(0, count))) {
    if (frame.type === TYPES.ping) send(TYPES.pong, frame.id, "");
    else if (frame.type === TYPES.start) start(JSON.parse(JSON.parse(decoder.decode(frame.payload)).code));
    else answer(frame);
  }
}
