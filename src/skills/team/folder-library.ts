import { link, lstat, mkdir, open, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { isSkillName } from "../../language/skills/skill-names.ts";
import { toTemporaryName } from "../../store/atomic-write.ts";
import { hasCode } from "../../store/error-code.ts";
import { inForeignFolder, listForeignFolder, readForeignFile } from "../../store/foreign-tree.ts";
import { removeLeftovers } from "../../store/leftovers.ts";
import { toHash } from "../../text/hash.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import {
  inOrderOfVersions,
  isVersionNumber,
  MAX_LISTED,
  MAX_PUBLISHED_BYTES,
  type PublishedVersion,
  type TeamLibrary,
} from "./team-library.ts";

const MAX_SKILLS = 20_000;
/** Of one skill; more are not looked at. */
const MAX_VERSIONS = 2_000;
const FILE = /^([1-9]\d{0,5})\.json$/;
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"] as const;

/** A folder that several people and machines have: `<skill>/<number>.json`. No link in it is followed. */
export function openFolderLibrary(folder: string, written: string): TeamLibrary {
  const shown = toExcerpt(written, 200);
  /** How each skill's folder was when its versions were read. */
  const known = new Map<string, { readonly stamp: string; readonly versions: readonly PublishedVersion[] }>();

  async function versionsOf(name: string): Promise<readonly PublishedVersion[]> {
    const stamp = await stampOf(join(folder, name));
    const before = known.get(name);
    if (before !== undefined && before.stamp === stamp) return before.versions;
    const entries = await listForeignFolder(folder, [name], MAX_VERSIONS);
    const versions = entries.flatMap((entry): PublishedVersion[] => {
      const version = Number(FILE.exec(entry.name)?.[1]);
      return entry.kind === "file" && isVersionNumber(version) ? [{ name, version }] : [];
    });
    known.set(name, { stamp, versions });
    return versions;
  }

  return {
    shown,
    id: toHash(folder),
    async list() {
      await assertThere(folder, shown);
      const entries = await listForeignFolder(folder, [], MAX_SKILLS);
      const names = entries.filter(({ name, kind }) => kind === "folder" && isSkillName(name));
      const all: PublishedVersion[] = [];
      for (const { name } of names) {
        all.push(...(await versionsOf(name)));
        if (all.length > MAX_LISTED) break;
      }
      return inOrderOfVersions(all);
    },
    stamp: ({ name, version }) => stampOf(join(folder, name, `${version}.json`)),
    read: ({ name, version }) => readForeignFile(folder, [name, `${version}.json`], MAX_PUBLISHED_BYTES),
    async add({ name, version }, pack) {
      await assertThere(folder, shown);
      if (!isSkillName(name) || !isVersionNumber(version))
        throw new TypeError("No name or number of a skill");
      await mkdir(join(folder, name)).catch(() => {});
      try {
        const isAdded = await inForeignFolder(folder, [name], (path) =>
          addFile(path, `${version}.json`, pack),
        );
        if (isAdded !== undefined) return isAdded;
      } catch (error) {
        throw unusable(shown, errorMessage(error).replace(/,.*$/s, ""), error);
      }
      throw unusable(shown, `what is there as "${name}" is no folder`);
    },
    close: async () => {},
  };
}

/** Others see the whole file or none. */
async function addFile(path: string, name: string, text: string): Promise<boolean> {
  const temporary = join(path, toTemporaryName());
  try {
    const file = await open(temporary, "wx", 0o644);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporary, join(path, name)).catch((error: unknown) => {
      // Where there are no links, whoever reads a half of it sees that it is one.
      if (!NO_LINKS.some((code) => hasCode(error, code))) throw error;
      return writeFile(join(path, name), text, { flag: "wx" });
    });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
    await removeLeftovers(path).catch(() => {});
  }
}

async function stampOf(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

/** A share that is not mounted must not be made anew in its place. */
async function assertThere(folder: string, shown: string): Promise<void> {
  const stats = await stat(folder).catch((error: unknown) => {
    throw unusable(shown, errorMessage(error).replace(/,.*$/s, ""), error);
  });
  if (!stats.isDirectory()) throw unusable(shown, "it is no folder");
}

function unusable(shown: string, why: string, cause?: unknown): KeyholeError {
  return new KeyholeError("file_conflict", `The team's library "${shown}" can't be used: ${why}`, {
    hint: 'Make the folder that "skills.library" names, or mount it',
    cause,
  });
}
