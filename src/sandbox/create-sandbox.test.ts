import { expect, it } from "vitest";
import { createSandbox } from "./create-sandbox.ts";

it.each(["remote", "", "__proto__", "toString"])("the tier %j is not replaced by a weaker one", (tier) => {
  expect(() => createSandbox({ tier })).toThrowError(
    expect.objectContaining({ code: "usage", hint: expect.stringContaining('"process"') }),
  );
});

it("`auto` is the first tier of the table", () => {
  const missing = async () => undefined;
  const first = {
    create: () => {
      throw new Error("The first");
    },
    missing,
  };
  const other = { create: () => expect.unreachable(), missing };
  expect(() => createSandbox({ tiers: { first, other } })).toThrow("The first");
});
