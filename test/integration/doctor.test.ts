import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { checkJournal } from "../../src/engine/check-journal.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import { inSession } from "../fixtures/in-session.ts";
import { fixture, homeOf, project } from "../fixtures/project.ts";

it("tells of the journal: where it is, how large, how many runs, and why it can't be written", async () => {
  const opened = await project({ good: fixture("good") });
  const { dir } = opened;
  const check = async (journal: object) => {
    await writeFile(join(dir, "keyhole.config.json"), JSON.stringify({ journal }));
    const homeDir = await homeOf(dir);
    return checkJournal(dir, (await loadConfig({ projectDir: dir, homeDir, trust: true })).config, homeDir);
  };
  expect((await check({})).detail).toMatch(/^none yet: .*keyhole\.db$/);
  const engine = inSession(createEngine(opened, { poolSize: 0 }));
  await engine.run({ code: "return 1" });
  await engine.close();
  expect(await check({})).toMatchObject({
    status: "ok",
    detail: expect.stringMatching(/keyhole\.db, \d+\.\d MB, 1 runs$/),
  });
  expect(await check({ enabled: false })).toMatchObject({
    status: "ok",
    title: expect.stringContaining("Nothing"),
  });
  await rm(join(dir, ".keyhole"), { recursive: true });
  await writeFile(join(dir, ".keyhole"), "");
  expect(await check({})).toMatchObject({ status: "limited", fix: expect.any(String) });
  expect(await check({ onFailure: "stop" })).toMatchObject({ status: "failed", fix: expect.any(String) });
  await rm(join(dir, ".keyhole"));
  await mkdir(join(dir, ".keyhole"));
  await writeFile(join(dir, ".keyhole/keyhole.db"), "not ours");
  expect(await check({})).toMatchObject({ status: "limited", detail: expect.stringContaining("aside") });
});
