import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/**
 * A file of records of one size, numbered from 0, each with a checksum. Several processes may write the same record at the same
 * time: they write the same bytes. What was cut off or is damaged is no record.
 */
export type BlockFile = {
  /** How many whole ones there are. */
  count(): Promise<number>;
  /** What stands from a record on, without their checksums. */
  read(from: number): Promise<Buffer[]>;
  write(number: number, record: Uint8Array): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
};

const CHECK_BYTES = 8;

export async function openBlockFile(path: string, recordBytes: number): Promise<BlockFile> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  const size = CHECK_BYTES + recordBytes;
  const count = async () => Math.floor((await file.stat()).size / size);
  return {
    count,
    async read(from) {
      const bytes = Buffer.alloc(Math.max(0, (await count()) - from) * size);
      const length = await readAll(file, bytes, from * size);
      const records: Buffer[] = [];
      for (let at = 0; at + size <= length; at += size) {
        const record = bytes.subarray(at + CHECK_BYTES, at + size);
        records.push(bytes.readUInt32LE(at) === checksum(record) ? record : EMPTY);
      }
      return records;
    },
    async write(number, record) {
      const bytes = Buffer.alloc(size);
      bytes.writeUInt32LE(checksum(record));
      bytes.set(record, CHECK_BYTES);
      await file.write(bytes, 0, size, number * size);
    },
    clear: () => file.truncate(0),
    close: () => file.close(),
  };
}

const EMPTY = Buffer.alloc(0);

async function readAll(file: FileHandle, bytes: Buffer, position: number): Promise<number> {
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** Against what is cut off or mixed up, not against people: the folder is the user's own. */
function checksum(bytes: Uint8Array): number {
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
  let sum = 0x811c9dc5;
  for (const word of words) sum = Math.imul(sum ^ word, 0x01000193);
  return sum >>> 0;
}
