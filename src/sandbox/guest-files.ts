import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { FIRST_HANDED_FD } from "./launch.ts";

/** The one file that may import Node's modules (`blocked-imports.ts`). */
const LOADERS_FILE = "built-in-loaders.js";

/** How Deno gets at the runner. */
export type GuestFiles = {
  /** The end of Deno's command line. */
  readonly command: readonly string[];
  readonly loaderUrl: string;
  /** What the runner may import, and where it is, as an import map has it. */
  readonly imports: { readonly [url: string]: string };
  /** Files that it is handed open. */
  readonly handed: readonly string[];
};

/** From where they lie. */
export function guestFiles(runner: string): GuestFiles {
  const dirUrl = `${pathToFileURL(dirname(runner)).href}/`;
  return {
    command: [runner],
    loaderUrl: dirUrl + LOADERS_FILE,
    imports: { [dirUrl]: dirUrl },
    handed: [],
  };
}

/**
 * As open files, each known by its descriptor: Deno names the file that imports in errors of imports, and programs see
 * those. Where the files lie is nothing to them.
 */
export function guestDescriptors(runner: string): GuestFiles {
  const dir = dirname(runner);
  const names = readdirSync(dir).filter((name) => name.endsWith(".js"));
  const urls = names.map((name, at) => [name, `file://${FD_DIR}/${FIRST_HANDED_FD + at}`] as const);
  const urlOf = new Map(urls);
  return {
    command: ["--ext=js", `${FD_DIR}/${FIRST_HANDED_FD + names.indexOf(basename(runner))}`],
    loaderUrl: urlOf.get(LOADERS_FILE) ?? `file://${FD_DIR}/none`,
    imports: Object.fromEntries(
      urls.flatMap(([name, url]) => [
        [url, url],
        [`file://${FD_DIR}/${name}`, url],
      ]),
    ),
    handed: names.map((name) => join(dir, name)),
  };
}

const FD_DIR = "/dev/fd";
