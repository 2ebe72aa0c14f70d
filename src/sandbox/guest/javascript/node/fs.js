import { createDecode } from "./contents.js";
import { createDisk, inOneGo } from "./disk.js";
import { createFileStreams } from "./file-streams.js";
import { createFolders } from "./folders.js";
import { createHostFolders } from "./host-folders.js";
import { createLooks } from "./looks.js";
import { createPlaces } from "./places.js";
import { createSyncFs } from "./sync-fs.js";
import { createWholeFs } from "./whole-fs.js";

/** @param {import("../load-modules.js").Context} context */
export function create({ deno, folders, hostFolders, hostFiles, askHost, builtIn, has, steady }) {
  const looks = createLooks(deno);
  const places = createPlaces(looks, folders, hostFolders, hostFiles);
  const fastest = createDisk(deno, looks, places);
  const disk = steady === undefined ? fastest : inOneGo(fastest);
  const decode = createDecode(has("buffer"));
  const promises = createFolders(places, disk, createHostFolders(askHost), decode);
  const sync = createSyncFs(places, disk.sync, decode);
  const streams = createFileStreams(promises, /** @type {any} */ (builtIn["stream"]));
  const whole = createWholeFs(promises, { ...sync, ...streams });
  return { fs: whole, "fs/promises": promises };
}
