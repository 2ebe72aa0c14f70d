import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { ifThere } from "./path-guard.ts";

/**
 * A folder that lies in the project by its name must lie there on the disk too: a link in its path may have come with the
 * repository. Whoever means another place names that place.
 */
export async function assertInProject(outDir: string, projectDir: string): Promise<void> {
  const project = resolve(projectDir);
  const out = resolve(outDir);
  if (!isWithin(out, project)) return;
  const home = await ifThere(() => realpath(project));
  if (home === undefined) return;
  const place = await realPlace(out);
  if (place !== undefined && isWithin(place, home)) return;
  const target = place === undefined ? "nowhere" : `to "${toExcerpt(place)}"`;
  throw new KeyholeError(
    "file_conflict",
    `Cannot write to "${toExcerpt(out)}": by a symbolic link it leads out of the project, ${target}`,
    { hint: "Remove the link, or name the folder that you mean by its own path" },
  );
}

/** Where a path really leads, as far as it is there; nothing where a link of it leads to no file. */
async function realPlace(path: string): Promise<string | undefined> {
  for (let current = path; ; current = dirname(current)) {
    const found = await ifThere(() => realpath(current));
    if (found !== undefined) return found;
    if ((await ifThere(() => lstat(current))) !== undefined) return undefined;
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
