import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { z } from "zod";
import { KeyholeError } from "../../errors.ts";
import { sharedLibraries } from "../shared-libraries.ts";

/** What of a CPython on this machine a sandbox needs. */
export type PythonInstall = {
  readonly binary: string;
  /** `3.11` */
  readonly version: string;
  /** The folder of its standard library. */
  readonly library: string;
  /** The libraries that it and its modules load, by the paths at which the loader finds them. */
  readonly shared: readonly string[];
};

const LEAST_MINOR = 9;
const MODULES =
  "asyncio ssl sqlite3 hashlib lzma bz2 zlib decimal uuid zoneinfo xml.parsers.expat unicodedata";

/** Python tells itself where it lies, and which of its modules are libraries. Shims on the PATH are seen through. */
const ASK = `
import json, os, sys, sysconfig
for name in "${MODULES}".split():
    try: __import__(name)
    except ImportError: pass
modules = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
print(json.dumps({"binary": os.path.realpath(sys.executable), "major": sys.version_info[0], "minor": sys.version_info[1],
    "library": os.path.realpath(sysconfig.get_path("stdlib")), "modules": [file for file in modules if file and file.endswith(".so")]}))
`;

const ANSWER = z.object({
  binary: z.string(),
  major: z.literal(3),
  minor: z.number().min(LEAST_MINOR),
  library: z.string(),
  modules: z.array(z.string()),
});

const found = new Map<string, PythonInstall | undefined>();

/** The first CPython on the PATH that is new enough; the search is done once. */
export function findPython(path: string = process.env["PATH"] ?? ""): PythonInstall {
  if (!found.has(path)) found.set(path, search(path));
  const python = found.get(path);
  if (python) return python;
  throw new KeyholeError("command_not_found", `Cannot find Python 3.${LEAST_MINOR} or later on the PATH`, {
    hint: "Install it (on Debian: apt install python3), so that `python3` is on the PATH",
  });
}

function search(path: string): PythonInstall | undefined {
  for (const dir of path.split(delimiter)) {
    const python = dir === "" ? undefined : ask(join(dir, "python3"));
    if (python) return python;
  }
  return undefined;
}

function ask(command: string): PythonInstall | undefined {
  const { status, stdout } = spawnSync(command, ["-I", "-S", "-c", ASK], {
    encoding: "utf8",
    timeout: 20_000,
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (status !== 0) return undefined;
  try {
    const { binary, minor, library, modules } = ANSWER.parse(JSON.parse(stdout));
    return { binary, version: `3.${minor}`, library, shared: sharedLibraries([binary, ...modules]) };
  } catch {
    return undefined;
  }
}
