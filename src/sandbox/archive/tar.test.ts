import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { CopyPart } from "../machine/folder-copies.ts";
import { TAR_END, tarPadding, toTarHeader } from "./tar-header.ts";
import { readTar } from "./tar-reader.ts";

const MOST_READ = 1024 * 1024;

/** What is read of bytes, and how much was asked for at once at most. */
async function read(bytes: Buffer, maxBytes = 2 ** 40): Promise<{ parts: CopyPart[]; most: number }> {
  let at = 0;
  let most = 0;
  const parts: CopyPart[] = [];
  const take = async (count: number) => {
    most = Math.max(most, count);
    if (at + count > bytes.length) throw new Error("It ends early");
    at += count;
    return bytes.subarray(at - count, at);
  };
  for await (const part of readTar(take, maxBytes))
    parts.push(part.kind === "bytes" ? { ...part, bytes: Buffer.from(part.bytes) } : part);
  return { parts, most };
}

const fileHeader = (path: string, size: number) => toTarHeader({ kind: "file", path, mode: 0o600, size });
const file = (path: string, text: string) =>
  Buffer.concat([fileHeader(path, text.length), Buffer.from(text), tarPadding(text.length)]);

/** With its sum put right again. */
function changed(header: Buffer, change: (header: Buffer) => void): Buffer {
  const made = Buffer.from(header);
  change(made);
  made.write("        ", 148);
  made.write(
    `${made
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
    "latin1",
  );
  return made;
}

describe("an archive", () => {
  it("comes back as it was written, with names of any length and kind", async () => {
    const long = `${"folder/".repeat(40)}größe 漢字`;
    const archive = Buffer.concat([
      toTarHeader({ kind: "folder", path: "a", mode: 0o700 }),
      file("a/b", "text"),
      file(long, "x".repeat(513)),
      TAR_END,
    ]);
    expect((await read(archive)).parts).toEqual([
      { kind: "folder", path: "a" },
      { kind: "file", path: "a/b" },
      { kind: "bytes", bytes: Buffer.from("text") },
      { kind: "file", path: long },
      { kind: "bytes", bytes: Buffer.from("x".repeat(513)) },
    ]);
    // As another program reads it.
    expect(
      execFileSync("tar", ["-t"], {
        input: archive,
        env: { LC_ALL: "C.UTF-8", PATH: process.env["PATH"] },
      }).toString(),
    ).toContain("a/b");
  });

  it("leaves out what is no file or folder, and names that are no text", async () => {
    const kinds = [..."12346x"].map((type) =>
      changed(fileHeader("other", 0), (header) => header.write(type, 156)),
    );
    const odd = changed(fileHeader("odd", 3), (header) => header.writeUInt8(0xff, 0));
    const archive = Buffer.concat([
      ...kinds,
      odd,
      Buffer.from("abc"),
      tarPadding(3),
      file("last", ""),
      TAR_END,
    ]);
    expect((await read(archive)).parts).toEqual([{ kind: "file", path: "last" }]);
  });

  it.each<[string, Buffer]>([
    ["a wrong sum", Buffer.concat([Buffer.alloc(148, 1), Buffer.alloc(364)])],
    ["a size that is no number", changed(fileHeader("a", 1), (header) => header.write("9x", 124))],
    ["a size below nothing", changed(fileHeader("a", 1), (header) => header.fill(0xff, 124, 136))],
    ["a name of a gigabyte", changed(fileHeader("a", 2 ** 30), (header) => header.write("L", 156))],
    ["an end in the middle", file("a", "text").subarray(0, 600)],
  ])("with %s is refused", async (_what, archive) => {
    await expect(read(archive)).rejects.toThrow();
  });

  it("that claims gigabytes is read in pieces, and not at all if it claims too much", async () => {
    const claim = (bytes: bigint) =>
      changed(fileHeader("a", 0), (header) => {
        header.fill(0, 124, 136);
        header.writeUInt8(0x80, 124);
        header.writeBigUInt64BE(bytes, 128);
      });
    await expect(read(Buffer.concat([claim(2n ** 34n), Buffer.alloc(300_000)]))).rejects.toThrow(
      "ends early",
    );
    expect((await read(claim(2n ** 42n))).parts).toEqual([{ kind: "unread", path: "a" }]);
  });

  it.each([
    ["links", changed(fileHeader("link", 0), (header) => header.write("2", 156))],
    [
      "long names",
      Buffer.concat([
        changed(fileHeader("long", 4), (header) => header.write("L", 156)),
        Buffer.from("last"),
        tarPadding(4),
      ]),
    ],
    ["names that are no text", changed(fileHeader("odd", 0), (header) => header.writeUInt8(0xff, 0))],
  ])("of nothing but %s, and no end, is not read to its end", async (_what, entry) => {
    const archive = Buffer.concat([...Array<Buffer>(100).fill(entry), file("last", ""), TAR_END]);
    expect((await read(archive)).parts).toEqual([{ kind: "file", path: "last" }]);
    expect((await read(archive, 20_000)).parts).toMatchObject([{ kind: "unread" }]);
  });

  it("made of anything at all ends, and asks for little at once", async () => {
    const good = Buffer.concat([
      toTarHeader({ kind: "folder", path: "a", mode: 0o700 }),
      file("a/b", "x".repeat(2000)),
      file("y".repeat(300), "z"),
      TAR_END,
    ]);
    let seed = Number(process.env["KEYHOLE_TEST_SEED"] ?? 1);
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (let n = 0; n < 2_000; n++) {
      const bad = Buffer.from(good);
      for (let times = random(4) + 1; times > 0; times--) bad.writeUInt8(random(256), random(bad.length));
      const mended =
        n % 2 === 0 ? bad : Buffer.concat([changed(bad.subarray(0, 512), () => {}), bad.subarray(512)]);
      const { most } = await read(mended).catch(() => ({ most: 0 }));
      expect(most).toBeLessThan(MOST_READ);
    }
  });
});
