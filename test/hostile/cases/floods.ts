import { LIMITS, type ProgramCase, TOO_MUCH } from "./case.ts";

const LIMITED = { ends: ["ok", ...LIMITS], says: TOO_MUCH };
const LIMITED_ONLY = { ends: LIMITS, says: TOO_MUCH };
/** The runtime may also give up by itself when its memory is at an end. */
const ENDED = {
  ends: [...LIMITS, "crash", "exception"],
  says: /limit|memory|allocation|call stack|invalid/i,
};

/** Programs that use up what there is. */
export const FLOOD_CASES: readonly ProgramCase[] = [
  {
    name: "floods: a million lines of log",
    code: () => 'for (let n = 0; n < 1_000_000; n++) console.log("line"); return 1;',
    ...LIMITED,
  },
  {
    name: "floods: a million empty lines",
    code: () => "for (let n = 0; n < 1_000_000; n++) console.log(); return 1;",
    ...LIMITED,
  },
  {
    name: "floods: log without an end",
    code: () => 'for (;;) console.error("x".repeat(1000));',
    ...LIMITED_ONLY,
  },
  {
    name: "floods: progress without an end",
    code: () => 'for (let n = 0; ; n++) { console.log("step", n); await null; }',
    ...LIMITED_ONLY,
  },
  { name: "floods: a loop", code: () => "for (;;);", ...LIMITED_ONLY },
  { name: "floods: loops, four at once", code: () => "for (;;);", copies: 4, ...LIMITED_ONLY },
  { name: "floods: a loop of microtasks", code: () => "for (;;) await null;", ...LIMITED_ONLY },
  {
    name: "floods: a loop in a getter of the result",
    code: () => "return { get a() { for (;;); } };",
    ...LIMITED_ONLY,
  },
  {
    name: "floods: a regular expression",
    code: () => 'return /^(a+)+$/.test("a".repeat(40) + "b");',
    ends: LIMITS,
    says: TOO_MUCH,
  },
  {
    name: "floods: a million promises",
    code: () =>
      "const all = Array.from({ length: 1_000_000 }, async () => 1); return (await Promise.all(all)).length;",
    ...LIMITED,
  },
  {
    name: "floods: 100,000 rejections",
    code: () => 'for (let n = 0; n < 100_000; n++) Promise.reject(new Error("x")); return 1;',
    // Deno itself may run out of stack over so many, and ends.
    ends: ["exception", "exit", ...LIMITS],
  },
  {
    name: "floods: 100,000 timers",
    code: () =>
      "await Promise.all(Array.from({ length: 100_000 }, () => new Promise((r) => setTimeout(r, 1)))); return 1;",
    ...LIMITED,
  },
  {
    name: "floods: calls and log at once",
    code: () =>
      'for (let n = 0; n < 9_000; n++) { math.addUp({ numbers: [n] }).catch(() => {}); console.log("x".repeat(3_000)); } return 1;',
    ...LIMITED,
  },
  {
    name: "memory: arrays",
    code: () => "const a = []; for (;;) a.push(new Array(100_000).fill(1.5));",
    ...ENDED,
  },
  {
    name: "memory: buffers",
    code: () => "const a = []; for (;;) a.push(new Uint8Array(10_000_000).fill(1));",
    ...ENDED,
  },
  {
    name: "memory: strings",
    code: () => 'let s = "x"; const a = []; for (;;) { s = s + s; a.push(s, JSON.stringify(s)); }',
    ...ENDED,
  },
  {
    name: "memory: wasm",
    code: () =>
      "const a: any[] = []; const W = (globalThis as any).WebAssembly; if (!W) throw new Error('no memory'); for (;;) { const m = new W.Memory({ initial: 1000 }); new Uint8Array(m.buffer).fill(1); a.push(m); }",
    ...ENDED,
  },
  {
    name: "memory: one huge buffer",
    code: () => "return new Uint8Array(8_000_000_000).fill(1).length;",
    ...ENDED,
  },
  {
    name: "memory: four programs at once",
    code: () => "const a = []; for (;;) a.push(new Uint8Array(10_000_000).fill(1));",
    copies: 4,
    ...ENDED,
  },
  {
    name: "memory: a stack without an end",
    code: () => "const f = (): number => f() + 1; return f();",
    ends: ["exception", ...LIMITS],
  },
  {
    name: "disk: one large file",
    code: () =>
      'const fs = await import("node:fs"); const b = new Uint8Array(8_000_000); for (let n = 0; n < 20; n++) fs.appendFileSync("./workspace/large", b); await new Promise((r) => setTimeout(r, 2_000)); return 1;',
    ends: ["disk", "exception"],
    says: /limit|disk|space/i,
  },
  {
    name: "disk: 40,000 small files",
    code: () =>
      'const fs = await import("node:fs"); fs.mkdirSync("./workspace/small", { recursive: true }); for (let n = 0; n < 40_000; n++) fs.writeFileSync(`./workspace/small/${n}`, "x"); await new Promise((r) => setTimeout(r, 3_000)); return 1;',
    ends: ["disk", "exception", "timeout"],
    says: /disk|space|limit/i,
  },
  {
    name: "disk: folders deeper than a path can be",
    code: () => `const fs = await import("node:fs"); const seg = "d".repeat(200); const at = "./workspace/" + Array(15).fill(seg).join("/");
      for (let n = 0; n < 3; n++) { fs.mkdirSync(at, { recursive: true }); fs.writeFileSync(at + "/f", new Uint8Array(40_000_000)); fs.mkdirSync("./workspace/e" + n + "/" + Array(10).fill(seg).join("/"), { recursive: true }); fs.renameSync("./workspace/" + seg, "./workspace/e" + n + "/" + Array(10).fill(seg).join("/") + "/moved"); }
      await new Promise((r) => setTimeout(r, 2_000)); return 1;`,
    ends: ["disk", "exception"],
    says: /limit|disk|space|name too long|rename/i,
  },
  {
    name: "disk: a sparse file",
    code: () =>
      'const fs = await import("node:fs"); fs.writeFileSync("./workspace/sparse", "x"); fs.truncateSync("./workspace/sparse", 10_000_000_000); await new Promise((r) => setTimeout(r, 1_000)); return fs.readFileSync("./workspace/sparse").length;',
    ends: ["disk", "exception", "memory"],
  },
];
