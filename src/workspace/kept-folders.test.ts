import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../../test/fixtures/project.ts";
import { SANDBOX_LIMITS } from "../sandbox/limits.ts";
import { openStateDir } from "../store/state-dir.ts";
import { createKeptFolders } from "./kept-folders.ts";

const RUN = "r_0123456789abcdef";

async function open() {
  const dir = await tempDir();
  const state = await openStateDir(dir, join(dir, "home"));
  const folder = join(dir, "workspace");
  await mkdir(folder);
  await writeFile(join(folder, "file"), "x");
  const kept = createKeptFolders(state, SANDBOX_LIMITS);
  await kept.keep(RUN, folder);
  return { kept, keptDir: join(dir, ".keyhole/kept") };
}

it("takes nothing for a run's that is not named as one", async () => {
  const { kept, keptDir } = await open();
  for (const name of ["...json", "..json", ".json", "x.json", `${RUN}.json.json`])
    await writeFile(join(keptDir, name), "{}");
  expect((await kept.list()).map(({ run }) => run)).toEqual([RUN]);
});

it.each(["..", ".", "", "../kept", `${RUN}/..`, "x"])("removes nothing for %j", async (run) => {
  const { kept, keptDir } = await open();
  await expect(kept.drop(run)).rejects.toThrow("is no id of a run");
  await expect(kept.inCopy(run, keptDir, async () => {})).rejects.toThrow("is no id of a run");
  expect(existsSync(join(keptDir, RUN))).toBe(true);
});
