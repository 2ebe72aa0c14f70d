import { expect, it } from "vitest";
import { assertTier, createSandbox } from "./create-sandbox.ts";

it.each(["docker", "vm", "", "__proto__", "toString"])(
  "the tier %j is not replaced by a weaker one",
  (tier) => {
    for (const ask of [() => assertTier(tier), () => createSandbox({ tier })])
      expect(ask).toThrowError(
        expect.objectContaining({ code: "usage", hint: expect.stringContaining('"process"') }),
      );
  },
);

it("`auto` is the first tier of the table", () => {
  const first = () => {
    throw new Error("The first");
  };
  const other = () => expect.unreachable();
  expect(() => createSandbox({ tiers: { first, other } })).toThrow("The first");
});
