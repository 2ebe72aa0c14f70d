import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { PythonInstall } from "../../python/find-python.ts";
import { PYTHON_ENVIRONMENT } from "../../python/python-arguments.ts";
import type { Folder } from "../../sandbox.ts";
import { sharedLibraries } from "../../shared-libraries.ts";
import { FIRST_HANDED_FD } from "./launch.ts";

const GUEST_DIR = "/keyhole/guest";
const DENO = "/keyhole/deno";

export type Bubblewrap = {
  /** The runtime's binary, and the runner, as they are found inside. */
  readonly binary: string;
  readonly runner: string;
  /** Where the folders are found inside. */
  place(folders: readonly Folder[]): Folder[];
  command(folders: readonly Folder[]): string[];
};

type FromTo = readonly [from: string, to: string];

/** What stands in a namespace beside the runner and the folders. */
type Inside = {
  readonly environment: { readonly [name: string]: string };
  /** From here, to there; read-only. */
  readonly files: readonly FromTo[];
  /** What is known only when the first process is started. */
  readonly laterFiles?: () => readonly FromTo[];
  /** More of bubblewrap's options, after all is there. */
  readonly more: readonly string[];
  /** The folder that the folders are in. */
  readonly root: string;
};

/** A namespace in which there is Deno, the runner, the folders, and nothing else but what the runner needs. */
export function createBubblewrap(
  deno: string,
  runner: string,
  hasSeccomp: boolean,
  laterFiles: () => readonly FromTo[] = () => [],
): Bubblewrap {
  return wrapping(runner, hasSeccomp, DENO, {
    environment: { DENO_DIR: "/dev/null/x", NO_COLOR: "1" },
    files: [[deno, DENO], ...sharedLibraries([deno]).map((file) => [file, file] as const)],
    // Deno's Node layer asks where its binary is, and panics without an answer. There is no /proc beside this.
    more: ["--symlink", DENO, "/proc/self/exe"],
    laterFiles,
    root: "/folders/",
  });
}

const PYTHON = "/keyhole/python";
/** Where authorities' certificates lie for OpenSSL, on Debian and others: where there are none TLS trusts nobody. */
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
/** Where Python looks for time zones. */
const ZONES = "/usr/share/zoneinfo";

/**
 * A namespace in which there is Python with its standard library, the runner, the folders, and nothing else. The folders lie at
 * the root, so that a program finds them by the paths it knows without anything between it and the kernel. What `/dev` has room
 * for would be memory that nobody counts.
 */
export function createPythonBubblewrap(
  python: PythonInstall,
  runner: string,
  hasSeccomp: boolean,
): Bubblewrap {
  const binary = `${PYTHON}/bin/python3`;
  const library = `${PYTHON}/lib/python${python.version}`;
  const packages = existsSync(`${python.library}/site-packages`) ? `${library}/site-packages` : undefined;
  return wrapping(runner, hasSeccomp, binary, {
    environment: { ...PYTHON_ENVIRONMENT, LD_LIBRARY_PATH: `${PYTHON}/lib` },
    files: [
      [python.binary, binary],
      [python.library, library],
      ...python.shared.map(
        (file) => [file, isSystem(file) ? file : `${PYTHON}/lib/${basename(file)}`] as const,
      ),
      ...(existsSync(CERTIFICATES) ? [[CERTIFICATES, "/usr/lib/ssl/cert.pem"] as const] : []),
      ...(existsSync(ZONES) ? [[ZONES, ZONES] as const] : []),
    ],
    more: [...(packages ? ["--tmpfs", packages, "--remount-ro", packages] : []), ...["--remount-ro", "/dev"]],
    root: "/",
  });
}

/** Where the loader looks by itself. Elsewhere, the path would tell of this machine. */
function isSystem(file: string): boolean {
  return /^\/(usr\/)?lib(64|32)?\//.test(file);
}

function wrapping(runner: string, hasSeccomp: boolean, binary: string, inside: Inside): Bubblewrap {
  const place = (folders: readonly Folder[]) =>
    folders.map((folder) => ({ ...folder, dir: `${inside.root}${folder.name}` }));
  return {
    binary,
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
      ...Object.entries(inside.environment).flatMap(([name, value]) => ["--setenv", name, value]),
      ...["--cap-drop", "ALL"],
      ...["--hostname", "keyhole"],
      ...["--dev", "/dev"],
      ...[...inside.files, ...(inside.laterFiles?.() ?? [])].flatMap(([from, to]) => ["--ro-bind", from, to]),
      ...["--ro-bind", dirname(runner), GUEST_DIR],
      ...place(folders).flatMap(({ dir, access }, at) => [
        access === "write" ? "--bind" : "--ro-bind",
        folders[at]?.dir ?? "",
        dir,
      ]),
      ...inside.more,
      ...["--remount-ro", "/"],
      ...["--chdir", "/"],
      ...(hasSeccomp ? ["--seccomp", String(FIRST_HANDED_FD)] : []),
      "--",
    ],
  };
}
