import { expect, it } from "vitest";
import { createTierStates } from "./tier-states.ts";
import type { Tiers } from "./tiers/tiers.ts";

function countedTiers(answers: (() => Promise<undefined>)[]): { tiers: Tiers; asked: () => number } {
  let asked = 0;
  const missing = async () => {
    asked++;
    return answers.length === 0 ? undefined : answers.shift()?.();
  };
  return { tiers: { only: { create: () => expect.unreachable(), missing } }, asked: () => asked };
}

it("a tier is asked once for half a minute, and anew after it failed", async () => {
  const { tiers, asked } = countedTiers([]);
  let now = 0;
  const states = createTierStates(tiers, () => now);
  await Promise.all([states.missing("only"), states.missing("only")]);
  expect(asked()).toBe(1);
  now = 29_999;
  await states.missing("only");
  expect(asked()).toBe(1);
  now = 30_000;
  await states.missing("only");
  expect(asked()).toBe(2);
  states.forget("only");
  await states.missing("only");
  expect(asked()).toBe(3);
});

it("one that can't be asked is missing, and its words are shown as plain text", async () => {
  const { tiers } = countedTiers([() => Promise.reject(new Error("\u001b[31mdaemon\nhung"))]);
  const missing = await createTierStates(tiers).missing("only");
  expect(missing?.why).toContain("daemon");
  expect(missing?.why).not.toContain("\u001b");
});

it.each(["cloud", "__proto__", "toString"])("%s is in no table, and missing", async (tier) => {
  const { tiers } = countedTiers([]);
  expect(await createTierStates(tiers).missing(tier)).toMatchObject({
    why: expect.stringContaining("not part of this version"),
  });
});
