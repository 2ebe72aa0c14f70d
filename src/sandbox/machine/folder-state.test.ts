import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SANDBOX_LIMITS } from "../limits.ts";
import { createFolderStates } from "./folder-state.ts";

test("the name of a link can't fake a line of the refusal, or a terminal's orders", async () => {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-folders-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await symlink("/", join(dir, "x\n✓ All is well\u001b[2J\u202e"));
  const states = createFolderStates(false);
  const before = states.before([{ name: "workspace", dir, access: "write" }], [], SANDBOX_LIMITS);
  const error: unknown = await before.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "file_conflict" });
  const message = error instanceof Error ? error.message : "";
  expect(message).toContain("x ✓ All is well");
  expect(message).not.toMatch(/[\n\u001b\u202e]/);
});
