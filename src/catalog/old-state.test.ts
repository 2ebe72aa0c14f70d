import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStateDir, type StateDir } from "../store/state-dir.ts";
import { toServerNames } from "./names.ts";
import { moveOldState } from "./old-state.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-old-state-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function moved(files: Record<string, unknown>, servers: string[]): Promise<StateDir> {
  const state = await openStateDir(await mkdtemp(join(dir, "project-")));
  for (const [file, data] of Object.entries(files)) await state.writeJson(file, data);
  const named = [...toServerNames(servers)].map(([name, given]) => ({ name, ...given }));
  await moveOldState(state, named);
  return state;
}

it("what was learned of a server is found under its new name", async () => {
  const files = { "observed/google_drive.json": "learned", "catalog/google_drive.json": "tools" };
  const state = await moved(files, ["google-drive", "github"]);
  expect(await state.readJson("observed/google-drive.json")).toBe("learned");
  expect(await state.readJson("catalog/google-drive.json")).toBe("tools");
});

it("what is there already stays, and what may be another server's too", async () => {
  const both = { "observed/google_drive.json": "old", "observed/google-drive.json": "new" };
  expect(await (await moved(both, ["google-drive"])).readJson("observed/google-drive.json")).toBe("new");
  const theirs = { "observed/google_drive.json": "theirs" };
  for (const servers of [
    ["google-drive", "google_drive"],
    ["google-drive", "google.drive"],
  ]) {
    const state = await moved(theirs, servers);
    expect(await state.readJson("observed/google_drive.json")).toBe("theirs");
    expect(await state.readJson("observed/google-drive.json")).toBeUndefined();
  }
});

it("a name that tries to lead elsewhere leads nowhere", async () => {
  await expect(moved({}, ["../../etc/passwd", "__proto__", "a".repeat(5000)])).resolves.toBeDefined();
});
