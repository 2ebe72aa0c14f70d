import { LIMITS, type ProgramCase, THROWN, TOO_MUCH } from "./case.ts";

/** 15 MB of JSON that are 5 million values. */
const EMPTY = "Array(5_000_000).fill({})";
const DEEP = "JSON.parse('['.repeat(LEVELS) + ']'.repeat(LEVELS))";
const deep = (levels: number) => DEEP.replaceAll("LEVELS", String(levels));
/** Built without recursion, as no parser would. */
const DEEPER = "(() => { let v: unknown = 1; for (let n = 0; n < 300_000; n++) v = { v }; return v; })()";
const TEXT = '"word and word, ".repeat(1_000_000)';

const LIMITED = {
  ends: ["ok", ...LIMITS, ...THROWN],
  says: TOO_MUCH,
  hides: /Maximum call stack|internal error/i,
};

export const VALUE_CASES: readonly ProgramCase[] = [
  ...at("empty objects", EMPTY),
  ...at("1,000 levels", deep(1_000)),
  ...at("300,000 levels", DEEPER),
  ...at(
    "one key after another",
    "Object.fromEntries(Array.from({ length: 600_000 }, (_, n) => [`key${n}`, n]))",
  ),
  ...at("15 MB of text", TEXT),
  {
    name: "values: two programs with empty objects in calls at once",
    code: () =>
      `const a = ${EMPTY}; await Promise.allSettled(Array.from({ length: 20 }, () => math.addUp({ numbers: a as any }))); return 1;`,
    copies: 2,
    ...LIMITED,
  },
  {
    name: "values: two programs with empty objects in emits",
    code: () =>
      `const a = ${EMPTY}; for (let n = 0; n < 20; n++) emit({ type: "text", text: "x", a } as any); return 1;`,
    copies: 2,
    ...LIMITED,
  },
  {
    name: "values: two emits of 15 MB",
    code: () => `emit({ type: "text", text: ${TEXT} }); emit({ type: "text", text: ${TEXT} }); return 1;`,
    ...LIMITED,
  },
  {
    name: "values: an image of 15 MB",
    code: () => 'emit({ type: "image", mimeType: "image/png", data: "A".repeat(15_000_000) }); return 1;',
    ...LIMITED,
  },
  {
    name: "values: 100,000 emits",
    code: () => 'for (let n = 0; n < 100_000; n++) emit({ type: "text", text: "x" }); return 1;',
    ...LIMITED,
  },
  {
    name: "values: an error of 15 MB",
    code: () => `throw new Error(${TEXT});`,
    ends: [...LIMITS, "exception"],
  },
  {
    name: "values: a stack of 15 MB",
    code: () => `const e = new Error("x"); e.stack = ${TEXT}; throw e;`,
    ends: [...LIMITS, "exception"],
  },
  {
    name: "values: a stack of a million places",
    code: () => 'const e = new Error("x"); e.stack = "at program.js:1:1\\n".repeat(800_000); throw e;',
    ends: [...LIMITS, "exception"],
  },
  {
    name: "values: 20 logs with a million places",
    code: () => 'for (let n = 0; n < 20; n++) console.log("program.js:1:1 ".repeat(60_000)); return 1;',
    ...LIMITED,
  },
];

/** The same value by every way to the host. */
function at(what: string, value: string): ProgramCase[] {
  const ways: Readonly<Record<string, string>> = {
    "in arguments": `const v: any = ${value}; await Promise.all([1, 2, 3].map(() => math.addUp({ numbers: [1], v } as any))); return 1;`,
    emitted: `const v: any = ${value}; emit(v); emit({ type: "text", text: "x", v } as any); return 1;`,
    returned: `return ${value};`,
    logged: `const v: any = ${value}; console.log(v); console.log(JSON.stringify(v)); return 1;`,
    thrown: `const v: any = ${value}; throw v;`,
    "in a search": `const v: any = ${value}; return await searchTools(v, v);`,
  };
  return Object.entries(ways).map(([way, text]) => ({
    name: `values: ${what}, ${way}`,
    code: () => text,
    // What is thrown is the program's own error, with its own words.
    ...(way === "thrown" ? { ...LIMITED, says: /./ } : LIMITED),
  }));
}
