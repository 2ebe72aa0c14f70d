import {
  type PublishedSkill,
  type PublishedVersion,
  readPublished,
  type TeamLibrary,
} from "../../../skills/team/team-library.ts";

/** What lies there under a number; the problem, where it is none. */
export type ReadVersion = { readonly version: number; readonly found: PublishedSkill | string };

export type LibraryReader = {
  /** Of one skill, the latest first. Below the first few only what names one of these keys is told. */
  read(versions: readonly PublishedVersion[], keys: readonly string[]): AsyncGenerator<ReadVersion>;
};

/** Of one skill, as many as a folder lists: junk above what is signed must not hide it. */
const MAX_TRIED = 2_000;
/** As many are read whoever signed them. */
const MAX_READ = 50;

/** Reads each once, and again when it has become something else: a file can be read while it is written. */
export function createLibraryReader(library: Pick<TeamLibrary, "read" | "stamp">): LibraryReader {
  const known = new Map<string, { readonly stamp: string; readonly found: PublishedSkill | string }>();

  async function find(
    published: PublishedVersion,
    isWanted: (bytes: Buffer) => boolean,
  ): Promise<PublishedSkill | string> {
    const key = `${published.name} ${published.version}`;
    const stamp = await library.stamp(published);
    const before = known.get(key);
    if (before !== undefined && before.stamp === stamp) return before.found;
    const bytes = await library.read(published);
    const isSkipped =
      bytes !== undefined && !isWanted(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    const found = isSkipped ? "it is signed by nobody whom you trust" : readPublished(published, bytes);
    known.set(key, { stamp, found });
    return found;
  }

  return {
    async *read(versions, keys) {
      for (const [at, published] of versions.slice(0, MAX_TRIED).entries()) {
        const isWanted = (bytes: Buffer) => at < MAX_READ || keys.some((key) => bytes.includes(key));
        yield { version: published.version, found: await find(published, isWanted) };
      }
    },
  };
}
