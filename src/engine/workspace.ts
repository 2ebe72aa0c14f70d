import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage, KeyholeError } from "../errors.ts";
import type { Folder } from "../sandbox/sandbox.ts";
import { atomicWrite } from "../state/atomic-write.ts";

/** The folder that programs read and write, and where what did not fit into an answer is kept. */
export type Workspace = {
  folder(): Promise<Folder>;
  /** Keeps a text, and returns the path under which a program reads it. */
  save(name: string, content: string): Promise<string>;
};

export function createWorkspace(projectDir: string): Workspace {
  const dir = join(projectDir, "workspace");
  return {
    async folder() {
      await makeWorkspace(dir);
      await assertIs(dir, join(await realpath(projectDir), "workspace"));
      return { name: "workspace", dir, access: "write" };
    },
    async save(name, content) {
      const path = join(dir, "results", name);
      await makeWorkspace(dir);
      await makeFolder(dirname(path));
      await assertIs(dirname(path), join(await realpath(projectDir), "workspace", "results"));
      await atomicWrite(path, content);
      return `./workspace/results/${name}`;
    },
  };
}

/** What programs keep is data, often of others: it does not belong into a repository unless somebody puts it there. */
async function makeWorkspace(dir: string): Promise<void> {
  const isNew = await makeFolder(dir);
  if (isNew) await writeFile(join(dir, ".gitignore"), "*\n", { flag: "wx" }).catch(() => {});
}

async function makeFolder(dir: string): Promise<boolean> {
  try {
    return (await mkdir(dir, { recursive: true })) !== undefined;
  } catch (error) {
    throw new KeyholeError("file_conflict", `Cannot make the folder "${dir}": ${errorMessage(error)}`, {
      hint: "Programs keep their files there: move away what is in its place",
      cause: error,
    });
  }
}

/** A link in its place, brought along by a repository or laid by a program, would lead all of this elsewhere. */
async function assertIs(folder: string, expected: string): Promise<void> {
  if ((await realpath(folder)) === expected) return;
  throw new KeyholeError("file_conflict", `"${folder}" is a link that leads elsewhere`, {
    hint: "Put a real folder in its place",
  });
}
