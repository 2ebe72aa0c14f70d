import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPrintBudget } from "../codegen/print/print-budget.ts";
import { createTypeNames } from "../codegen/print/type-names.ts";
import { toTypeScriptDeclaration, toTypeScriptType } from "../codegen/typescript/typescript.ts";
import type { Direction } from "./object-keys.ts";
import { parseInputSchema, parseOutputSchema, parseSchema } from "./parse-schema.ts";

/** The TypeScript for a schema, with the types it names. */
function print(schema: unknown, direction: Direction = "output"): string {
  const context = { direction, names: createTypeNames(["Record"], "Part"), budget: createPrintBudget() };
  const lines = [toTypeScriptType(parseSchema(schema).type, context)];
  for (let due = context.names.nextDue(); due !== undefined; due = context.names.nextDue()) {
    lines.push(toTypeScriptDeclaration(due.name, due.target.type, context));
  }
  return lines.join("\n").replace(/\s+/g, " ");
}

const input = (schema: unknown) => print(schema, "input");
const closed = { additionalProperties: false };

describe("types", () => {
  test.each([
    [true, "unknown"],
    [false, "never"],
    [{}, "unknown"],
    [{ type: "integer" }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "string", nullable: true }, "string | null"],
    [{ type: "string", enum: ["a", "b"], nullable: true }, '"a" | "b" | null'],
    [{ enum: ["a", 1, true, null] }, '"a" | 1 | true | null'],
    [{ const: { a: [1, "x"] } }, '{ a: [1, "x"] }'],
    [{ type: "string", enum: ["a", 1] }, '"a"'],
    [{ not: {} }, "never"],
    [{ not: { type: ["object", "array"] } }, "string | number | boolean | null"],
    [{ type: "number", not: { type: "integer" } }, "number"],
    [{ not: { required: ["a"] } }, "unknown"],
  ])("%j is %s", (schema, type) => {
    expect(print(schema)).toBe(type);
  });
});

test("a list of values too long to read is the type of the values", () => {
  const values = (length: number) => ({ enum: Array.from({ length }, (_, index) => `v${index}`) });
  expect(print(values(300)).split(" | ")).toHaveLength(300);
  expect(print(values(301))).toBe("string");
});

describe("objects", () => {
  test("an unmentioned property is refused in inputs and kept in outputs", () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    expect(input(schema)).toBe("{ a: string }");
    expect(print(schema)).toBe("{ a: string; [key: string]: unknown }");
  });

  test.each([
    [{ type: "object" }, "Record<string, unknown>"],
    [{ type: "object", ...closed }, "Record<string, never>"],
    [{ type: "object", additionalProperties: { type: "number" } }, "{ [key: string]: number }"],
    [
      { type: "object", properties: { a: { enum: ["x"] } }, additionalProperties: { type: "number" } },
      '{ a?: "x"; [key: string]: number | string | undefined }',
    ],
    [
      { type: "object", patternProperties: { "^x": { type: "string" } }, ...closed },
      "{ [key: string]: string }",
    ],
    [
      { type: "object", required: ["a"], additionalProperties: { type: "string" } },
      "{ a: string; [key: string]: string }",
    ],
    [
      { type: "object", propertyNames: { enum: ["a", "b"] }, additionalProperties: { type: "number" } },
      "{ a?: number; b?: number }",
    ],
  ])("%j", (schema, type) => {
    expect(input(schema)).toBe(type);
  });

  test("a schema without a type admits what is no object, unless its place does not", () => {
    const schema = { properties: { a: { type: "string" } }, ...closed };
    expect(print(schema)).toBe("string | number | boolean | null | unknown[] | { a?: string }");
    expect(print({ type: "object", anyOf: [schema] })).toBe("{ a?: string }");
    expect(print({ type: "object", allOf: [{ $ref: "#/$defs/x" }], $defs: { x: schema } })).toBe(
      "{ a?: string }",
    );
  });
});

describe("arrays", () => {
  test.each([
    [{ type: "array" }, "unknown[]"],
    [{ type: "array", items: { type: ["string", "number"] } }, "(string | number)[]"],
    [{ type: "array", items: false }, "never[]"],
    [
      { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
      "[string?, number?, ...unknown[]]",
    ],
    [{ type: "array", prefixItems: [{ type: "string" }], items: false, minItems: 1 }, "[string]"],
    [
      { type: "array", prefixItems: [true, { type: "number" }], minItems: 1, maxItems: 2 },
      "[unknown, number?]",
    ],
    [
      { type: "array", items: [{ type: "string" }], additionalItems: { type: "number" } },
      "[string?, ...number[]]",
    ],
    [{ type: "array", items: [{ type: "string" }, false] }, "[string?]"],
    [{ type: "array", minItems: 2, items: { type: "string" } }, "string[]"],
  ])("%j is %s", (schema, type) => {
    expect(print(schema)).toBe(type);
  });
});

describe("combinations", () => {
  test("allOf merges objects into one", () => {
    const schema = {
      allOf: [
        { type: "object", properties: { a: { type: "string" } } },
        { type: "object", properties: { a: { enum: ["x", 1] }, b: { type: "integer" } }, required: ["a"] },
      ],
    };
    expect(input(schema)).toBe('{ a: "x"; b?: number }');
  });

  test("what stands beside anyOf holds for each of its members", () => {
    const schema = {
      type: "object",
      properties: { id: { type: "string" } },
      anyOf: [{ required: ["id"] }, { properties: { name: { type: "string" } }, required: ["name"] }],
    };
    expect(input(schema)).toBe("{ id: string } | { id?: string; name: string }");
  });

  test("if with then and else gives both shapes", () => {
    const schema = JSON.parse(`{
      "type": "object",
      "if": { "properties": { "kind": { "const": "a" } } },
      "then": { "required": ["x"] },
      "else": { "required": ["y"] }
    }`);
    expect(input(schema)).toBe('{ kind?: "a"; x: unknown } | { y: unknown }');
    expect(input(JSON.parse('{ "type": "string", "if": true, "then": false }'))).toBe("string");
  });

  test("contradictions are never, and never reaches no required property", () => {
    expect(print({ allOf: [{ type: "string" }, { type: "number" }] })).toBe("never");
    const parsed = parseInputSchema({ type: "object", properties: { a: false }, required: ["a"] });
    expect(parsed.warnings).toEqual(['schema: no value fits the required property "a"']);
  });
});

describe("references", () => {
  test("a recursive type has a name", () => {
    const schema = {
      $ref: "#/$defs/tree",
      $defs: { tree: { type: "array", items: { $ref: "#/$defs/tree" } } },
    };
    expect(print(schema)).toBe("Tree[] type Tree = Tree[];");
  });

  test("the whole document can be meant", () => {
    const schema = { type: "object", properties: { child: { $ref: "#" } }, ...closed };
    expect(print(schema)).toBe("{ child?: Part } interface Part { child?: Part; }");
  });

  test("keywords beside a reference count, but not before draft 2019-09", () => {
    const $defs = { a: { type: "object", properties: { x: { type: "string" } }, ...closed } };
    const schema = { properties: { p: { $ref: "#/$defs/a", required: ["x"] } }, $defs };
    expect(input({ type: "object", ...schema })).toBe("{ p?: { x: string } }");
    const legacy = { $schema: "http://json-schema.org/draft-07/schema#", type: "object", ...schema };
    expect(input(legacy)).toBe("{ p?: A } interface A { x?: string; }");
  });

  test("a referenced type may be null", () => {
    const schema = { $ref: "#/$defs/a", $defs: { a: { type: "string", nullable: true } } };
    expect(print(schema)).toBe("string | null");
  });

  test("two types that hold themselves can be combined", () => {
    const link = (name: string) => ({
      type: "object",
      properties: { next: { $ref: `#/$defs/${name}` } },
      ...closed,
    });
    const schema = {
      allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }],
      $defs: { a: link("a"), b: link("b") },
    };
    expect(print(schema)).toContain("next?: A & B");
  });

  test.each([
    ["itself", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, "says nothing but itself"],
    ["nowhere", { $ref: "#/$defs/b" }, "leads nowhere"],
    ["a web page", { $ref: "https://example.com/a.json" }, "never fetched"],
    ["a file", { $ref: "file:///etc/passwd" }, "never fetched"],
    ["a prototype", { $ref: "#/constructor" }, "leads nowhere"],
  ])("a reference to %s is unknown, with a warning", (_, schema, warning) => {
    expect(print(schema)).toBe("unknown");
    expect(parseSchema(schema).warnings.join()).toContain(warning);
  });
});

describe("malformed schemas", () => {
  test.each([
    [{ type: "any" }, "unknown", 'schema: type "any" is not a JSON type'],
    [{ type: "int" }, "number", 'schema: type "int" is not a JSON type'],
    [{ type: "String" }, "string", 'schema: type "String" is not a JSON type'],
    [{ type: "dict" }, "Record<string, unknown>", 'schema: type "dict" is not a JSON type'],
    [{ type: "list" }, "unknown[]", 'schema: type "list" is not a JSON type'],
    [{ type: [] }, "unknown", 'schema: "type" is an empty list'],
    [{ type: "string", enum: [] }, "string", 'schema: "enum" is not a list of values'],
    [{ type: "string", enum: [1] }, "1", 'schema: no value of "enum" or "const" fits its "type"'],
    [{ anyOf: {} }, "unknown", 'schema: "anyOf" is not a list of schemas'],
    [{ type: "array", items: 3 }, "unknown[]", "items: not a schema; anything is accepted"],
    [{ type: "object", properties: [] }, "Record<string, unknown>", 'schema: "properties" is not an object'],
    [null, "unknown", "schema: not a schema; anything is accepted"],
  ])("%j is usable and named in a warning", (schema, type, warning) => {
    expect(print(schema)).toBe(type);
    expect(parseSchema(schema).warnings).toEqual([warning]);
  });

  test("a warning can't write to the terminal or flood it", () => {
    const properties = { [`\u001b[31m\n${"x".repeat(1000)}`]: { type: `\u001b[2J${"y".repeat(1000)}` } };
    const [warning = ""] = parseInputSchema({ type: "object", properties }).warnings;
    expect(warning).toMatch(/^x+…: type "y+" is not a JSON type$/);
    expect(warning.length).toBeLessThan(500);
  });

  test("a property's path is named", () => {
    const schema = { type: "object", properties: { a: { type: "array", items: { type: "str" } } } };
    expect(parseInputSchema(schema).warnings).toEqual(['a.items: type "str" is not a JSON type']);
  });

  test.each([null, 5, "x", [[]], false, { type: "string" }, { $ref: "#" }, { anyOf: [{ type: "null" }] }])(
    "an input schema that is no object (%j) takes any arguments",
    (schema) => {
      const parsed = parseInputSchema(schema);
      expect(parsed.type).toMatchObject({ kind: "object", properties: [], extra: { kind: "unknown" } });
      expect(parsed.warnings.join()).toContain("does not describe an object");
    },
  );

  test("an output schema that nothing fits is unknown", () => {
    expect(parseOutputSchema(false).type).toEqual({ kind: "unknown" });
  });
});

describe("hostile schemas", () => {
  test("any JSON is read without an error", () => {
    const names = [
      "type",
      "properties",
      "items",
      "prefixItems",
      "anyOf",
      "allOf",
      "enum",
      "required",
      "not",
      "if",
      "$ref",
    ];
    const schemas = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: "medium" },
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...names, "then", "else", "$id"), tie("schema")),
        fc.array(tie("schema"), { maxLength: 3 }),
        fc.constantFrom("object", "array", "#", "#/properties", "#/items", "#/allOf/0", "__proto__"),
      ),
    })).schema;
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(typeof print(schema)).toBe("string");
        expect(typeof input(schema)).toBe("string");
      }),
      { numRuns: 500 },
    );
  });

  test("a schema of a thousand levels is cut off", () => {
    let schema: object = { type: "string" };
    for (let level = 0; level < 1000; level++) schema = { type: "array", items: schema };
    expect(parseSchema(schema).warnings.join()).toContain("nested deeper than 64 levels");
    expect(print(schema)).toContain("unknown");
  });

  test("a web of references costs no more than its schemas", () => {
    const $defs: { [name: string]: unknown } = { d0: { type: "string" } };
    for (let level = 1; level < 200; level++) {
      const ref = { $ref: `#/$defs/d${level - 1}` };
      $defs[`d${level}`] = { type: "object", properties: { a: ref, b: ref, c: ref } };
    }
    expect(print({ $ref: "#/$defs/d199", $defs }).length).toBeLessThan(50_000);
  });

  test("merging that doubles at each level is cut off", () => {
    const $defs: { [name: string]: unknown } = {
      d0: { type: "object", properties: { x: { type: "string" } } },
    };
    for (let level = 1; level < 300; level++) {
      const ref = { $ref: `#/$defs/d${level - 1}` };
      const more = (key: string) => ({ type: "object", properties: { [key]: { type: "string" } } });
      $defs[`d${level}`] = {
        allOf: [ref, more(`a${level}`), { type: "object", properties: { p: { allOf: [ref, more("q")] } } }],
      };
    }
    expect(print({ type: "object", properties: { z: { $ref: "#/$defs/d299" } }, $defs }).length).toBeLessThan(
      5_000_000,
    );
  });

  test("alternatives of alternatives without end are cut off", () => {
    const $defs: { [name: string]: unknown } = {};
    for (let level = 0; level < 60; level++) {
      const next = [{ $ref: `#/$defs/a${level + 1}` }, { $ref: `#/$defs/b${level + 1}` }];
      $defs[`a${level}`] = { anyOf: next };
      $defs[`b${level}`] = { anyOf: [...next].reverse() };
    }
    const leaf = { type: "object", properties: { x: { type: "string" } } };
    const schema = { anyOf: [{ $ref: "#/$defs/a0" }], $defs: { ...$defs, a60: leaf, b60: leaf } };
    expect(typeof print({ ...schema, type: "object", properties: { y: { type: "string" } } })).toBe("string");
    expect(parseInputSchema(schema).type.kind).toBe("union");
  });

  const names = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);
  const ref = (index: number) => ({ $ref: `#/$defs/d${index}` });
  const web = (count: number, toSchema: (index: number) => object) =>
    Object.fromEntries(names(count).map((name, index) => [name, toSchema(index)]));
  const more = (index: number) => ({ type: "object", properties: { [`p${index}`]: {} } });

  test.each([
    ["of parts", { ...ref(0), $defs: web(4000, (index) => ({ allOf: [ref(index + 1), {}] })) }],
    ["of objects", { ...ref(0), $defs: web(4000, (index) => ({ allOf: [ref(index + 1), more(index)] })) }],
    [
      "in rings",
      { ...ref(0), $defs: web(4000, (i) => ({ allOf: [ref((i + 1) % 4000), ref((i * 7 + 1) % 4000)] })) },
    ],
    [
      "in rings of alternatives",
      { ...ref(0), $defs: web(4000, (i) => ({ anyOf: [ref((i + 1) % 4000), more(i)] })) },
    ],
    [
      "named before they are read",
      { properties: web(4000, ref), $defs: web(4000, (index) => ({ allOf: [ref(index + 1), more(index)] })) },
    ],
    [
      "beside one that holds itself",
      {
        allOf: [{ $ref: "#/$defs/self" }, ref(0)],
        $defs: {
          ...web(4000, (index) => ({ type: "object", properties: { p: ref(index + 1) } })),
          self: { type: "object", properties: { p: { $ref: "#/$defs/self" }, q: {} } },
        },
      },
    ],
    [
      "all in one list",
      {
        allOf: names(4000).map((_, index) => ref(index)),
        $defs: web(4000, (index) => ({ allOf: [ref((index + 1) % 4000), more(index)] })),
      },
    ],
  ])("a chain of thousands of references, %s, is read without end of the stack", (_, schema) => {
    const { warnings } = parseInputSchema({ type: "object", ...schema });
    expect(warnings.join()).not.toContain("cannot be read");
    expect(typeof input({ type: "object", ...schema })).toBe("string");
  });

  test("a reference at the end of too long a chain is left open, by name", () => {
    const $defs = { ...web(1000, (index) => ref(index + 1)), d1000: { type: "string" } };
    const { warnings } = parseSchema({ type: "object", properties: { x: ref(0) }, $defs });
    expect(warnings).toContain('schema: $ref to "d501" is one of too long a chain; left open');
  });

  test("a list of thousands of parts is merged into one object", () => {
    const allOf = names(9_000).map((name) => ({ required: [name] }));
    const { type, warnings } = parseInputSchema({ type: "object", allOf });
    expect(type).toMatchObject({ kind: "object", properties: { length: 9_000 } });
    expect(warnings).toEqual([]);
  });

  test("a long object is not merged with thousands of others", () => {
    const base = { type: "object", properties: web(2_000, () => ({ type: "string" })) };
    const parts = web(2_000, (index) => ({ allOf: [{ $ref: "#/$defs/base" }, { required: [`q${index}`] }] }));
    const schema = { type: "object", properties: parts, $defs: { base } };
    expect(parseInputSchema(schema).warnings.join()).toContain("properties of merged objects");
    expect(print(schema).length).toBeLessThan(5_000_000);
  });

  test("a schema is read once, however often its type is printed", () => {
    let reads = 0;
    const schema = {
      type: "object",
      get properties() {
        reads++;
        return { a: { type: "string" } };
      },
    };
    const first = parseInputSchema(schema);
    const once = reads;
    expect(parseInputSchema(schema)).toBe(first);
    expect(reads).toBe(once);
    expect(parseOutputSchema(schema)).not.toBe(first);
    for (let other = 0; other < 1_000; other++) parseInputSchema({ type: "object" });
    expect(parseInputSchema(schema)).not.toBe(first);
  });

  test("more parts than anyone reads are left open", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 25_000 }, (_, index) => [`p${index}`, { type: "string" }]),
    );
    expect(parseInputSchema({ type: "object", properties }).warnings.join()).toContain(
      "more than 20000 parts",
    );
  });
});

describe("what is not read keeps an input open", () => {
  const base = { type: "object", properties: { a: { type: "string" } } };
  const open = "{ a?: string; [key: string]: unknown }";
  test.each([
    ["a condition", JSON.parse('{ "if": { "required": ["a"] }, "then": { "properties": { "b": true } } }')],
    ["a dependency", { dependentSchemas: { a: { properties: { b: true } } } }],
    ["a reference outside", { $ref: "https://example.com/x.json" }],
    ["a part that is no schema", { allOf: [null] }],
  ])("%s", (_, more) => {
    expect(input({ ...base, ...more })).toBe(open);
    expect(input({ ...base, allOf: [more] })).toBe(open);
    expect(input({ allOf: [{ $ref: "#/$defs/base" }, more], $defs: { base } })).toBe(open);
    expect(input({ ...base, additionalProperties: false, ...more })).toBe("{ a?: string }");
  });
});
