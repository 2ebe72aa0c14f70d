import { expect, it } from "vitest";
import { knownSkills, typeScriptSkill as skill } from "../../../test/fixtures/known-skills.ts";
import type { SkillSource } from "../language.ts";
import { MAX_PROGRAM, MAX_SKILLS, MAX_SKILLS_TEXT } from "./limits.ts";
import { createToldSkills } from "./told-skills.ts";

const many = (count: number, code = "export const a = 1"): SkillSource[] =>
  Array.from({ length: count }, (_, at) => skill(`skill-${at}`, code));

it("sends a text once, however many programs import it, and again when it was changed", () => {
  const told = createToldSkills();
  const ask = (skills: readonly SkillSource[]) => {
    told.begin();
    return told.answer(["a-b"], skills).texts.map(String);
  };
  const first = [skill("a-b", "export const a = 1")];
  expect(ask(first)).toEqual(["export const a = 1"]);
  expect(ask(first)).toEqual([]);
  expect(ask([skill("a-b", "export const a = 2")])).toEqual(["export const a = 2"]);
  expect(ask([...first])).toEqual([]);
});

it("gives a program no more than its share, and says so", async () => {
  const large = [
    skill("huge", "x".repeat(10 * 1024 * 1024)),
    ...[1, 2, 3].map((at) => skill(`large-${at}`, "x".repeat(MAX_PROGRAM))),
  ];
  const meanings = await knownSkills(large).find(["huge", "large-1", "large-2", "large-3"]);
  const why = (name: string) => {
    const meant = meanings.get(name);
    return meant?.kind === "one" ? meant.value.unavailable?.why : "none";
  };
  expect(why("huge")).toBe(`is larger than ${MAX_PROGRAM} characters`);
  expect([why("large-1"), why("large-2")]).toEqual([undefined, undefined]);
  expect(why("large-3")).toContain(`larger than ${MAX_SKILLS_TEXT} characters`);
  const crowd = await knownSkills(many(MAX_SKILLS + 1)).find(many(MAX_SKILLS + 1).map(({ name }) => name));
  const refused = [...crowd.values()].filter((one) => one.kind === "one" && one.value.unavailable);
  expect(refused).toHaveLength(1);
});

it("forgets what it was told when that is too much to keep", () => {
  const told = createToldSkills();
  const texts = Array.from({ length: 40 }, (_, at) => [
    skill(`a-${at}`, `${at}${"x".repeat(MAX_PROGRAM - 10)}`),
  ]);
  const fresh = texts.map((skills, at) => {
    told.begin();
    return told.answer([`a-${at}`], skills).header.isFresh === true;
  });
  expect(fresh.filter(Boolean)).toHaveLength(1);
});

it("hands over no code of what can't be imported, nor of what a spelling does not mean alone", () => {
  const told = createToldSkills();
  const skills = [
    skill("secret", "the code", { unavailable: { why: "is quarantined" } }),
    skill("a-b", "one"),
    skill("ab", "other"),
  ];
  told.begin();
  const { header, texts } = told.answer(["secret", "a_b", "AB"], skills);
  expect(texts).toEqual([]);
  expect(JSON.stringify(header)).not.toContain("the code");
  expect([told.given("secret"), told.given("a-b")]).toEqual([undefined, undefined]);
});

it("takes names of what every object has for names", async () => {
  const skills = [skill("constructor", "export const a = 1"), skill("to-string", "export const b = 1")];
  const known = knownSkills(skills);
  const meanings = await known.find([
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "x".repeat(10_000),
  ]);
  expect([...meanings.values()].map(({ kind }) => kind)).toEqual(["one", "none", "one", "none", "none"]);
  expect(known.names()).toEqual(["constructor", "to-string"]);
});
