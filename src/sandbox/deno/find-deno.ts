import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { KeyholeError } from "../../errors.ts";

const BINARY = process.platform === "win32" ? "deno.exe" : "deno";

/** Deno's binary: the one npm installed for this platform, else one on the PATH. */
export function findDeno(path: string = process.env["PATH"] ?? ""): string {
  const candidates = [installedDeno(), ...path.split(delimiter).map((dir) => join(dir, BINARY))];
  const found = candidates.find((file) => file !== undefined && isExecutable(file));
  if (found !== undefined) return found;
  throw new KeyholeError("command_not_found", `Cannot find deno for "${process.platform}-${process.arch}"`, {
    hint: "Install it from https://deno.com, so that `deno` is on the PATH, or run npm install without --omit=optional",
  });
}

/** We depend on these packages, not on the one named `deno`: that only picks one of them, by an install script. */
function installedDeno(): string | undefined {
  const libc = process.platform === "linux" ? "-glibc" : "";
  const name = `@deno/${process.platform}-${process.arch}${libc}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), BINARY);
  } catch {
    return undefined;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
