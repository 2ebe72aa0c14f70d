import { execFileSync } from "node:child_process";
import { basename, dirname } from "node:path";
import type { Folder } from "../../sandbox.ts";
import { FIRST_HANDED_FD } from "./launch.ts";

const GUEST_DIR = "/keyhole/guest";
const DENO = "/keyhole/deno";

export type Bubblewrap = {
  readonly deno: string;
  readonly runner: string;
  /** Where the folders are found inside. */
  place(folders: readonly Folder[]): Folder[];
  command(folders: readonly Folder[]): string[];
};

/** The command line of a namespace in which there is Deno, the runner, the folders, and nothing else. */
export function createBubblewrap(deno: string, runner: string, hasSeccomp: boolean): Bubblewrap {
  const libraries = sharedLibraries(deno);
  const place = (folders: readonly Folder[]) =>
    folders.map((folder) => ({ ...folder, dir: `/folders/${folder.name}` }));
  return {
    deno: DENO,
    runner: `${GUEST_DIR}/${basename(runner)}`,
    place,
    command: (folders) => [
      "bwrap",
      "--unshare-all",
      "--unshare-user",
      ...["--uid", "65534", "--gid", "65534"],
      "--disable-userns",
      "--die-with-parent",
      "--new-session",
      "--as-pid-1",
      "--clearenv",
      ...["--setenv", "DENO_DIR", "/dev/null/x"],
      ...["--setenv", "NO_COLOR", "1"],
      ...["--cap-drop", "ALL"],
      ...["--hostname", "keyhole"],
      ...["--dev", "/dev"],
      ...["--ro-bind", deno, DENO],
      ...["--ro-bind", dirname(runner), GUEST_DIR],
      ...libraries.flatMap((file) => ["--ro-bind", file, file]),
      ...folders.flatMap(({ name, dir, access }) => [
        access === "write" ? "--bind" : "--ro-bind",
        dir,
        `/folders/${name}`,
      ]),
      // Deno's Node layer asks where its binary is, and panics without an answer. There is no /proc beside this.
      ...["--symlink", DENO, "/proc/self/exe"],
      ...["--remount-ro", "/"],
      ...["--chdir", "/"],
      ...(hasSeccomp ? ["--seccomp", String(FIRST_HANDED_FD)] : []),
      "--",
    ],
  };
}

const known = new Map<string, readonly string[]>();

/** What the loader needs to start the binary, asked once for each. */
function sharedLibraries(binary: string): readonly string[] {
  const libraries = known.get(binary) ?? askLoader(binary);
  known.set(binary, libraries);
  return libraries;
}

/** Where it cannot be asked, the folders that hold them. */
function askLoader(binary: string): string[] {
  try {
    const text = execFileSync("ldd", [binary], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return [...text.matchAll(/(?:=>\s+|^\s+)(\/\S+)/gm)].flatMap(([, file]) =>
      file === undefined ? [] : [file],
    );
  } catch {
    return ["/lib", "/lib64", "/usr/lib"];
  }
}
