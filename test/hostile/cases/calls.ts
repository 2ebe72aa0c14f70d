import { LIMITS, type ProgramCase, THROWN, TOO_MUCH } from "./case.ts";

const each = (count: number, call: string) =>
  `const all = await Promise.allSettled(Array.from({ length: ${count} }, (_, n) => ${call})); return all.length;`;
const MANY = { ends: ["ok", ...LIMITS], says: TOO_MUCH };
const MANY_OR_THROWN = { ends: ["ok", "protocol", ...LIMITS, ...THROWN], says: TOO_MUCH };

/** Many requests to the host, or dear ones. */
export const CALL_CASES: readonly ProgramCase[] = [
  { name: "calls: 10,000 unknown tools", code: () => each(10_000, "(math as any)[`adUp${n}`]({})"), ...MANY },
  {
    name: "calls: 10,000 unknown tools of a large server",
    code: () => each(10_000, "(big as any)[`bug${n}`]({})"),
    ...MANY,
  },
  {
    name: "calls: 10,000 unknown servers",
    code: () => each(10_000, "callMCPTool(`mat${n}__add_up`, {})"),
    ...MANY,
  },
  {
    name: "calls: names of 100 KB",
    code: () => each(100, 'callMCPTool("u__".repeat(30_000) + n, {})'),
    ...MANY_OR_THROWN,
  },
  {
    name: "calls: a name of 15 MB",
    code: () => 'return await callMCPTool("u__".repeat(5_000_000), {});',
    ...MANY_OR_THROWN,
  },
  {
    name: "calls: a function's name of 15 MB",
    code: () => 'return await (math as any)["x".repeat(15_000_000)]({});',
    ...MANY_OR_THROWN,
  },
  { name: "calls: 9,999 that do nothing", code: () => each(9_999, "math.addUp({ numbers: [] })"), ...MANY },
  {
    name: "calls: one too many",
    code: () => each(10_001, "math.addUp({ numbers: [] })"),
    ends: ["calls", "ok"],
    says: TOO_MUCH,
  },
  {
    name: "calls: 9,000 that are cancelled at once",
    code: () =>
      each(
        9_000,
        "{ const c = new AbortController(); const p = math.addUp({ numbers: [n] }, { signal: c.signal }); c.abort(); return p; }",
      ).replace("=> {", "=> {"),
    ...MANY,
  },
  {
    name: "calls: time-outs of a millisecond",
    code: () => each(5_000, "math.addUp({ numbers: [n] }, { timeoutMs: 1 })"),
    ...MANY,
  },
  { name: "calls: arguments that are none", code: () => each(5_000, "(math as any).addUp([n])"), ...MANY },
  {
    name: "commands, which are off: 10,000 at once",
    code: () => each(10_000, 'runCommand("sh", ["-c", `exit ${n}`])'),
    ...MANY,
  },
  { name: "searches: 10,000 at once", code: () => each(10_000, "searchTools(`number ${n}`)"), ...MANY },
  {
    name: "searches: 2,000 in full",
    code: () => each(2_000, 'searchTools(`tool ${n} of big`, "full")'),
    ...MANY,
  },
  {
    name: "searches: a query of 15 MB",
    code: () => 'return (await searchTools("word ".repeat(3_000_000))).total;',
    ...MANY_OR_THROWN,
  },
  {
    name: "searches: queries of 100 KB of different words",
    code: () => each(50, 'searchTools(Array.from({ length: 20_000 }, (_, i) => `w${n}x${i}`).join(" "))'),
    ...MANY,
  },
  {
    name: "searches: two copies of many",
    code: () => each(3_000, "searchTools(`number ${n}`)"),
    copies: 2,
    ...MANY,
  },
  {
    name: "folders: all of ./servers, 500 times",
    code: () =>
      `const fs = await import("node:fs/promises"); ${each(500, 'fs.readdir("./servers", { recursive: true })')}`,
    ...MANY,
  },
  {
    name: "folders: 9,000 files of ./servers",
    code: () =>
      `const fs = await import("node:fs/promises"); ${each(9_000, "fs.readFile(`./servers/big/big-${n % 3_000}.ts`, 'utf8')")}`,
    ...MANY,
  },
  {
    name: "folders: paths of 1 MB",
    code: () =>
      `const fs = await import("node:fs/promises"); ${each(50, 'fs.readFile("./servers/" + "a/".repeat(500_000) + n).catch(() => {})')}`,
    ...MANY,
  },
];
