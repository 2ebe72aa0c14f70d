import { FINE_OR_TOO_MUCH, NO_PROGRAM, type ProgramCase } from "./case.ts";

/** Texts full of mistakes: a parser that keeps them all pays for each. */
const MISTAKES: Readonly<Record<string, () => string>> = {
  "let;": () => "let;".repeat(40_000),
  "static;": () => "static;".repeat(40_000),
  "super;": () => "super;".repeat(40_000),
  "export ": () => "export ".repeat(40_000),
  "let; on lines": () => "let;\n".repeat(60_000),
  "import ": () => "import ".repeat(40_000),
  "const without a value": () => "const a;".repeat(40_000),
  "the same name again and again": () => "let a;".repeat(60_000),
  "break outside of a loop": () => "break;".repeat(60_000),
  "labels that are not there": () => "continue x;".repeat(40_000),
  "private names": () => "a.#b;".repeat(50_000),
  "wrong escapes": () => '"\\u{110000}";'.repeat(30_000),
  "wrong regular expressions": () => "/[/;".repeat(50_000),
  "opening brackets": () => "{".repeat(200_000),
  "opening template strings": () => "`${".repeat(60_000),
  decorators: () => "@a ".repeat(60_000),
  "type arguments": () => "a<".repeat(100_000),
  "await in the wrong place": () => "function f(){await x}".repeat(20_000),
  "duplicate parameters": () => `(${"a,".repeat(60_000)}) => 1`,
  "assignments to what is no place": () => "1=1;".repeat(60_000),
  "invisible characters": () => `a${"\u200b".repeat(100_000)}b`,
};

/** Right programs that are long in one way. */
const LONG: Readonly<Record<string, () => string>> = {
  "an identifier of 150 KB": () => `const ${"a".repeat(150_000)} = 1; return 1;`,
  "an identifier of 400 KB": () => `const ${"a".repeat(400_000)} = 1; return 1;`,
  "an unknown identifier of 400 KB": () => `return ${"a".repeat(400_000)};`,
  "an identifier of underscores": () => `return ${"u__".repeat(340_000)};`,
  "a server's name of underscores": () => `return await ${"u__".repeat(340_000)}.call({});`,
  "a function's name of 1 MB": () => `return await math.${"add_up__".repeat(125_000)}({});`,
  "a module's name of 1 MB": () => `import { a } from "./servers/${"b-".repeat(500_000)}"; return a;`,
  "a program of 3 MB": () => `/*${"x".repeat(3_000_000)}*/ return 1;`,
  "a million lines": () => `${"\n".repeat(1_000_000)}return 1;`,
  "a mistake after a line of 1 MB": () => `/*${"x".repeat(1_000_000)}*/ return (`,
  "strings in one line, then an exception": () => `"${"x".repeat(500_000)}"; throw new Error("here");`,
  "a million statements": () => `${";".repeat(1_000_000)}return 1;`,
  "50,000 functions": () => `${numbered(50_000, (n) => `function f${n}(){}`)}return 1;`,
  "100,000 names": () => `${numbered(100_000, (n) => `let a${n};`)}return 1;`,
  "20,000 names of servers that are not there": () =>
    `return [${numbered(20_000, (n) => `typeof s${n}.tool,`)}];`,
  "20,000 awaited calls": () =>
    `if (false) {${numbered(20_000, (n) => `await math.addUp({numbers:[${n}]});`)}} return 1;`,
  "30,000 wrong calls": () => numbered(30_000, (n) => `await math.addUp({ numbers: "${n}" });`),
  "30,000 calls of misspelt functions": () => numbered(30_000, (n) => `await math.adUp${n}({});`),
};

/** One thing again and again, and nothing else: what looks for a pattern in it may look from every place. */
const REPEATED: Readonly<Record<string, () => string>> = {
  "an identifier of 400 KB": () => "a".repeat(400_000),
  "an identifier with underscores": () => "u__".repeat(340_000),
  "an identifier in camel case": () => "aB".repeat(200_000),
  "an identifier with digits": () => `a${"1".repeat(400_000)}`,
  "a called identifier": () => `${"a".repeat(400_000)}()`,
  "a name with dashes": () => "a-".repeat(200_000),
  "a name with dots": () => `${"a.".repeat(200_000)}a`,
  digits: () => "1".repeat(500_000),
  spaces: () => `${" ".repeat(1_000_000)}x`,
  "lines and spaces": () => `${"\n ".repeat(400_000)}x`,
  backticks: () => "`".repeat(500_001),
  "Markdown fences": () => "```ts\n".repeat(100_000),
  "fences with words": () => `${"```\nword\n".repeat(80_000)}`,
  "comments' beginnings": () => "/*".repeat(400_000),
  backslashes: () => "\\".repeat(500_000),
  words: () => "word ".repeat(180_000),
  "words and commas": () => "a,".repeat(400_000),
  "letters of two units": () => "\u{1d49c}".repeat(200_000),
  JSON: () => `[${"{},".repeat(300_000)}{}]`,
  "servers' names": () => "math.".repeat(150_000),
  "servers' calls": () => "math__add_up(".repeat(70_000),
};

/** Right programs that are deep in one way. */
const DEEP: Readonly<Record<string, () => string>> = {
  brackets: () => `return ${"(".repeat(20_000)}1${")".repeat(20_000)};`,
  arrays: () => `return ${"[".repeat(20_000)}1${"]".repeat(20_000)};`,
  objects: () => `return ${"{a:".repeat(20_000)}1${"}".repeat(20_000)};`,
  functions: () => `return ${"()=>".repeat(20_000)}1;`,
  blocks: () => `${"{".repeat(20_000)}${"}".repeat(20_000)} return 1;`,
  "template strings": () => `return ${"`${".repeat(5_000)}1${"}`".repeat(5_000)};`,
  "a sum of 200,000": () => `return ${"1+".repeat(200_000)}1;`,
  "a chain of 100,000": () => `return globalThis${"?.a".repeat(100_000)};`,
  negations: () => `return ${"!".repeat(100_000)}1;`,
  conditions: () => `return ${"1?".repeat(20_000)}1${":1".repeat(20_000)};`,
  "else if": () => `${"if(0);else ".repeat(20_000)}; return 1;`,
  awaits: () => `return ${"await ".repeat(100_000)}1;`,
  calls: () => `return ${"f(".repeat(20_000)}1${")".repeat(20_000)};`,
};

/** What is imported by the thousand from a server of 3,000 tools. */
const IMPORTS: Readonly<Record<string, () => string>> = {
  "26,000 imports of 3,000 tools": () =>
    `import { ${numbered(26_000, (n) => `big${n % 3_000} as a${n}, `)} } from "./servers/big"; return 1;`,
  "10,000 import statements": () =>
    `${numbered(10_000, (n) => `import * as a${n} from "./servers/big/big-${n % 3_000}.ts";`)} return 1;`,
  "10,000 imports of what there is not": () =>
    `import { ${numbered(10_000, (n) => `bog${n}, `)} } from "./servers/big"; return 1;`,
  "10,000 modules of Node": () => `${numbered(10_000, (n) => `import * as a${n} from "node:fs";`)} return 1;`,
  "10,000 exports": () => `${numbered(10_000, (n) => `export const a${n} = 1;`)}`,
};

export const TEXT_CASES: readonly ProgramCase[] = [
  ...toCases("mistakes", MISTAKES, NO_PROGRAM),
  ...toCases("long", LONG, {
    ...FINE_OR_TOO_MUCH,
    ends: [...FINE_OR_TOO_MUCH.ends, "exception", "import", "tool_error"],
  }),
  ...toCases("repeated", REPEATED, {
    ...FINE_OR_TOO_MUCH,
    ends: [...FINE_OR_TOO_MUCH.ends, "exception"],
    says: /./,
  }),
  ...toCases("deep", DEEP, { ...FINE_OR_TOO_MUCH, ends: [...FINE_OR_TOO_MUCH.ends, "exception"] }),
  ...toCases("imports", IMPORTS, { ...FINE_OR_TOO_MUCH, ends: [...FINE_OR_TOO_MUCH.ends, "import"] }),
];

function toCases(
  group: string,
  table: Readonly<Record<string, () => string>>,
  expected: Pick<ProgramCase, "ends" | "says">,
): ProgramCase[] {
  return Object.entries(table).map(([name, code]) => ({ name: `${group}: ${name}`, code, ...expected }));
}

function numbered(count: number, toText: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => toText(n)).join("");
}
