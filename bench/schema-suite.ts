import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPrintBudget } from "../src/codegen/print/print-budget.ts";
import { createTypeNames } from "../src/codegen/print/type-names.ts";
import { toTypeScriptDeclaration } from "../src/codegen/typescript/typescript.ts";
import type { Direction } from "../src/schema/object-keys.ts";
import { parseSchema } from "../src/schema/parse-schema.ts";
import { toTypeScriptString } from "../src/text/doc-text.ts";
import { checkTypeScript, writeFiles } from "../test/fixtures/codegen/checkers.ts";
import { read } from "./eval-tools.ts";
import type { BenchOptions, BenchTable } from "./suite.ts";

const DRAFTS = ["draft7", "draft2020-12"] as const;
const FOLDER = "schema/JSON-Schema-Test-Suite";

/** Keywords whose meaning a type can carry whole or in part. All others bound values, which no type does. */
const EXPRESSIBLE = new Set(
  (
    "type properties required items prefixItems additionalItems additionalProperties enum const anyOf oneOf allOf " +
    "$ref $defs definitions $id $anchor $schema $comment default title description"
  ).split(" "),
);

type Case = {
  readonly draft: string;
  readonly name: string;
  readonly schema: unknown;
  readonly tests: readonly Test[];
};
type Test = { readonly description: string; readonly data: unknown; readonly valid: boolean };
type Tally = { cases: number; accepted: number; valid: number; rejected: number; invalid: number };

/**
 * Assigns each instance of the JSON-Schema-Test-Suite, written as a literal, to the type of its schema, and lets the
 * compiler decide.
 */
export async function runSchemaSuite(options: BenchOptions) {
  const cases = await loadCases(options.dataDir);
  const rows: (readonly (string | number)[])[] = [];
  const misses: string[] = [];
  const notes: string[] = [];
  for (const direction of ["output", "input"] as const) {
    const verdicts = await judge(cases, direction);
    for (const draft of DRAFTS) {
      for (const isExpressible of [true, false]) {
        const tally = toTally(
          verdicts,
          (one) => one.draft === draft && canExpress(one.schema) === isExpressible,
        );
        const kind = isExpressible ? "types can express" : "other keywords";
        const mode = direction === "output" ? "open (output)" : "closed (input)";
        const valid = `${tally.accepted}/${tally.valid}`;
        rows.push([mode, draft, kind, tally.cases, valid, `${tally.rejected}/${tally.invalid}`]);
        if (direction === "output" && tally.accepted < tally.valid) {
          misses.push(`${draft}, ${kind}: ${tally.valid - tally.accepted} valid instances refused`);
        }
      }
    }
    const label = direction === "output" ? "refused" : "refused when closed";
    for (const { one, test, isRefused } of verdicts) {
      if (test.valid && isRefused) notes.push(`${label}: ${one.draft}/${one.name}: ${test.description}`);
    }
    if (direction === "output") notes.push(...missedNotes(verdicts));
  }
  const columns = ["mode", "draft", "cases with", "cases", "valid accepted", "invalid rejected"];
  const tables: BenchTable[] = [{ title: "JSON-Schema-Test-Suite, judged by tsc", columns, rows }];
  return { tables, misses, notes };
}

async function loadCases(dataDir: string): Promise<Case[]> {
  const cases: Case[] = [];
  for (const draft of DRAFTS) {
    await read(dataDir, join(FOLDER, draft, "type.json"));
    const files = (await readdir(join(dataDir, FOLDER, draft))).filter((file) => file.endsWith(".json"));
    for (const file of files.sort()) {
      if (file === "refRemote.json") continue;
      const groups: { description: string; schema: unknown; tests: Test[] }[] = JSON.parse(
        await read(dataDir, join(FOLDER, draft, file)),
      );
      for (const { description, schema, tests } of groups) {
        cases.push({ draft, name: `${file} ${description}`, schema: withDialect(schema, draft), tests });
      }
    }
  }
  return cases;
}

/** The draft 7 files leave out which draft they are in. */
function withDialect(schema: unknown, draft: string): unknown {
  if (draft !== "draft7" || typeof schema !== "object" || schema === null) return schema;
  return { $schema: "http://json-schema.org/draft-07/schema#", ...schema };
}

type Verdict = { readonly one: Case; readonly test: Test; readonly isRefused: boolean };

async function judge(cases: readonly Case[], direction: Direction): Promise<Verdict[]> {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-suite-"));
  try {
    const files = cases.map((one, index) => [`case${index}.ts`, toProgram(one, direction)] as const);
    await writeFiles(dir, files);
    const refused = new Set((await checkTypeScript(dir)).map((error) => `${error.file}:${error.line}`));
    const stray = [...refused].filter((place) => !/^case\d+\.ts:\d+$/.test(place));
    if (stray.length > 0) throw new Error(`The compiler failed: ${stray[0]}`);
    return cases.flatMap((one, index) => {
      const start = one.tests.map((test, line) => ({ test, place: `case${index}.ts:${line + 1}` }));
      const declared = [...refused].find((place) => {
        const [file, line] = place.split(":");
        return file === `case${index}.ts` && Number(line) > one.tests.length;
      });
      if (declared !== undefined) throw new Error(`The type of "${one.name}" does not compile`);
      return start.map(({ test, place }) => ({ one, test, isRefused: refused.has(place) }));
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The instances first, one a line, so that the line of an error names the test. */
function toProgram(one: Case, direction: Direction): string {
  const names = createTypeNames(["Subject", "Record", "Object"], "Part");
  const context = { direction, names, budget: createPrintBudget() };
  const declarations = [toTypeScriptDeclaration("Subject", parseSchema(one.schema).type, context)];
  for (let due = names.nextDue(); due !== undefined; due = names.nextDue()) {
    declarations.push(toTypeScriptDeclaration(due.name, due.target.type, context));
  }
  const tests = one.tests.map((test, index) => `export const t${index}: Subject = ${toLiteral(test.data)};`);
  return `${[...tests, ...declarations].join("\n")}\n`;
}

function toLiteral(value: unknown): string {
  if (typeof value === "string") return toTypeScriptString(value);
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  // Computed, because a plain `__proto__` would set the prototype instead of a property.
  const entries = Object.entries(value).map(
    ([key, item]) => `[${toTypeScriptString(key)}]: ${toLiteral(item)}`,
  );
  return `{ ${entries.join(", ")} }`;
}

function toTally(verdicts: readonly Verdict[], isMeant: (one: Case) => boolean): Tally {
  const chosen = verdicts.filter(({ one }) => isMeant(one));
  const valid = chosen.filter(({ test }) => test.valid);
  const invalid = chosen.filter(({ test }) => !test.valid);
  return {
    cases: new Set(chosen.map(({ one }) => one)).size,
    valid: valid.length,
    accepted: valid.filter(({ isRefused }) => !isRefused).length,
    invalid: invalid.length,
    rejected: invalid.filter(({ isRefused }) => isRefused).length,
  };
}

/** Invalid instances that pass although types could express the keywords: where, and how many. */
function missedNotes(verdicts: readonly Verdict[]): string[] {
  const counts = new Map<string, number>();
  for (const { one, test, isRefused } of verdicts) {
    if (test.valid || isRefused || !canExpress(one.schema)) continue;
    const key = `${one.draft}/${one.name}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `not rejected (${count}): ${key}`);
}

function canExpress(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return true;
  return Object.entries(schema).every(([key, value]: [string, unknown]) => {
    if (!EXPRESSIBLE.has(key)) return false;
    if (["properties", "$defs", "definitions"].includes(key))
      return Object.values(value ?? {}).every(canExpress);
    if (Array.isArray(value) && !["enum", "required", "type"].includes(key)) return value.every(canExpress);
    return ["items", "additionalItems", "additionalProperties"].includes(key) ? canExpress(value) : true;
  });
}
