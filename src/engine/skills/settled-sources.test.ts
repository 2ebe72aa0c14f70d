import { expect, it } from "vitest";
import { typeScriptSkill as skill } from "../../../test/fixtures/known-skills.ts";
import type { SkillSource } from "../../language/language.ts";
import { createSettledSources } from "./settled-sources.ts";

const unheard = () => {};

it("gives nothing that was not looked at for this program, by whatever name it is meant", async () => {
  const looks: (readonly string[])[] = [];
  let known: readonly SkillSource[] = [skill("load-rows", "old"), skill("other", "other")];
  const look = async (names: readonly string[]) => {
    looks.push(names);
    known = [skill("load-rows", "new"), skill("other", "other")];
  };
  const settled = await createSettledSources({ look, sources: () => known, onNotice: unheard }, ["other"]);
  expect(await settled(["loadRows"])).toBe(known);
  expect(known[0]?.code).toBe("new");
  await settled(["other", "load-rows"]);
  expect(looks).toEqual([["other"], ["loadRows", "load-rows"]]);
});

it("gives no code where looking fails, and tells it", async () => {
  const told: string[] = [];
  const look = async () => {
    throw new Error("no database");
  };
  const sources = () => [skill("load-rows", "old")];
  const settled = await createSettledSources({ look, sources, onNotice: (text) => told.push(text) }, ["a"]);
  const given = await settled(["load-rows", "unknown"]);
  expect(given.map(({ name, code }) => [name, code])).toEqual([
    ["load-rows", ""],
    ["unknown", ""],
  ]);
  expect(given.every(({ unavailable }) => unavailable?.why.includes("could not be looked up"))).toBe(true);
  expect(told).toEqual(["Skills can't be looked at: no database"]);
});
