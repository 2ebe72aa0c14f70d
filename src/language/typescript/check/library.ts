import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Where TypeScript's own binary and its declarations of the language are, or nothing on a platform that has none. */
export type Compiler = { readonly command: string; readonly libraryDir: string };

export function findCompiler(): Compiler | undefined {
  try {
    const fromHere = createRequire(import.meta.url);
    const fromTypeScript = createRequire(fromHere.resolve("typescript/package.json"));
    const platform = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    const libraryDir = join(dirname(fromTypeScript.resolve(platform)), "lib");
    const command = join(libraryDir, process.platform === "win32" ? "tsc.exe" : "tsc");
    return existsSync(command) ? { command, libraryDir } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The declarations of the language as one file and what can't be joined to it. TypeScript merges the parts of an interface
 * when it binds a file, once; but those of several files for each check anew, which took a third of its time.
 */
export function loadLibrary(libraryDir: string): {
  readonly joined: string;
  readonly modules: readonly string[];
} {
  const seen = new Set<string>();
  const parts: string[] = [];
  const modules: string[] = [];
  const add = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    const text = readFileSync(join(libraryDir, `lib.${name}.d.ts`), "utf8");
    for (const [, reference] of text.matchAll(/^\/\/\/ <reference lib="([^"]+)"/gm)) add(reference ?? "");
    const bare = text
      .replace(/^\/\/\/.*$/gm, "")
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .replace(/^\s+/gm, "");
    if (/^export \{\}/m.test(bare)) modules.push(bare);
    else parts.push(bare);
  };
  add("esnext");
  return { joined: parts.join("\n"), modules };
}
