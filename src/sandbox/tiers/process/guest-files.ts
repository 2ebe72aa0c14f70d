import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { FIRST_HANDED_FD } from "./launch.ts";

/** How Deno gets at the runner. */
export type GuestFiles = {
  readonly runner: string;
  /** Of the folder that the runner's files are in, with a slash at its end. */
  readonly dirUrl: string;
  /** What it is handed open: files or folders. */
  readonly handed: readonly string[];
};

/** From where they lie. */
export function guestFiles(runner: string): GuestFiles {
  return { runner, dirUrl: `${pathToFileURL(dirname(runner)).href}/`, handed: [] };
}

/**
 * By their folder, handed over open: Deno names the file that imports in errors of imports, and programs see those. Where
 * the files lie is nothing to them. Linux alone has paths that lead through a descriptor.
 */
export function guestFilesByDescriptor(runner: string): GuestFiles {
  const dir = `/dev/fd/${FIRST_HANDED_FD}`;
  return { runner: `${dir}/${basename(runner)}`, dirUrl: `file://${dir}/`, handed: [dirname(runner)] };
}
