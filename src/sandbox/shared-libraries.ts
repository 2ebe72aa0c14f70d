import { execFileSync } from "node:child_process";

const known = new Map<string, readonly string[]>();

/** What the loader needs to start binaries, asked once for each list of them. */
export function sharedLibraries(binaries: readonly string[]): readonly string[] {
  const key = binaries.join("\n");
  const libraries = known.get(key) ?? askLoader(binaries);
  known.set(key, libraries);
  return libraries;
}

/** Where it cannot be asked, the folders that hold them. */
function askLoader(binaries: readonly string[]): string[] {
  try {
    const text = execFileSync("ldd", binaries, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const files = [...text.matchAll(/(?:=>\s+|^\s+)(\/\S+)/gm)].flatMap(([, file]) => file ?? []);
    return [...new Set(files)];
  } catch {
    return ["/lib", "/lib64", "/usr/lib"];
  }
}
