import { execFile } from "node:child_process";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";

/** Whether git has the file already, so that what is put into it would be committed with the next change. */
export async function isTracked(file: string): Promise<boolean> {
  return (await git(dirname(file), "ls-files", "--error-unmatch", "--", basename(file))).code === 0;
}

/**
 * Makes git pass over a file that holds secrets, by the exclude list of this clone, which is never committed. True when
 * something had to be done.
 */
export async function hideFromGit(file: string): Promise<boolean> {
  const dir = dirname(file);
  // 1: a repository, and the file is not ignored. 128: no repository.
  if ((await git(dir, "check-ignore", "-q", "--", basename(file))).code !== 1) return false;
  if (await isTracked(file)) return false;
  const found = await excludeLine(file);
  if (found === undefined) return false;
  const { exclude, line } = found;
  const known = await readFile(exclude, "utf8").catch(() => "");
  await mkdir(dirname(exclude), { recursive: true });
  await appendFile(exclude, `${known === "" || known.endsWith("\n") ? "" : "\n"}${line}\n`);
  return true;
}

/** Takes back what `hideFromGit` did, so that a later file of that name is not passed over in silence. */
export async function showToGit(file: string): Promise<void> {
  const found = await excludeLine(file);
  if (found === undefined) return;
  const { exclude, line } = found;
  const known = await readFile(exclude, "utf8").catch(() => "");
  const rest = known.split("\n").filter((one) => one !== line);
  if (rest.join("\n") !== known) await writeFile(exclude, rest.join("\n"));
}

async function excludeLine(file: string): Promise<{ exclude: string; line: string } | undefined> {
  const dir = dirname(file);
  const { stdout: place } = await git(dir, "rev-parse", "--git-path", "info/exclude");
  const { stdout: prefix } = await git(dir, "rev-parse", "--show-prefix");
  const line = `/${prefix}${basename(file)}`.replace(/[\\*?[\]!#]/g, "\\$&");
  return place === "" ? undefined : { exclude: resolve(dir, place), line };
}

/** Without what a repository's own settings could make git start. */
function git(dir: string, ...args: string[]): Promise<{ code: number; stdout: string }> {
  return new Promise((done) => {
    execFile(
      "git",
      ["-C", dir, "-c", "core.fsmonitor=false", ...args],
      { timeout: 10_000 },
      (error, stdout) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 128;
        done({ code, stdout: stdout.replace(/\r?\n$/, "") });
      },
    );
  });
}
