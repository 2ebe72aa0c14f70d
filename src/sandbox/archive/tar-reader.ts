import type { CopyPart } from "../machine/folder-copies.ts";

const BLOCK = 512;
const PIECE_BYTES = 128 * 1024;
const MAX_NAME = 4096;

/** Exactly so many bytes. */
export type ReadBytes = (count: number) => Promise<Buffer>;

/**
 * The files and folders of an archive, up to its end. It is hostile: no more than a piece of it is held at a time, however much it
 * claims, and where it is none this throws. Links, devices and names that are no text are left out. What names say is not looked
 * at here. A file of more than `maxBytes` (a sparse one may claim anything) is told of, and is the last; so is what is left out, where
 * that is as much in all.
 */
export async function* readTar(bytes: ReadBytes, maxBytes: number): AsyncGenerator<CopyPart> {
  let longName: Buffer | undefined;
  let skipped = 0;
  for (;;) {
    const header = await bytes(BLOCK);
    if (isZero(header)) {
      await bytes(BLOCK);
      return;
    }
    const { type, size } = readHeader(header);
    const isFile = type === "0" || type === "\0";
    const path = type === "L" ? "" : toPath(longName ?? cut(header.subarray(0, 100)));
    if (!isFile || !path) skipped += BLOCK + size;
    if (Math.max(skipped, size) > maxBytes) {
      yield { kind: "unread", path: path?.slice(0, MAX_NAME) ?? "" };
      return;
    }
    if (type === "L") {
      longName = await readName(bytes, size);
      continue;
    }
    longName = undefined;
    if (path === "" || path === undefined) {
      // The folder itself, or no text.
    } else if (path.length > MAX_NAME) yield { kind: "unread", path: path.slice(0, MAX_NAME) };
    else if (type === "5") yield { kind: "folder", path };
    else if (isFile) {
      yield { kind: "file", path };
      yield* contents(bytes, size);
      continue;
    }
    await skip(bytes, size);
  }
}

async function* contents(bytes: ReadBytes, size: number): AsyncGenerator<CopyPart> {
  for (let left = size; left > 0; ) {
    const piece = await bytes(Math.min(left, PIECE_BYTES));
    left -= piece.length;
    yield { kind: "bytes", bytes: piece };
  }
  await bytes(toPadding(size));
}

async function skip(bytes: ReadBytes, size: number): Promise<void> {
  for (let left = size + toPadding(size); left > 0; )
    left -= (await bytes(Math.min(left, PIECE_BYTES))).length;
}

async function readName(bytes: ReadBytes, size: number): Promise<Buffer> {
  if (size > 64 * 1024) throw new RangeError("An archive with a name that is too long");
  const name = Buffer.from(await bytes(size));
  await bytes(toPadding(size));
  return cut(name);
}

const toPadding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

function readHeader(header: Buffer): { type: string; size: number } {
  const expected = readOctal(header.subarray(148, 156));
  let sum = 8 * 0x20;
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte;
  if (sum !== expected) throw new RangeError("An archive with a broken header");
  return { type: header.toString("latin1", 156, 157), size: readSize(header.subarray(124, 136)) };
}

/** Above eight gigabytes it is no text any more. */
function readSize(field: Buffer): number {
  if ((field[0] ?? 0) < 0x80) return readOctal(field);
  const size = Number(field.readBigUInt64BE(4));
  if (field.subarray(1, 4).some((byte) => byte !== 0) || !Number.isSafeInteger(size))
    throw new RangeError("An archive with a file that is too large");
  return size;
}

function readOctal(field: Buffer): number {
  const text = cut(field).toString("latin1").trim();
  if (!/^[0-7]{1,12}$/.test(text)) throw new RangeError("An archive with a broken number");
  return Number.parseInt(text, 8);
}

const isZero = (block: Buffer) => block.every((byte) => byte === 0);

function cut(text: Buffer): Buffer {
  const end = text.indexOf(0);
  return end === -1 ? text : text.subarray(0, end);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Nothing for a name that is no text. */
function toPath(name: Buffer): string | undefined {
  try {
    return decoder.decode(name).replace(/^\.\//, "").replace(/\/$/, "").replace(/^\.$/, "");
  } catch {
    return undefined;
  }
}
