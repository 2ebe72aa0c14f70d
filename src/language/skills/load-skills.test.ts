import { expect, it } from "vitest";
import { knownSkills, typeScriptSkill as skill } from "../../../test/fixtures/known-skills.ts";
import type { SkillSource } from "../language.ts";
import { loadSkills, type SkillReader } from "./load-skills.ts";

/** Texts that are nothing but the names that they import. */
const reader: SkillReader<string[]> = {
  language: "typescript",
  title: "TypeScript",
  spell: (name) => name,
  read: ({ code }) => code.split(" ").filter((name) => name !== ""),
  importsOf: (names) => names,
};

async function load(imports: readonly string[], skills: readonly SkillSource[], self?: string) {
  const known = knownSkills(skills);
  const loaded = await loadSkills(imports, known, reader, self);
  if ("message" in loaded) {
    const { message, hint, by } = loaded;
    return { message, hint, by: by?.name, asked: known.asked.length };
  }
  return { names: loaded.map(({ source }) => source.name), asked: known.asked.length };
}

it("puts what is imported before what imports it, each once, and asks as often as there are levels", async () => {
  const skills = [skill("top", "left right"), skill("left", "low"), skill("right", "low"), skill("low", "")];
  expect(await load(["top", "low"], skills)).toEqual({ names: ["low", "left", "right", "top"], asked: 2 });
});

it("names a circle, from where it begins", async () => {
  const skills = [skill("in", "one"), skill("one", "two"), skill("two", "three"), skill("three", "one")];
  expect(await load(["in"], skills)).toMatchObject({
    message: "Skills import each other in a circle: one → two → three → one",
    by: "three",
  });
  expect(await load(["one"], [skill("one", "one")])).toMatchObject({
    message: "Skills import each other in a circle: one → one",
  });
});

it("comes to an end with 1,000 skills that import each other, and with a row of them", async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `skill-${at}`);
  const all = names.map((name) => skill(name, names.join(" ")));
  expect((await load(["skill-0"], all)).message).toMatch(/can import|in a circle/);
  const row = names.map((name, at) => skill(name, names[at + 1] ?? ""));
  expect((await load(["skill-0"], row)).message).toBe("Skills import skills more than 50 levels deep");
  const wide = names.map((name) => skill(name, ""));
  expect((await load(names, wide)).message).toMatch(/comes after the 200 skills that a program can import/);
});

it("says why one can't be imported, and by whom it is asked for", async () => {
  const skills = [
    skill("top", "away"),
    skill("away", "", { unavailable: { why: "is broken: its tool is gone", fix: "Repair it" } }),
    skill("other", "", { language: "python" }),
  ];
  expect(await load(["top"], skills)).toMatchObject({
    message: 'Skill "away" is broken: its tool is gone',
    by: "top",
  });
  expect(await load(["other"], skills)).toMatchObject({
    message: 'Skill "other" is written in python, which a program in TypeScript can\'t import',
  });
});

it("names none in a hint that can't be imported, and takes none for what a spelling could mean", async () => {
  const unavailable = { why: "is quarantined: its author alone may use it until somebody approves it" };
  const skills = [
    skill("ada-sum", "", { unavailable }),
    skill("tidy-up", "", { unavailable }),
    skill("tidyup", ""),
    skill("sum-of", ""),
  ];
  expect(await load(["zzz"], skills)).toMatchObject({ hint: "Skills: tidyup, sum-of" });
  expect((await load(["ada-sun"], skills)).hint).not.toContain("ada-sum");
  expect(await load(["tidyUp"], skills)).toMatchObject({ names: ["tidyup"] });
  expect(await load(["zzz"], skills.slice(0, 2))).toMatchObject({
    hint: "There are no skills yet: save one with saveSkill",
  });
  expect((await load(["ada-sum"], skills)).message).toBe(`Skill "ada-sum" ${unavailable.why}`);
});
