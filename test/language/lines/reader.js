// Reads programs of lines, in a process of its own: `log TEXT`, `call SERVER.TOOL JSON`, `return JSON`, `return it`,
// `sleep MS`, `fail TEXT`, `loop`; `#` begins a comment.
import { serveReader } from "../../../dist/language/reading/serve.js";

const WORDS = ["log", "call", "return", "sleep", "fail", "loop"];
const CALL = /^(\w+)\.(\w+)(?: (.*))?$/;

serveReader(({ servers }) => ({
  warm: async () => {},
  async read(source, { types, onPrepared }) {
    const { lines, error } = parse(source);
    if (error) return { program: { ok: false, error }, checkMs: 0 };
    onPrepared();
    const errors = types ? lines.flatMap((line) => findMistake(line, servers())) : [];
    if (errors.length > 0)
      return {
        program: { ok: false, error: { kind: "types", message: errors[0].message, errors } },
        checkMs: 0,
      };
    const used = servers().filter((server) =>
      lines.some((line) => line.server === server.identifiers.typescript),
    );
    const uses = { servers: used.map(({ name }) => name), aliases: [], isOpen: false };
    const program = {
      ok: true,
      code: JSON.stringify(lines),
      places: new Int32Array(0),
      uses,
      modules: [],
      skills: [],
    };
    return { program, checkMs: 0 };
  },
}));

function parse(source) {
  const lines = [];
  for (const [at, written] of source.split("\n").entries()) {
    const [, word, text = ""] = /^\s*(\S*)(?: (.*))?$/.exec(written) ?? [];
    if (word === "" || word.startsWith("#")) continue;
    const line = { line: at + 1, word, text };
    const problem = WORDS.includes(word) ? complete(line) : `There is no word "${word}"`;
    if (problem !== undefined)
      return {
        error: {
          kind: "syntax",
          message: problem,
          location: { line: at + 1, column: 1 },
          excerpt: `${written}\n^`,
        },
      };
    lines.push(line);
  }
  return { lines };
}

function complete(line) {
  const [, server, tool, args = "{}"] = line.word === "call" ? (CALL.exec(line.text) ?? []) : [];
  if (line.word === "call" && server === undefined) return "A call is SERVER.TOOL JSON";
  const json = line.word === "call" ? args : line.word === "return" && line.text !== "it" ? line.text : "0";
  try {
    const value = JSON.parse(json);
    if (line.word === "call") Object.assign(line, { server, tool, args: value });
    return undefined;
  } catch {
    return "This is no JSON";
  }
}

function findMistake({ line, word, server, tool }, servers) {
  if (word !== "call") return [];
  const record = servers.find(({ identifiers }) => identifiers.typescript === server);
  if (record === undefined) return [{ line, column: 1, message: `There is no server "${server}"` }];
  const names = record.tools.map(({ identifiers }) => identifiers.typescript);
  if (names.includes(tool)) return [];
  return [
    { line, column: 1, message: `"${server}" has no tool "${tool}"`, hint: `It has ${names.join(", ")}` },
  ];
}
