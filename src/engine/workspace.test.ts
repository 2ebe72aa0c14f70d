import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../test/fixtures/project.ts";
import { createWorkspace } from "./workspace.ts";

test("a workspace that is made is ignored by git, also when a result comes first", async () => {
  for (const use of ["folder", "save"] as const) {
    const dir = await tempDir();
    const workspace = createWorkspace(dir);
    if (use === "folder") await workspace.folder();
    else expect(await workspace.save("r.json", "{}")).toBe("./workspace/results/r.json");
    expect(await readFile(join(dir, "workspace", ".gitignore"), "utf8")).toBe("*\n");
  }
});

test("one that is there stays as it is", async () => {
  const dir = await tempDir();
  await mkdir(join(dir, "workspace"));
  await createWorkspace(dir).folder();
  expect(await readdir(join(dir, "workspace"))).toEqual([]);
});
