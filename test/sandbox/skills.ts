import { describe, expect, it } from "vitest";
import type {
  Host,
  ProgramSkill,
  RunOutcome,
  Sandbox,
  SandboxRunOptions,
} from "../../src/sandbox/sandbox.ts";

const ECHO: Host = { callTool: async (server, tool, args) => ({ server, tool, args }) };
const IMPORT = "const load = (name) => globalThis.__keyhole.importSkill(name);";

const COUNTS: ProgramSkill = {
  name: "counts",
  code: "let count = 0; count++; return [['count', () => count], ['up', () => () => ++count], ['default', () => 'whole']];",
};
const OVER: ProgramSkill = {
  name: "over-it",
  code: "const { up } = await globalThis.__keyhole.importSkill('counts'); await null; const first = up(); return [['first', () => first], ['up', () => up]];",
};
const FAILS: ProgramSkill = {
  name: "fails",
  code: [
    "",
    "function fail() {",
    "  throw new RangeError('out of range');",
    "}",
    "const wait = () => globalThis.__keyhole.awaiting('5:6 fails', new Promise(() => {}));",
    "const call = async () => await globalThis.__keyhole.awaiting('6:7 fails', github.nope({}));",
    "return [['fail', () => fail], ['wait', () => wait], ['call', () => call]];",
  ].join("\n"),
};
const AT_ONCE: ProgramSkill = { name: "at-once", code: "\nthrow new Error('at load');" };

/** What every tier must do with skills in JavaScript. */
export function testSkills(world: () => { sandbox: Sandbox }): void {
  const { returned, failed } = createRuns(world);

  describe("skills", () => {
    it("are modules, each made once, that share the program's world", async () => {
      const code = `${IMPORT}
        const [a, b, over] = await Promise.all([load("counts"), load("counts"), load("over-it")]);
        over.up();
        globalThis.shared = 1;
        return [a === b, a.count, over.first, a.default, Object.keys(a), Object.getPrototypeOf(a), JSON.stringify(a)];`;
      expect(await returned(code, [COUNTS, OVER])).toEqual([
        ...[true, 3, 2, "whole", ["count", "up", "default"], null],
        '{"count":3,"default":"whole"}',
      ]);
    });

    it("are made at their first import, and not before", async () => {
      expect(await returned("return 1", [AT_ONCE])).toBe(1);
      const code = `${IMPORT}
        const errors = [];
        for (const _ of [1, 2]) await load("at-once").catch((error) => errors.push(error));
        return [errors[0].message, errors[0] === errors[1]];`;
      expect(await returned(code, [AT_ONCE])).toEqual(["at load", true]);
    });

    it("tell their own places when they fail", async () => {
      const thrown = await failed(`${IMPORT}\nconst { fail } = await load("fails");\n\nfail();`, [FAILS]);
      expect(thrown).toMatchObject({
        kind: "exception",
        name: "RangeError",
        location: { line: 4, column: 1 },
        stack: [{ line: 3, column: 9, skill: "fails", function: "fail" }, { line: 4 }],
      });
      expect(await failed(`${IMPORT}\nawait load("at-once");`, [AT_ONCE])).toMatchObject({
        message: "at load",
        location: { line: 1 },
        stack: [{ line: 2, column: 7, skill: "at-once" }, { line: 1 }, { line: 2 }],
      });
      const stuck = await failed(`${IMPORT}\nawait (await load("fails")).wait();`, [FAILS]);
      expect(stuck).toMatchObject({
        kind: "stuck",
        message: expect.stringContaining("skills/fails/index.ts:5 awaits"),
        source: { line: 5, column: 6, skill: "fails" },
      });
    });

    it("call tools as the program does, whose failures keep what they are", async () => {
      const host: Host = {
        callTool: async (_server, tool) => {
          throw Object.assign(new Error(`no ${tool}`), { code: "tool_failed" });
        },
      };
      const code = `${IMPORT}
        const { call } = await load("fails");
        try { await call() } catch (error) { return [error instanceof ToolError, error.server, error.tool] }`;
      expect(await returned(code, [FAILS], host)).toEqual([true, "github", "nope"]);
    });

    it("are there by their names alone", async () => {
      for (const name of ["nope", "__proto__", "constructor", "toString", ""])
        expect(
          await returned(`${IMPORT} return load(${JSON.stringify(name)}).catch((e) => e.message)`, [COUNTS]),
        ).toContain("There is no skill");
    });
  });
}

/** Whatever a skill does to the guest, it does to its own run. */
export function testHostileSkills(world: () => { sandbox: Sandbox }): void {
  const { returned, outcomeOf } = createRuns(world);

  describe("hostile skills", () => {
    it.each([
      [
        "breaks what modules are made with",
        "Object.defineProperty = Object.create = Map.prototype.get = null; return [];",
      ],
      [
        "takes the program's frames for its own",
        "globalThis.__keyhole = { importSkill: () => 7 }; return [];",
      ],
      [
        "exports a trap",
        "return [['a', () => { throw new Error('trap') }], ['then', () => (done) => done(1)]];",
      ],
      ["exports what is none", "return { length: 1e9 };"],
      ["exports names of what all have", "return [['__proto__', () => 1], ['constructor', () => 2]];"],
      ["never ends", "for (;;);"],
      ["takes all of the memory", "const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1));"],
      ["has a stack without an end", "const deep = () => deep(); deep();"],
      ["pretends to be the program", "throw new Error('x');\n//# sourceURL=keyhole:program"],
    ])("one that %s", async (_what, code) => {
      const outcome = await outcomeOf(
        `${IMPORT}\nawait load("hostile");\nreturn 1;`,
        [{ name: "hostile", code }],
        {
          limits: { cpuMs: 1_500, memoryBytes: 256 * 1024 * 1024 },
        },
      );
      expect(typeof outcome.ok).toBe("boolean");
      expect(await returned(`${IMPORT} return (await load("counts")).count`, [COUNTS])).toBe(1);
    });

    it("1,000 of them, of which each imports the one before", async () => {
      const skills = Array.from({ length: 1_000 }, (_, at) => ({
        name: `skill-${at}`,
        code:
          at === 0
            ? "return [['n', () => 0]];"
            : `const { n } = await globalThis.__keyhole.importSkill('skill-${at - 1}'); return [['n', () => n + 1]];`,
      }));
      expect(await returned(`${IMPORT} return (await load("skill-999")).n`, skills)).toBe(999);
    });
  });
}

function createRuns(world: () => { sandbox: Sandbox }) {
  const outcomeOf = (
    code: string,
    skills: readonly ProgramSkill[],
    options: SandboxRunOptions = {},
    host = ECHO,
  ): Promise<RunOutcome> => world().sandbox.run({ code, servers: ["github"], skills }, host, options);
  return {
    outcomeOf,
    async returned(code: string, skills: readonly ProgramSkill[], host?: Host) {
      const outcome = await outcomeOf(code, skills, {}, host);
      if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
      return outcome.value;
    },
    async failed(code: string, skills: readonly ProgramSkill[]) {
      const outcome = await outcomeOf(code, skills);
      if (outcome.ok) throw new Error(`It returned ${JSON.stringify(outcome.value)}`);
      return outcome.error;
    },
  };
}
