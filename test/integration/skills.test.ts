import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkProgram } from "../../src/engine/check-program.ts";
import { toSkillProgram, toTestProgram } from "../../src/engine/skills/call-skill.ts";
import { createSession } from "../../src/session.ts";
import { openEngine, reopenEngine } from "../fixtures/engine.ts";
import { fixture, tempDir } from "../fixtures/project.ts";

const SERVERS = { math: fixture("math") };
const client = { name: "test" };
const as = (principal: string) => createSession({ client, principal });

type Opened = Awaited<ReturnType<typeof openEngine>>["engine"];

async function resultOf(engine: Opened, code: string, more: object = {}) {
  const ended = await engine.run({ code, ...more });
  expect(ended, ended.text).toMatchObject({ ok: true });
  return ended.result;
}

async function errorOf(engine: Opened, code: string, more: object = {}) {
  const ended = await engine.run({ code, ...more });
  expect(ended.ok, ended.text).toBe(false);
  return ended.error;
}

const TYPESCRIPT = {
  language: "typescript",
  skill: {
    name: "sum-up",
    description: "Adds up numbers",
    tags: ["numbers"],
    code: `/** Adds all numbers. */
export async function sumUp(numbers: number[]): Promise<number> {
  return (await math.addUp({ numbers })).sum;
}
`,
  },
  save: (skill: object) => `return await saveSkill(${JSON.stringify(skill)})`,
  use: 'import { sumUp } from "./skills/sum-up"; return sumUp([1, 2, 3])',
  wrong: "export const f = () => math.nothing({});",
  file: "index.ts",
};
const PYTHON = {
  language: "python",
  skill: {
    name: "sum-up",
    description: "Adds up numbers",
    tags: ["numbers"],
    code: `async def sum_up(numbers):
    """Adds all numbers."""
    return (await math.add_up(numbers=numbers))["sum"]
`,
  },
  save: (skill: object) => `return save_skill(${JSON.stringify(skill)})`,
  use: "from skills.sum_up import sum_up\nreturn await sum_up([1, 2, 3])",
  wrong: "async def f():\n    return await math.nothing()\n",
  file: "__init__.py",
};

describe.each([TYPESCRIPT, PYTHON])("a skill in $language", ({ language, skill, save, use, wrong, file }) => {
  it("is saved by a program, counted, and used by others, also after a restart", async () => {
    const { engine, opened } = await openEngine(SERVERS);
    const saved = await resultOf(engine, save(skill), { language });
    expect(saved).toMatchObject({
      name: "sum-up",
      version: 1,
      status: "ready",
      exports: [{ kind: "function" }],
    });
    expect(saved).not.toHaveProperty("problem");
    expect(await readFile(join(opened.dir, "skills/sum-up", file), "utf8")).toBe(skill.code);
    expect(await resultOf(engine, use, { language })).toBe(6);
    const { engine: other } = await reopenEngine(opened.dir);
    expect(await resultOf(other, use, { language })).toBe(6);
    await other.skills.store.look();
    const { version, uses, successes, tools } = other.skills.store.get("sum-up") ?? {};
    expect([version, uses, successes]).toEqual([1, 2, 2]);
    expect(tools).toEqual([{ server: "math", tool: "add_up", hash: expect.stringMatching(/./) }]);
  });

  it("that is wrong is not saved, and the program is told why and where", async () => {
    const { engine } = await openEngine(SERVERS);
    const error = await errorOf(engine, save({ ...skill, code: wrong }), { language });
    expect(error).toMatchObject({ kind: "tool_error", code: "bad_arguments" });
    expect(error?.message).toMatch(new RegExp(`skills/sum-up/${file}:\\d+:\\d+: .*Nothing was saved`, "s"));
    expect(engine.skills.store.list()).toEqual([]);
  });

  it("with something personal in it is not saved", async () => {
    const { engine } = await openEngine(SERVERS);
    const code = `${skill.code}\n${language === "python" ? "#" : "//"} ask jane.doe@corp-mail.com\n`;
    const error = await errorOf(engine, save({ ...skill, code }), { language });
    expect(error).toMatchObject({ kind: "tool_error", code: "denied" });
    expect(error?.message).toMatch(/has a (personal value|token for a personal value)/);
  });
});

describe("skills of several principals", () => {
  it("are their author's until somebody approves them, and changed by their author alone", async () => {
    const { engine } = await openEngine(SERVERS);
    const { save, skill, use } = TYPESCRIPT;
    await resultOf(engine, save(skill), { session: as("ann") });
    expect(await resultOf(engine, use, { session: as("ann") })).toBe(6);
    expect(await errorOf(engine, use, { session: as("bob") })).toMatchObject({
      kind: "import",
      message: expect.stringContaining('Skill "sum-up" is quarantined'),
    });
    const other = { ...skill, code: "export const sumUp = () => 0;" };
    expect(await errorOf(engine, save(other), { session: as("bob") })).toMatchObject({ code: "denied" });
    const { store } = engine.skills;
    await store.approve("sum-up", { principal: "local" }, store.get("sum-up")?.hash ?? "");
    expect(await resultOf(engine, use, { session: as("bob") })).toBe(6);
  });
});

describe("a skill that was taken back", () => {
  const ODD = [
    { ...TYPESCRIPT, odd: 'import { sumUp } from "./\\skills/sum-up"; return sumUp([1, 2, 3])' },
    { ...PYTHON, odd: "from ｓkills.sum_up import sum_up\nreturn await sum_up([1, 2, 3])" },
    { ...PYTHON, odd: "from skills import (\n  sum_up\n)\nreturn await sum_up.sum_up([1, 2, 3])" },
  ];

  it.each(ODD)(
    "is imported no more, however that is written: $odd",
    async ({ language, skill, save, odd }) => {
      const { engine, opened } = await openEngine(SERVERS);
      await resultOf(engine, save(skill), { language });
      expect(await resultOf(engine, odd, { language })).toBe(6);
      const { engine: other } = await reopenEngine(opened.dir);
      expect(await resultOf(other, odd, { language })).toBe(6);
      expect((await checkProgram(opened, { code: odd, language })).impact.tools).toMatchObject([
        { server: "math", tool: "add_up" },
      ]);
      await other.skills.store.remove("sum-up", { principal: "local" });
      expect(await errorOf(engine, odd, { language })).toMatchObject({
        message: expect.stringContaining("There is no skill"),
      });
    },
  );
});

describe("a tool that changes", () => {
  const GOES = {
    name: "leave",
    description: "Leaves",
    code: "export const leave = () => changing.leaves({});\n",
  };
  const LEAVE = 'import { leave } from "./skills/leave"; await leave(); return "left"';

  it("breaks the skills that call it, which is told; and they are ready again when it is back", async () => {
    const memory = join(await tempDir(), "changed");
    const { engine, opened } = await openEngine({ changing: fixture("changing", memory) });
    await resultOf(engine, TYPESCRIPT.save(GOES));
    expect(await resultOf(engine, LEAVE)).toBe("left");
    await resultOf(engine, "await changing.change({}); return 1");
    const broken = await errorOf(engine, LEAVE);
    expect(broken).toMatchObject({
      kind: "import",
      message: expect.stringContaining('Skill "leave" is broken'),
    });
    expect(broken?.message).toMatch(/skills\/leave\/index\.ts:1:\d+: .*leaves/);
    expect((await engine.search({ query: "leave" })).text).toMatch(/broken|does not exist/);
    // As by the next gateway, when the server is as it was.
    await engine.close();
    await rm(memory);
    const { engine: next } = await reopenEngine(opened.dir);
    expect(await resultOf(next, LEAVE)).toBe("left");
    // And when it changed while no gateway ran.
    await next.close();
    await writeFile(memory, "changed");
    const { engine: last } = await reopenEngine(opened.dir);
    expect(await errorOf(last, LEAVE)).toMatchObject({ message: expect.stringContaining("is broken") });
    const mended = { ...GOES, code: "export const leave = () => changing.arrives({});\n" };
    await resultOf(last, TYPESCRIPT.save(mended));
    expect(await resultOf(last, LEAVE)).toBe("left");
  });

  it("breaks what imports them too, once a skill is changed", async () => {
    const { engine } = await openEngine(SERVERS);
    const { save, skill } = TYPESCRIPT;
    await resultOf(engine, save(skill));
    const twice = `import { sumUp } from "./skills/sum-up";\nexport const twice = async (n: number[]) => 2 * (await sumUp(n));\n`;
    await resultOf(engine, save({ name: "twice", description: "Twice the sum", code: twice }));
    const use = 'import { twice } from "./skills/twice"; return twice([1, 2])';
    expect(await resultOf(engine, use)).toBe(6);
    await resultOf(engine, save({ ...skill, code: "export const sumAll = (n: number[]) => n.length;\n" }));
    expect(await errorOf(engine, use)).toMatchObject({ message: expect.stringContaining("sumUp") });
  });
});

describe("skills that import skills", () => {
  const F = "export const f = (n: number) => 2 * n;\n";
  const DOUBLED = `import { f } from "./skills/dbl";\nexport const doubled = (n: number) => f(n);\n`;
  const draft = (name: string, code: string) => ({
    ...{ name, description: `Does ${name}`, code, language: "typescript" as const },
  });
  const by = { principal: "local" };

  it("are as what they import is, before a save answers, which tells whom it breaks", async () => {
    const { engine } = await openEngine(SERVERS);
    const { skills } = engine;
    const statusOf = (name: string) => skills.store.get(name)?.status;
    await skills.save(draft("dbl", F), by);
    await skills.save(draft("doubled", DOUBLED), by);
    const quad =
      'import { doubled } from "../doubled";\nexport const quad = (n: number) => doubled(doubled(n));\n';
    await skills.save(draft("quad", quad), by);
    const broken = await skills.save(draft("dbl", "export const g = 1;\n"), by);
    expect(broken.breaks).toEqual(["doubled", "quad"]);
    expect([statusOf("doubled"), statusOf("quad")]).toEqual(["broken", "broken"]);
    expect(await skills.save(draft("dbl", `// Again\n${F}`), by)).not.toHaveProperty("breaks");
    expect([statusOf("doubled"), statusOf("quad")]).toEqual(["quarantined", "quarantined"]);
    await skills.store.remove("dbl", by);
    await skills.find("doubled", "local");
    expect(statusOf("doubled")).toBe("broken");
    await skills.save(draft("dbl", F), by);
    expect([statusOf("doubled"), statusOf("quad")]).toEqual(["quarantined", "quarantined"]);
  });

  it("are denied, and not tested, while one of them waits for somebody's yes", async () => {
    const { engine } = await openEngine(SERVERS);
    const { skills } = engine;
    await skills.save({ ...draft("dbl", F), tests: "return 1" }, by);
    await skills.save(draft("doubled", DOUBLED), by);
    const { hash = "" } = skills.store.get("doubled") ?? {};
    await skills.store.approve("doubled", by, hash);
    await expect(toSkillProgram(skills, "doubled", { args: [1] }, "bob")).rejects.toMatchObject({
      code: "denied",
      hint: expect.stringContaining("keyhole skills approve dbl"),
    });
    await expect(toTestProgram(skills, "dbl", "bob")).rejects.toMatchObject({
      code: "denied",
      message: expect.stringContaining("quarantined"),
    });
  });

  it("are not made of comments alone", async () => {
    const { engine } = await openEngine(SERVERS);
    for (const code of ["// Nothing\n", "/* Nothing */"])
      await expect(engine.skills.save(draft("none", code), by)).rejects.toMatchObject({
        code: "usage",
        message: expect.stringContaining("exports nothing that a program could use"),
      });
  });
});

describe("a run that goes on", () => {
  it("does so with the skills that it began with, or is refused before anything is done", async () => {
    const file = join(await tempDir(), "sent");
    const config = { approval: { holdMs: 200 } };
    const { engine } = await openEngine({ post: fixture("postbox", file) }, { config });
    const { save } = TYPESCRIPT;
    const skill = {
      name: "greet",
      description: "Greets by mail",
      code: 'export const greet = (to: string) => post.sendMail({ to, nonce: "one" });\n',
    };
    await resultOf(engine, save(skill));
    const code = 'import { greet } from "./skills/greet"; await greet("ada"); return "sent"';
    const first = await engine.run({ code });
    expect(first).toMatchObject({ status: "waiting" });
    const [question] = await engine.approvals.list({ status: "pending" });
    await engine.approvals.answer(question?.id ?? "", { decision: "approve", scope: "once" }, "a test");
    await engine.skills.save(
      { ...skill, code: skill.code.replace("one", "two"), language: "typescript" },
      { principal: "local" },
    );
    await expect(engine.run({ code, resume: first.runId })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining('skill "greet" is not the one with which it began'),
    });
    await expect(readFile(file, "utf8")).rejects.toThrow();
    await engine.skills.rollback("greet", { principal: "local" });
    expect(await engine.run({ code, resume: first.runId })).toMatchObject({ ok: true, result: "sent" });
  });

  it("that only plans saves nothing", async () => {
    const { engine } = await openEngine(SERVERS);
    const { save, skill } = TYPESCRIPT;
    const askPerson = { channel: "elicitation", ask: async () => undefined };
    await resultOf(engine, save(skill), { plan: true, askPerson });
    expect((await engine.skills.store.versions("sum-up")).map(({ version }) => version)).toEqual([1]);
  });
});
