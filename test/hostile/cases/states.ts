import { execFile } from "node:child_process";
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

/** A project as a stranger may hand it over: what lies in it already when Keyhole first comes. */
export type StateCase = {
  readonly name: string;
  /** `outside` is a folder of the user's with `precious`, `bashrc` and `folder/file`. */
  plant(project: string, outside: string): Promise<void>;
  /** Whether it must be refused. Otherwise it may also be done without, or mended. */
  readonly isRefused?: true;
  /** Only root can make it. */
  readonly needsRoot?: true;
  /** What the program does beyond its usual work. */
  readonly code?: string;
};

/** What Keyhole keeps in a project: names that it is known to open, today or soon. */
const STATE_FILES = [
  ".gitignore",
  "runs.jsonl",
  "keyhole.db",
  "keyhole.db-wal",
  "keyhole.db-shm",
  "keyhole.db-journal",
  "database.json",
  "told.txt",
  "key",
  "embeddings.json",
  "popularity.json",
  "token",
  "http-token",
  "catalog/math.json",
  "catalog/math.json.lock",
  "observed/math.json",
  "lock",
];
const STATE_FOLDERS = ["cancel", "catalog", "eras", "observed", "results", "workspaces", "principals"];

export const STATE_CASES: readonly StateCase[] = [
  { name: "nothing is there", plant: async () => {} },
  {
    name: ".keyhole is a link to a folder",
    isRefused: true,
    plant: (project, outside) => symlink(outside, join(project, ".keyhole")),
  },
  {
    name: ".keyhole is a link to nowhere",
    plant: (project, outside) => symlink(join(outside, "new"), join(project, ".keyhole")),
  },
  { name: ".keyhole is a file", plant: (project) => writeFile(join(project, ".keyhole"), "x") },
  { name: ".keyhole is a pipe", plant: (project) => makePipe(join(project, ".keyhole")) },
  {
    name: ".keyhole can be written by everyone",
    plant: (project) => inState(project, async (dir) => chmod(dir, 0o777)),
  },
  {
    name: ".keyhole belongs to somebody else",
    needsRoot: true,
    isRefused: true,
    plant: (project) => inState(project, (dir) => chown(dir, 65_534, 65_534)),
  },
  {
    name: "a state of somebody else",
    needsRoot: true,
    plant: (project) =>
      eachFile(project, async (file) => {
        await writeFile(file, "{}");
        await chown(file, 65_534, 65_534);
      }),
  },
  {
    name: "files are links to the user's",
    plant: (project, outside) => eachFile(project, (file) => symlink(join(outside, "precious"), file)),
  },
  {
    name: "files are links to new ones",
    plant: (project, outside) => eachFile(project, (file, n) => symlink(join(outside, `planted-${n}`), file)),
  },
  {
    name: "files are links to what a shell reads",
    plant: (project, outside) => eachFile(project, (file) => symlink(join(outside, "bashrc"), file)),
  },
  {
    name: "files are hard links to the user's",
    plant: (project, outside) => eachFile(project, (file) => link(join(outside, "precious"), file)),
  },
  { name: "files are pipes", plant: (project) => eachFile(project, (file) => makePipe(file)) },
  {
    name: "files are folders",
    plant: (project) => eachFile(project, async (file) => void (await mkdir(file))),
  },
  { name: "files are devices", plant: (project) => eachFile(project, (file) => symlink("/dev/zero", file)) },
  {
    name: "files are broken",
    plant: (project) => eachFile(project, (file) => writeFile(file, '{"version":1,"tools":[{"name":')),
  },
  {
    name: "files are of another kind",
    plant: (project) =>
      eachFile(project, (file) => writeFile(file, '[null,1,"x",{"__proto__":{"polluted":1}}]')),
  },
  {
    name: "files are of a later version",
    plant: (project) =>
      eachFile(project, (file) => writeFile(file, '{"version":999,"format":999,"tools":{"a":1}}')),
  },
  {
    name: "files are deep",
    plant: (project) => eachFile(project, (file) => writeFile(file, "[".repeat(1_000_000))),
  },
  {
    name: "files are 20 GB of nothing",
    plant: (project) =>
      eachFile(project, async (file) => {
        await writeFile(file, "");
        await truncate(file, 20_000_000_000);
      }),
  },
  {
    name: "a journal of 200 MB",
    plant: (project) =>
      inState(project, (dir) =>
        writeFile(join(dir, "runs.jsonl"), '{"runId":"x","calls":[],"receipt":{}}\n'.repeat(5_000_000)),
      ),
  },
  {
    name: "a cache of 60 MB of values",
    plant: (project) =>
      eachFile(project, (file) =>
        file.endsWith("math.json") ? writeFile(file, `[${"{},".repeat(20_000_000)}{}]`) : Promise.resolve(),
      ),
  },
  {
    name: "5,000 files that a killed process left",
    plant: (project) =>
      inState(project, async (dir) => {
        for (let n = 0; n < 5_000; n++)
          await writeFile(
            join(dir, `.keyhole-${String(n).padStart(8, "0")}-0000-0000-0000-000000000000.tmp`),
            "",
          );
      }),
  },
  {
    name: "folders are links",
    plant: (project, outside) =>
      inState(project, async (dir) => {
        for (const name of STATE_FOLDERS) await symlink(join(outside, "folder"), join(dir, name));
      }),
  },
  {
    name: "folders are files",
    plant: (project) =>
      inState(project, async (dir) => {
        for (const name of STATE_FOLDERS) await writeFile(join(dir, name), "x");
      }),
  },
  {
    name: "the workspace is a link",
    isRefused: true,
    plant: (project, outside) => symlink(outside, join(project, "workspace")),
  },
  { name: "the workspace is a file", plant: (project) => writeFile(join(project, "workspace"), "x") },
  { name: "the workspace is a pipe", plant: (project) => makePipe(join(project, "workspace")) },
  {
    name: "the workspace belongs to somebody else",
    needsRoot: true,
    plant: async (project) => {
      await mkdir(join(project, "workspace"));
      await chown(join(project, "workspace"), 65_534, 65_534);
    },
  },
  {
    name: "the results are a link",
    plant: async (project, outside) => {
      await mkdir(join(project, "workspace"));
      await symlink(join(outside, "folder"), join(project, "workspace/results"));
    },
  },
  {
    name: "the results become a link while a program runs",
    plant: (project, outside) =>
      inWorkspace(project, (dir) => symlink(join(outside, "folder"), join(dir, "planted"))),
    code: `try { fs.rmSync("./workspace/results", { recursive: true, force: true }); fs.renameSync("./workspace/planted", "./workspace/results"); } catch (e) { console.log(String(e)); }`,
  },
  {
    name: "files in the workspace are links",
    plant: (project, outside) =>
      inWorkspace(project, async (dir) => {
        await symlink(join(outside, "precious"), join(dir, "mine.txt"));
        await symlink(join(outside, "precious"), join(dir, ".gitignore"));
      }),
  },
  {
    name: "files in the workspace are hard links",
    plant: (project, outside) =>
      inWorkspace(project, async (dir) => {
        await link(join(outside, "precious"), join(dir, "mine.txt"));
        await link(join(outside, "precious"), join(dir, ".gitignore"));
      }),
  },
  {
    name: "a link that points inside until its folder is moved",
    plant: (project, outside) =>
      inWorkspace(project, async (dir) => {
        // Four folders down it stays in the workspace; one folder down it leads to what lies beside the project.
        const name = basename(outside);
        await mkdir(join(dir, "a/b/c/d"), { recursive: true });
        await mkdir(join(dir, "a", name));
        await writeFile(join(dir, "a", name, "precious"), "decoy");
        await symlink(`../../../${name}`, join(dir, "a/b/c/d/link"));
      }),
    code: `String.prototype.startsWith = () => true; const out: string[] = [];
      try { fs.renameSync("./workspace/a/b/c/d", "./workspace/d"); } catch (e) { out.push(String(e)); }
      const at = "./workspace/d/link/precious";
      const ways: (() => unknown)[] = [
        () => fs.readFileSync(at, "utf8"),
        () => fs.promises.readFile(at, "utf8"),
        () => (fs.copyFileSync(at, "./workspace/copy"), fs.readFileSync("./workspace/copy", "utf8")),
        () => (fs.cpSync("./workspace/d/link", "./workspace/cp", { recursive: true, dereference: true } as any), fs.readFileSync("./workspace/cp/precious", "utf8")),
        () => fs.appendFileSync(at, "appended"),
        () => fs.promises.writeFile(at, "overwritten"),
        () => fs.mkdirSync("./workspace/d/link/new"),
        () => fs.renameSync(at, "./workspace/moved"),
        () => fs.rmSync("./workspace/d/link/folder", { recursive: true }),
      ];
      for (const way of ways) { try { out.push(String(await way())); } catch (e) { out.push(String(e)); } }
      console.log(out.join("; "));`,
  },
  {
    name: "pipes in the workspace",
    plant: (project) =>
      inWorkspace(project, async (dir) => {
        for (const name of ["mine.txt", ".gitignore", "results"]) await makePipe(join(dir, name));
      }),
  },
];

/** The files that a run left, with what others may do to them. */
export async function openToOthers(dir: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(dir, { recursive: true }).catch(() => [])) {
    const { mode } = await lstat(join(dir, name));
    if ((mode & 0o077) !== 0) found.push(`${name} ${(mode & 0o777).toString(8)}`);
  }
  return found;
}

async function eachFile(project: string, plant: (file: string, n: number) => Promise<void>): Promise<void> {
  for (const [n, name] of STATE_FILES.entries()) {
    const file = join(project, ".keyhole", name);
    await mkdir(dirname(file), { recursive: true });
    await plant(file, n);
  }
}

async function inState(project: string, plant: (dir: string) => Promise<void>): Promise<void> {
  const dir = join(project, ".keyhole");
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await plant(dir);
}

async function inWorkspace(project: string, plant: (dir: string) => Promise<void>): Promise<void> {
  const dir = join(project, "workspace");
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await plant(dir);
}

async function makePipe(path: string): Promise<void> {
  await rm(path, { force: true });
  await promisify(execFile)("mkfifo", [path]);
}
