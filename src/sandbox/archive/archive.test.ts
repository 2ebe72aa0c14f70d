import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CopyPart } from "../machine/folder-copies.ts";
import { sendArchive } from "./send-archive.ts";
import { readTar } from "./tar-reader.ts";
import { toArchive } from "./to-archive.ts";
import { withSame } from "./with-same.ts";

const OWNER = { uid: 65_534, fileMode: 0o600, folderMode: 0o700 };
/** Longer than what is held in memory. */
const LARGE = Buffer.alloc(3_000_001, "large ");

async function* toParts(files: { readonly [path: string]: Uint8Array | "folder" }): AsyncGenerator<CopyPart> {
  for (const [path, contents] of Object.entries(files)) {
    if (contents === "folder") {
      yield { kind: "folder", path };
      continue;
    }
    yield { kind: "file", path };
    for (let at = 0; at < contents.length; at += 100_000)
      yield { kind: "bytes", bytes: contents.subarray(at, at + 100_000) };
  }
}

/** What goes over the wire, and what was noted of it. */
async function send(files: Parameters<typeof toParts>[0]) {
  const hashes = new Map<string, string>();
  const sent: Buffer[] = [];
  let begun = 0;
  const isSent = await sendArchive(
    toArchive(toParts(files), { owner: OWNER, onFile: (path, hash) => void hashes.set(path, hash) }),
    {
      async begin() {
        begun++;
      },
      write: async (bytes) => void sent.push(Buffer.from(bytes)),
    },
  );
  return { isSent, begun, bytes: Buffer.concat(sent), hashes };
}

/** As the shells in machines and containers put it together. */
function joined(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf(10, at);
    const length = Number(bytes.toString("latin1", at, end));
    if (length === 0) {
      expect(end).toBe(bytes.length - 1);
      return Buffer.concat(pieces);
    }
    pieces.push(bytes.subarray(end + 1, end + 1 + length));
    at = end + 1 + length;
  }
}

async function take(archive: Buffer, hashOf: (path: string) => string | undefined) {
  let at = 0;
  const read = async (count: number) => {
    at += count;
    return archive.subarray(at - count, at);
  };
  const taken: string[] = [];
  for await (const part of withSame(readTar(read, 1e9), hashOf)) {
    if (part.kind !== "bytes") taken.push(`${part.kind} ${part.path}`);
    else taken[taken.length - 1] += ` ${part.bytes.length}`;
  }
  return taken.map((line) => line.replace(/( \d+)+$/, (sizes) => ` ${sum(sizes)}`));
}

const sum = (sizes: string) =>
  sizes
    .trim()
    .split(" ")
    .map(Number)
    .reduce((one, other) => one + other, 0);

describe("a folder that is handed over", () => {
  const files = {
    a: "folder",
    "a/small": Buffer.from("text"),
    "a/large": LARGE,
    empty: Buffer.alloc(0),
  } as const;

  it("is what tar makes of it, whatever the sizes of its files", async () => {
    const { isSent, begun, bytes, hashes } = await send(files);
    expect([isSent, begun]).toEqual([true, 1]);
    const dir = await mkdtemp(join(tmpdir(), "keyhole-archive-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    expect(spawnSync("tar", ["-x", "-C", dir], { input: joined(bytes) }).status).toBe(0);
    expect((await readdir(dir, { recursive: true })).sort()).toEqual(Object.keys(files).sort());
    expect(LARGE.equals(await readFile(join(dir, "a/large")))).toBe(true);
    expect(hashes.get("a/large")).toBe(createHash("sha256").update(LARGE).digest("hex"));
    expect(hashes.size).toBe(3);
  });

  it("is not mentioned where nothing is in it", async () => {
    expect(await send({})).toMatchObject({ isSent: false, begun: 0, bytes: Buffer.alloc(0) });
  });

  it("comes back by name where it is as it was, and as a whole where it is not", async () => {
    const { bytes, hashes } = await send(files);
    const archive = joined(bytes);
    expect(await take(archive, (path) => hashes.get(path))).toEqual([
      "folder a",
      "same a/small",
      "same a/large",
      "same empty",
    ]);
    const changed = ["folder a", "file a/small 4", `file a/large ${LARGE.length}`, "file empty"];
    expect(await take(archive, () => "another")).toEqual(changed);
    expect(await take(archive, () => undefined)).toEqual(changed);
  });
});
