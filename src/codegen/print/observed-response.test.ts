import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkPython, checkTypeScript, writeFiles } from "../../../test/fixtures/codegen/checkers.ts";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { observe } from "../../catalog/observed/observe.ts";
import { settle } from "../../catalog/observed/settle.ts";
import { emptyShape } from "../../catalog/observed/shape.ts";
import { toSchema } from "../../catalog/observed/to-schema.ts";
import { findMisfits } from "../../schema/misfits.ts";
import { parseOutputSchema } from "../../schema/parse-schema.ts";
import { PRINTERS } from "../printers.ts";
import { toPythonWrapper } from "../python/python-wrapper.ts";
import { toTree } from "../tree.ts";
import { toTypeScriptSignature } from "../typescript/signature.ts";
import { toTypeScriptWrapper } from "../typescript/typescript-wrapper.ts";

const SCHEMA = {
  type: "object",
  properties: {
    id: { type: "integer" },
    state: { type: "string", "x-known-values": ["closed", "open"] },
    states: { type: "array", items: { type: "string", "x-known-values": ["closed", "open"] } },
    due: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
    prices: { type: "object", additionalProperties: { type: "number" } },
  },
  required: ["id"],
};
const tool = toolRecord({
  name: "list_issues",
  identifiers: { typescript: "listIssues", python: "list_issues" },
  observed: { schema: SCHEMA, calls: 14 },
});
const server = serverRecord("github", [tool]);

describe("an observed response", () => {
  it("is the wrapper's type, marked with the number of calls", () => {
    const { code } = toTypeScriptWrapper(tool, server);
    expect(code).toContain(`export interface ListIssuesResponse {
  id: number;
  state?: "closed" | "open" | (string & {});
  states?: ("closed" | "open" | (string & {}))[];
  /** date */
  due?: string | null;
  prices?: { [key: string]: number };
  [key: string]: unknown;
}`);
    expect(code).toContain(" * @returns Response type observed in 14 calls; it may have other forms.\n");
  });

  it("is the same in Python", () => {
    const { code } = toPythonWrapper(tool, server);
    expect(code).toContain('    state: NotRequired[Literal["closed", "open"] | str]\n');
    expect(code).toContain('    states: NotRequired[list[Literal["closed", "open"] | str]]\n');
    expect(code).toContain("Response type observed in 14 calls; it may have other forms.\n");
  });

  it("is in the signature that a search shows, with a short mark", () => {
    const { code } = toTypeScriptSignature(tool, server, "whole");
    expect(code).toBe(
      'github.listIssues(input?: Record<string, unknown>): Promise<{ id: number; state?: "closed" | "open" | string; ' +
        'states?: ("closed" | "open" | string)[]; due?: string | null; prices?: { [key: string]: number } }> ' +
        "// result observed in 14 calls",
    );
  });

  it("gives way to a declared one, of which contradictions are told", () => {
    const declared = toolRecord({
      name: "t",
      outputSchema: { type: "object", properties: { a: { type: "string" } } },
      contradictions: [
        { path: "a", expected: "string", seen: "null", count: 3 },
        { path: "b", expected: "string", seen: "null", count: 1 },
      ],
    });
    const { code } = toTypeScriptWrapper(declared, serverRecord("s", [declared]));
    expect(code).toContain(
      '@returns Results have contradicted the declared response type: "a" is null instead of string (3 times), and 1 more.',
    );
  });
});

describe("what was observed", () => {
  const key = fc.oneof(
    fc.constantFrom("id", "items", "status", "user name", "constructor", "toString"),
    fc.string(),
  );
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(null, true, 1, 2.5, "open", "closed", "2024-05-06", "17", "a text"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value"), { maxKeys: 5 }),
    ),
  })).value;
  const learn = (values: readonly unknown[]) => {
    const shape = emptyShape();
    for (const value of values) observe(shape, value, shape);
    return toSchema(settle(shape));
  };

  it("always fits the type that was learned from it, however much is learned after it", () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 1, maxLength: 8 }), (values) => {
        const { type } = parseOutputSchema(learn(values));
        for (const value of values) expect(findMisfits(value, type)).toEqual([]);
      }),
    );
  });

  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "keyhole-observed-"));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it("is printed as code that compilers of both languages take, with its own results", async () => {
    const samples = fc.sample(fc.array(json, { minLength: 1, maxLength: 6 }), { numRuns: 40, seed: 5 });
    const tools = samples.map((values, index) =>
      toolRecord({
        name: `t${index}`,
        identifiers: { typescript: `t${index}`, python: `t${index}` },
        observed: { schema: learn(values), calls: values.length },
      }),
    );
    const record = serverRecord("observed", [...tools, tool]);
    const uses = samples.map((values, index) => {
      const lines = values.map(
        (value, at) => `export const v${at}: T${index}Response = ${toLiteral(value)};`,
      );
      return [
        `use${index}.ts`,
        [`import type { T${index}Response } from "./observed/t${index}.js";`, ...lines].join("\n"),
      ] as const;
    });
    const files = toTree([record], PRINTERS.typescript).files;
    await writeFiles(join(dir, "ts"), new Map([...files, ...uses]));
    expect(await checkTypeScript(join(dir, "ts"))).toEqual([]);
    await writeFiles(join(dir, "py"), toTree([record], PRINTERS.python).files);
    expect(await checkPython(join(dir, "py"))).toMatchObject({ errors: [] });
  });

  /** `__proto__: 1` would set a prototype, and is no result of a tool either. */
  function toLiteral(value: unknown): string {
    return JSON.stringify(value).replaceAll('"__proto__"', '["__proto__"]');
  }
});
