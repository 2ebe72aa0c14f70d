import { expect, test } from "vitest";
import { processTier } from "../../test/fixtures/process-tier.ts";
import { tempDir } from "../../test/fixtures/project.ts";
import { createSandbox } from "../sandbox/create-sandbox.ts";
import { openStateDir } from "../store/state-dir.ts";
import { tellOnce } from "./tell-once.ts";

test("says each thing once, whoever asks", async () => {
  const dir = await openStateDir(await tempDir());
  const told: string[] = [];
  for (const text of ["one", "two", "one"]) await tellOnce(dir, text, (said) => told.push(said));
  expect(told).toEqual(["one", "two"]);
});

test("says it again where it can't be remembered", async () => {
  const nowhere = await openStateDir("/dev/null/x");
  const told: string[] = [];
  for (const text of ["one", "one"]) await tellOnce(nowhere, text, (said) => told.push(said));
  expect(told).toEqual(["one", "one"]);
});

test("a sandbox without its second wall says which, and how to get it", async () => {
  const bare = createSandbox({ poolSize: 0, tiers: processTier({ bubblewrap: "never" }) });
  expect(bare.missingWall).toContain("bubblewrap");
  await bare.close();
});
