import type { GuestRuntime } from "../guest-spec.ts";
import type { Folder } from "../sandbox.ts";

/** Where things lie in a guest's root file system. */
export const ROOT_PLACES = {
  deno: "/keyhole/deno",
  busybox: "/keyhole/busybox",
  /** Its `PYTHONHOME`; the binary is `bin/python3` in it. */
  pythonHome: "/keyhole/python",
  python: "/keyhole/python/bin/python3",
  /** A folder each, by the guest's name. */
  guests: "/keyhole/guest",
  /** Where programs' folders are, by their names. */
  folders: "/folders",
} as const;

/** Python's `open("/workspace/a")` is its own, and the same in every tier; Deno's programs have paths of ours. */
export function placeInRoot(folder: Folder, runtime: GuestRuntime): Folder {
  return { ...folder, dir: `${runtime === "python" ? "" : ROOT_PLACES.folders}/${folder.name}` };
}
