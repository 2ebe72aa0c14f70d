import { lstatSync, readlinkSync } from "node:fs";
import type { Folder } from "../../../sandbox.ts";
import { COMMAND_PATH, type FoundCommand } from "./system-commands.ts";

/** Where the folder is found inside. */
const INSIDE = "/workspace";

/** What commands read beside themselves: libraries, and data that packages bring. Whatever else can be started is not there. */
const SYSTEM_FOLDERS = [
  ...["/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/usr/libexec", "/usr/share"],
  ...["/usr/local/lib", "/usr/local/libexec", "/usr/local/share"],
  ...["/etc/alternatives", "/etc/ld.so.cache"],
];
/** Links into the above on most systems, folders of their own on others. */
const OLD_FOLDERS = ["/bin", "/lib", "/lib32", "/lib64", "/libx32"];

/** No more than commands need to do the same everywhere, and nothing of the host's. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: COMMAND_PATH.join(":"),
  HOME: "/tmp",
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
  LC_ALL: "C.UTF-8",
  TZ: "UTC",
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  EMAIL: "keyhole@localhost",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  // What a repository's own config would have git run.
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.hooksPath",
  GIT_CONFIG_VALUE_0: "/dev/null",
  GIT_CONFIG_KEY_1: "core.fsmonitor",
  GIT_CONFIG_VALUE_1: "false",
};

const USERS = "keyhole:x:65534:65534:Keyhole:/tmp:/bin/false\n";
const GROUPS = "keyhole:x:65534:\n";

export type Descriptors = {
  readonly seccomp: number;
  readonly status: number;
  readonly block: number;
  readonly users: number;
  readonly groups: number;
};

/** What is to be written to the descriptors that are read. */
export const USER_FILES = { users: USERS, groups: GROUPS };

export type WallSpec = {
  readonly folder: Folder;
  readonly cwd: string;
  readonly commands: readonly FoundCommand[];
  /** What it has as `/tmp`. */
  readonly scratch?: string;
};

/** The command line of a namespace in which there are the commands that are allowed, their libraries, the folder, and nothing else. */
export function commandWalls({ folder, cwd, commands, scratch }: WallSpec, at?: Descriptors): string[] {
  return [
    "bwrap",
    "--unshare-all",
    "--unshare-user",
    ...["--uid", "65534", "--gid", "65534"],
    "--disable-userns",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--cap-drop", "ALL"],
    ...["--hostname", "keyhole"],
    // There is no /proc: it would tell of the host, and of where the folder lies.
    ...["--dev", "/dev", "--remount-ro", "/dev"],
    ...SYSTEM_FOLDERS.flatMap((dir) => ["--ro-bind-try", dir, dir]),
    ...OLD_FOLDERS.flatMap(toOldFolder),
    ...commands.flatMap(({ path, file }) => ["--ro-bind", file, path]),
    ...(at ? ["--ro-bind-data", String(at.users), "/etc/passwd"] : []),
    ...(at ? ["--ro-bind-data", String(at.groups), "/etc/group"] : []),
    ...(scratch === undefined ? [] : ["--bind", scratch, "/tmp"]),
    ...[folder.access === "write" ? "--bind" : "--ro-bind", folder.dir, INSIDE],
    ...["--remount-ro", "/"],
    ...["--chdir", cwd === "" ? INSIDE : `${INSIDE}/${cwd}`],
    ...(at ? ["--seccomp", String(at.seccomp)] : []),
    ...(at ? ["--json-status-fd", String(at.status)] : []),
    ...(at ? ["--block-fd", String(at.block)] : []),
    "--",
  ];
}

function toOldFolder(dir: string): string[] {
  try {
    if (lstatSync(dir).isSymbolicLink()) return ["--symlink", readlinkSync(dir), dir];
    // Of a folder with commands only those that are allowed are there.
    return dir === "/bin" ? [] : ["--ro-bind", dir, dir];
  } catch {
    return [];
  }
}
