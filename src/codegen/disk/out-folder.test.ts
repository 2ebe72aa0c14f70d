import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { assertInProject } from "./out-folder.ts";

let root: string;
let project: string;
let outside: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "keyhole-out-")));
  project = join(root, "project");
  outside = join(root, "outside");
  await mkdir(join(project, "generated"), { recursive: true });
  await mkdir(outside);
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe("a folder in the project", () => {
  test("is refused where a link leads out of it, with the place and the fix", async () => {
    await symlink(outside, join(project, "servers"));
    const refusal = {
      code: "file_conflict",
      message: expect.stringContaining(`"${outside}"`),
      hint: expect.stringContaining("by its own path"),
    };
    await expect(assertInProject(join(project, "servers"), project)).rejects.toMatchObject(refusal);
    await expect(assertInProject(join(project, "servers/not/there"), project)).rejects.toMatchObject({
      code: "file_conflict",
    });
  });

  test("is refused where a link leads nowhere yet", async () => {
    await symlink(join(outside, "new"), join(project, "servers"));
    await expect(assertInProject(join(project, "servers"), project)).rejects.toMatchObject({
      code: "file_conflict",
    });
  });

  test("may be a link that stays in it, or not be there", async () => {
    await symlink("generated", join(project, "servers"));
    await assertInProject(join(project, "servers"), project);
    await assertInProject(join(project, "deep/new"), project);
  });

  test("may be reached by a link to the project", async () => {
    await symlink(project, join(root, "link"));
    await assertInProject(join(root, "link/servers"), join(root, "link"));
  });
});

test("a folder that is named outside of the project is the user's word, link or not", async () => {
  await symlink(outside, join(root, "elsewhere"));
  await assertInProject(join(root, "elsewhere"), project);
});
