import { expect, it } from "vitest";
import { createSkillNames } from "./skill-names.ts";

it("takes a name for its own skill or none, and other spellings for what they are close to", () => {
  const names = createSkillNames([{ name: "l-oad-rows" }]);
  expect(["load-rows", "loadrows", "l-oad-rows", "loadRows"].map((one) => names.find(one).kind)).toEqual([
    "none",
    "none",
    "one",
    "one",
  ]);
});
