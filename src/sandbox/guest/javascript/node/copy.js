import { refuse, startsWith } from "./primordials.js";

/**
 * @typedef {object} CopyOptions
 * @property {boolean} [recursive]
 * @property {boolean} [force] whether what is there is replaced
 * @property {boolean} [errorOnExist]
 * @property {(from: string, to: string) => unknown} [filter]
 */
/**
 * @typedef {object} Files what of `fs/promises` it is made of
 * @property {(path: string) => Promise<{ isDirectory(): boolean }>} stat
 * @property {(path: string) => Promise<boolean>} isThere
 * @property {(path: string) => string} toWhole the same for all ways to say a path
 * @property {(from: string, to: string) => Promise<void>} copyFile
 * @property {(path: string, options: { recursive: true }) => Promise<void>} mkdir
 * @property {(path: string, options: { withFileTypes: true }) => Promise<any>} readdir
 */

/**
 * Links in a folder are refused by `stat`, which follows none.
 * @param {Files} files
 * @param {string} from
 * @param {string} to
 * @param {CopyOptions} options
 * @returns {Promise<void>}
 */
export async function copy(files, from, to, options) {
  if (options.filter !== undefined && !(await options.filter(from, to))) return;
  if (!(await files.stat(from)).isDirectory()) {
    const isKept = options.force === false && (await files.isThere(to));
    if (isKept && options.errorOnExist === true) throw refuse("EEXIST", `"${to}" is there already`, to);
    return isKept ? undefined : files.copyFile(from, to);
  }
  assertCopyable(from, to, options.recursive === true, files.toWhole);
  await files.mkdir(to, { recursive: true });
  for (const { name } of await files.readdir(from, { withFileTypes: true }))
    await copy(files, `${from}/${name}`, `${to}/${name}`, options);
}

/**
 * @param {string} from a folder
 * @param {string} to
 * @param {boolean} recursive
 * @param {(path: string) => string} toWhole
 */
export function assertCopyable(from, to, recursive, toWhole) {
  if (!recursive) throw refuse("EISDIR", `"${from}" is a folder: copy it with { recursive: true }`, from);
  if (startsWith(`${toWhole(to)}/`, `${toWhole(from)}/`))
    throw refuse("EINVAL", `Cannot copy "${from}" into itself, to "${to}"`, from);
}
