import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import { observe } from "../../../catalog/observed/observe.ts";
import { settle } from "../../../catalog/observed/settle.ts";
import { emptyShape } from "../../../catalog/observed/shape.ts";
import { toSchema } from "../../../catalog/observed/to-schema.ts";
import type { JsonSchema, ToolRecord } from "../../../catalog/tool.ts";
import { type Checker, createChecker } from "../check/checker.ts";
import { checkedTypes } from "../check/declarations.ts";

let observed: { schema: JsonSchema; calls: number } | undefined;
const issues: ToolRecord = {
  ...toolRecord({ name: "list_issues", identifiers: { typescript: "listIssues", python: "list_issues" } }),
  get observed() {
    return observed;
  },
};
const declared = toolRecord({
  name: "getUser",
  outputSchema: { type: "object", properties: { login: { type: "string" } }, required: ["login"] },
});
const contradicted = {
  ...declared,
  name: "getTeam",
  identifiers: { typescript: "getTeam", python: "get_team" },
  contradictions: [{ path: "login", expected: "string", seen: "nothing", count: 2 }],
};
const ISSUES = {
  type: "object",
  properties: {
    issues: { type: "array", items: { type: "object", properties: { title: { type: "string" } } } },
  },
};
const SERVER = serverRecord("github", [issues, declared, contradicted]);

let checker: Checker;
beforeAll(() => {
  checker = createChecker({ servers: () => [SERVER], timeoutMs: 20_000 });
});
afterAll(() => checker.close());

async function check(source: string) {
  const prepared = await checker.prepare(source);
  if (!prepared.ok) throw new Error(prepared.error.message);
  return checker.check(source, prepared);
}

describe("a type that was observed", () => {
  it("is a hint where a program does not fit it, and the program passes", async () => {
    observed = { schema: ISSUES, calls: 3 };
    expect(await check("const r = await github.listIssues({});\nreturn r.items;")).toEqual({
      ok: true,
      hints: [
        "2:10 Property 'items' does not exist on the observed result of github.listIssues; " +
          "observed: { issues?: { title?: string }[] }",
      ],
    });
    expect(await check("return (await github.listIssues({})).issues.map((i) => i.titel);")).toMatchObject({
      ok: true,
      hints: [
        expect.stringMatching(/^1:58 Property 'titel' .*; by the observed result of github\.listIssues$/),
      ],
    });
  });

  it("is named where several were observed and only one can be meant", async () => {
    observed = { schema: ISSUES, calls: 3 };
    const source =
      "await github.getTeam({});\nreturn (await github.listIssues({})).issues.map((i) => i.owner);";
    expect(await check(source)).toMatchObject({
      ok: true,
      hints: [
        expect.stringMatching(/^2:\d+ Property 'owner' .*; by the observed result of github\.listIssues$/),
      ],
    });
  });

  it("says nothing to a program that fits it", async () => {
    observed = { schema: ISSUES, calls: 3 };
    expect(await check("return (await github.listIssues({})).issues.map((i) => i.title.trim());")).toEqual({
      ok: true,
    });
  });

  it("leaves other mistakes what they are", async () => {
    observed = { schema: ISSUES, calls: 3 };
    const result = await check(
      "const r = await github.listIssues({});\nconsole.log(r.items);\nreturn github.getUsr();",
    );
    expect(result).toMatchObject({ ok: false, error: { errors: [{ line: 3 }] } });
    expect(await check("return (await github.getUser({})).name;")).toMatchObject({ ok: false });
  });

  it("is used from the moment it changes, and only its own types are made anew", async () => {
    observed = undefined;
    expect(await check("return (await github.listIssues({})).items;")).toEqual({ ok: true });
    const other = checkedTypes(declared, SERVER);
    observed = { schema: ISSUES, calls: 1 };
    expect(await check("return (await github.listIssues({})).items;")).toMatchObject({
      ok: true,
      hints: [/./],
    });
    const before = checkedTypes(issues, SERVER);
    observed = { ...observed, calls: 2 };
    expect(checkedTypes(issues, SERVER)).toBe(before);
    observed = { schema: { type: "object", properties: { items: {} } }, calls: 3 };
    expect(await check("return (await github.listIssues({})).items;")).toEqual({ ok: true });
    expect(checkedTypes(declared, SERVER)).toBe(other);
  });

  it("tells three hints and how many more there are", async () => {
    observed = { schema: ISSUES, calls: 3 };
    const reads = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `r.${name}`).join(", ");
    const result = await check(`const r = await github.listIssues({}); return [${reads}];`);
    expect(result).toMatchObject({
      ok: true,
      hints: [/'a'/, /'b'/, /'c'/, /^and 4 more$/].map((line) => expect.stringMatching(line)),
    });
  });

  it("is told in few words, however long it is", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`field_${n}`, { type: "string" }]),
    );
    observed = { schema: { type: "array", items: { type: "object", properties } }, calls: 3 };
    const result = await check("return (await github.listIssues({}))[0].titel;");
    expect(result).toMatchObject({ ok: true, hints: [expect.stringContaining("'titel'")] });
    expect(JSON.stringify(result).length).toBeLessThan(400);
  });

  it("never keeps a program from being checked, whatever results there were", async () => {
    for (const values of fc.sample(
      fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 4 }),
      40,
    )) {
      const shape = emptyShape();
      for (const value of values) observe(shape, value);
      observed = { schema: toSchema(settle(shape)), calls: values.length };
      expect(await check("const r: any = await github.listIssues({}); return [r.a, r[0]];")).toEqual({
        ok: true,
      });
      expect(await check("return github.listIsues({});")).toMatchObject({ ok: false });
    }
  });

  it("and a declared one that results contradict is a hint too", async () => {
    expect(await check("return (await github.getTeam({})).members;")).toMatchObject({
      ok: true,
      hints: [
        expect.stringContaining("the declared result of github.getTeam; declared, but contradicted before: "),
      ],
    });
  });
});
