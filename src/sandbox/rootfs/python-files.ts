import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import { promisify } from "node:util";
import { isRecord } from "../../text/is-record.ts";
import { collectFolder, type FoundFile } from "./found-files.ts";
import { ROOT_PLACES } from "./root-places.ts";

export type PythonFiles = {
  readonly version: string;
  readonly files: readonly FoundFile[];
  /** Those that need libraries. */
  readonly binaries: readonly string[];
};

/** The system's own first: one that a version manager made may be gone tomorrow. */
const COMMANDS = ["/usr/bin/python3", "python3"];
const LEAST = [3, 10] as const;

/** CPython with its standard library, as it is installed here; nothing where it is not. */
export async function collectPython(
  commands: readonly string[] = COMMANDS,
): Promise<PythonFiles | undefined> {
  const python = await findPython(commands);
  if (!python) return undefined;
  const { binary, prefix, stdlib, cacheTag, version } = python;
  const takes = (name: string, isFolder: boolean) =>
    isFolder ? !LEFT_OUT.test(name) : name.endsWith(".pyc") ? isCompiled(name, cacheTag) : isLibrary(name);
  const library = await collectFolder(stdlib, `${ROOT_PLACES.pythonHome}/${relative(prefix, stdlib)}`, takes);
  const zones = await collectFolder(
    ZONES,
    ZONES,
    (name) => !/^(posix|right|.*\.(tab|zi|list))$/.test(name),
  ).catch(() => []);
  return {
    version,
    files: [{ path: ROOT_PLACES.python, from: binary }, ...library, ...zones],
    binaries: [binary, ...library.filter(({ from }) => from.endsWith(".so")).map(({ from }) => from)],
  };
}

/** Without these a program misses nothing: tests, windows, what installs packages, and what links C programs. */
const LEFT_OUT =
  /^(tests?|idlelib|tkinter|turtledemo|ensurepip|lib2to3|pydoc_data|venv|site-packages|dist-packages|config-.*)$/;
const isLibrary = (name: string) =>
  /\.(py|so|json|xml|txt)$/.test(name) &&
  !/^(_test|_ctypes_test|_tkinter|xx|sitecustomize|LICENSE)/.test(name);
const isCompiled = (name: string, tag: string) =>
  name.endsWith(`.${tag}.pyc`) && !name.startsWith("sitecustomize");
const ZONES = "/usr/share/zoneinfo";

type Python = {
  readonly binary: string;
  readonly prefix: string;
  readonly stdlib: string;
  readonly cacheTag: string;
  readonly version: string;
};

const ASK = `import json, sys, sysconfig
print(json.dumps({"binary": sys.executable, "prefix": sys.base_prefix, "stdlib": sysconfig.get_path("stdlib"),
  "cacheTag": sys.implementation.cache_tag, "version": ".".join(map(str, sys.version_info[:3])), "name": sys.implementation.name}))`;

async function findPython(commands: readonly string[]): Promise<Python | undefined> {
  for (const command of commands) {
    const said = await promisify(execFile)(command, ["-I", "-S", "-c", ASK], { timeout: 10_000 }).then(
      ({ stdout }): unknown => JSON.parse(stdout),
      () => undefined,
    );
    const python = isRecord(said) && said["name"] === "cpython" ? readPython(said) : undefined;
    if (python && isNewEnough(python.version))
      return {
        ...python,
        binary: await realpath(python.binary),
        stdlib: await realpath(python.stdlib),
        prefix: await realpath(python.prefix),
      };
  }
  return undefined;
}

function readPython({
  binary,
  prefix,
  stdlib,
  cacheTag,
  version,
}: Record<string, unknown>): Python | undefined {
  if (typeof binary !== "string" || typeof prefix !== "string" || typeof stdlib !== "string")
    return undefined;
  if (typeof cacheTag !== "string" || typeof version !== "string") return undefined;
  return { binary, prefix, stdlib, cacheTag, version };
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
}
